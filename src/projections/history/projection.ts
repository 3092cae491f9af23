// A projection of the store. It reads certain events, writes tables, has a mark for its position,
// and can return to an earlier mark. It runs inside the transaction of the store, and never begins
// or ends one.

import type { EventType } from '../../core/index.ts'
import type { FedOutcome } from './chunk.ts'

type Value = null | number | bigint | string | Uint8Array
type Statement = Readonly<{
  all(...values: Value[]): unknown[]
  get(...values: Value[]): unknown
  run(...values: Value[]): unknown
  setReturnArrays(on: boolean): void
}>

/** The part of the database interface that is used, with our own types. Embedding programs see
 *  these types, and the types of the package would require those of Node. */
export type Database = Readonly<{
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}>

/** Reads the event at index `at` of `outcome.rows`. */
export type EventReader = (outcome: FedOutcome, at: number) => void

/** Id of the newest row. */
export type NewestRow = Readonly<{ last: number }>

/** `Mark`: the position from which the projection continues. Stored as JSON. */
export type Projection<Mark = unknown> = Readonly<{
  reads: Readonly<Partial<Record<EventType, EventReader>>>
  /** Called after the last event of an outcome. May delete rows that are no longer kept. */
  settle?(): void
  mark(): Mark
  /** Continues from this mark, at a start and after a revert. Discards cached data. */
  resume(mark: Mark): void
  /** Deletes the rows after this mark. `snapshot`: seq at which the mark was taken. */
  revert(mark: Mark, snapshot: number): void
  /** Called when a snapshot was taken. Saves data that cannot be restored by deleting rows. */
  save?(snapshot: number): void
  /** Called when rows up to this mark belong to the newest snapshot and must not be pruned. */
  freeze?(mark: NewestRow): void
  /** Writes cached data. Called before a read, and before a commit. */
  flush?(): void
  /** Called before a commit. Also writes cached data that few reads need, so that the file is
   *  complete. */
  finish?(): void
}>

/** Rules for pruning rows. Rows that a saved snapshot would restore are always kept. */
export type Retention = Readonly<{
  /** Accounts whose orders and fills are pruned: the sandbox's own bots. */
  churn: ReadonlySet<string>
  /** Number of newest rows kept per pruned account. */
  churnRows: number
  /** Number of newest trades kept per market. */
  trades: number
  /** Rows are pruned when an id crosses a multiple of this number, so that the result depends only
   *  on history and not on batches. */
  every: number
}>

export function prepare(database: Database, sql: string) {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
