// What every projection of the store is: it reads the rows of some events, writes tables, can say
// where it stands, and can go back to where it stood. All of it happens inside the transaction of
// the store; a projection begins and ends none.

import type { EventType } from '../../core/index.ts'
import type { FedOutcome } from './chunk.ts'

type Value = null | number | bigint | string | Uint8Array
type Statement = Readonly<{
  all(...values: Value[]): unknown[]
  get(...values: Value[]): unknown
  run(...values: Value[]): unknown
  setReturnArrays(on: boolean): void
}>

/** What we use of the database. In words of ours: the types of an embedded exchange lead here, and
 *  the package's own need those of Node. */
export type Database = Readonly<{
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}>

/** Reads the event at `at` of `outcome.rows`. */
export type EventReader = (outcome: FedOutcome, at: number) => void

/** The id of the newest row. */
export type NewestRow = Readonly<{ last: number }>

/** `Mark`: where it stands, so that its next rows continue what is there; kept as JSON. */
export type Projection<Mark = unknown> = Readonly<{
  reads: Readonly<Partial<Record<EventType, EventReader>>>
  /** After the last event of an outcome: the place to prune. */
  settle?(): void
  mark(): Mark
  /** Goes on from this mark: at a start, and after a revert. Forgets what it kept in memory. */
  resume(mark: Mark): void
  /** Deletes the rows that came after this mark. `snapshot` is the seq at which it was taken. */
  revert(mark: Mark, snapshot: number): void
  /** A snapshot was taken: what cannot be found by deleting rows is saved with it. */
  save?(snapshot: number): void
  /** Rows up to this mark belong to the newest snapshot and must not be pruned. */
  freeze?(mark: NewestRow): void
  /** Before a read, and before a commit: writes what it kept in memory. */
  flush?(): void
  /** Before a commit: writes also what few reads need. From then on the file has everything. */
  finish?(): void
}>

/** Which rows are not kept for ever. Rows that a saved snapshot would bring back always are. */
export type Retention = Readonly<{
  /** Addresses whose orders and fills are kept only in part: the sandbox's own bots. */
  churn: ReadonlySet<string>
  /** Newest rows kept of each of them. */
  churnRows: number
  /** Newest trades kept of each market's tape. */
  trades: number
  /** Pruning happens when an id crosses a multiple of this, so that what is left depends on history
   *  alone and not on how it was cut into batches. */
  every: number
}>

export function prepare(database: Database, sql: string) {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
