// A projection of the store: it reads certain events, writes tables, has a mark for its position,
// and can return to an earlier mark. All of it happens inside the transaction of the store; a
// projection begins and ends none.

import type { EventType } from '../../core/index.ts'
import type { FedOutcome } from './chunk.ts'

type Value = null | number | bigint | string | Uint8Array
type Statement = Readonly<{
  all(...values: Value[]): unknown[]
  get(...values: Value[]): unknown
  run(...values: Value[]): unknown
  setReturnArrays(on: boolean): void
}>

/** The part of the database that we use, with our own types: embedding programs see them, and the
 *  package's own types would require those of Node. */
export type Database = Readonly<{
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}>

/** Reads the event at `at` of `outcome.rows`. */
export type EventReader = (outcome: FedOutcome, at: number) => void

/** Id of the newest row. */
export type NewestRow = Readonly<{ last: number }>

/** `Mark`: its position, from which it continues; stored as JSON. */
export type Projection<Mark = unknown> = Readonly<{
  reads: Readonly<Partial<Record<EventType, EventReader>>>
  /** Called after the last event of an outcome; may prune rows. */
  settle?(): void
  mark(): Mark
  /** Continues from this mark, at a start and after a revert. Discards cached data. */
  resume(mark: Mark): void
  /** Deletes the rows after this mark. `snapshot` is the seq at which it was taken. */
  revert(mark: Mark, snapshot: number): void
  /** Called when a snapshot was taken: saves what cannot be restored by deleting rows. */
  save?(snapshot: number): void
  /** Rows up to this mark belong to the newest snapshot and must not be pruned. */
  freeze?(mark: NewestRow): void
  /** Called before a read, and before a commit: writes cached data. */
  flush?(): void
  /** Called before a commit: also writes data that few reads need. Then the file is complete. */
  finish?(): void
}>

/** Which rows are pruned. Rows that a saved snapshot would restore are always kept. */
export type Retention = Readonly<{
  /** Addresses whose orders and fills are pruned: the sandbox's own bots. */
  churn: ReadonlySet<string>
  /** Number of newest rows kept of each of them. */
  churnRows: number
  /** Number of newest trades kept of each market's tape. */
  trades: number
  /** Pruning happens when an id crosses a multiple of this, so that its result depends on history
   *  alone and not on batches. */
  every: number
}>

export function prepare(database: Database, sql: string) {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
