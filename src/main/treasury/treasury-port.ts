// The interface of a treasury: it accepts payment orders and delivers reports of custody. Reports
// may be delivered again after a crash, because the core credits each reference once and completes
// each withdrawal once.

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
  /** Errors of reading. If there are any, `reports` is empty, and nothing is applied. */
  refused: readonly Refused[]
  /** Acknowledges the delivery. All accepted reports are durable and need not be delivered
   *  again. */
  end(refused: readonly Refused[]): Promise<void>
}>

export type Treasury = Readonly<{
  /** Folder or host of the treasury, without secrets. */
  where: string
  /** Sends a payment order; returns `null` if it was accepted. The same order may be sent again,
   *  with the same withdrawal id. */
  pay(row: PaymentRow): Promise<string | null>
  /** Called when all orders up to this position were accepted and will not be sent again. */
  kept(place: Place): Promise<void>
  /** Returns the next delivery; `null` if there is none. */
  next(): Promise<Delivery | null>
}>
