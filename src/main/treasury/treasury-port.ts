// What the exchange asks of a treasury, whichever it is: to take payment orders, and to hand over
// what custody reports. Whatever is handed over may come again after a crash; the core credits a
// reference once, and a withdrawal ends once.

import type { PaymentRow } from '../../projections/history/history.ts'
import type { Report } from './report.ts'

export type Place = Readonly<{ seq: number; place: number }>

export type Refused = Readonly<{
  /** Which report: a line of a file, or a place in an answer. */
  at: string
  says: string
}>

/** Reports that came together. */
export type Delivery = Readonly<{
  name: string
  reports: readonly Readonly<{ at: string; report: Report }>[]
  /** Found while reading; then there are no reports, and nothing of it is done. */
  refused: readonly Refused[]
  /** All of it is durable, but for what was refused: it need not come again. */
  end(refused: readonly Refused[]): Promise<void>
}>

export type Treasury = Readonly<{
  /** A folder or a host; no secret. */
  where: string
  /** Null: the order was taken. The same one may come again, under its withdrawal id. */
  pay(row: PaymentRow): Promise<string | null>
  /** Everything up to this place was taken, and will not come again. */
  kept(place: Place): Promise<void>
  /** Null: nothing came. */
  next(): Promise<Delivery | null>
}>
