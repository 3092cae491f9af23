// The interface of any treasury: it accepts payment orders, and delivers reports of custody.
// Reports may be delivered again after a crash; the core credits a reference once, and completes a
// withdrawal once.

import type { PaymentRow } from '../../projections/history/history.ts'
import type { Report } from './report.ts'

export type Place = Readonly<{ seq: number; place: number }>

export type Refused = Readonly<{
  /** Position of the report: a line of a file, or an index in an answer. */
  at: string
  says: string
}>

/** Reports of one delivery. */
export type Delivery = Readonly<{
  name: string
  reports: readonly Readonly<{ at: string; report: Report }>[]
  /** Errors of reading; if there are any, there are no reports, and nothing is applied. */
  refused: readonly Refused[]
  /** All reports but the refused ones are durable: they need not be delivered again. */
  end(refused: readonly Refused[]): Promise<void>
}>

export type Treasury = Readonly<{
  /** Folder or host, without secrets. */
  where: string
  /** `null` if the order was accepted. The same order may be sent again, with the same withdrawal
   *  id. */
  pay(row: PaymentRow): Promise<string | null>
  /** Everything up to this place was accepted, and will not be sent again. */
  kept(place: Place): Promise<void>
  /** `null` if there is nothing. */
  next(): Promise<Delivery | null>
}>
