// The thread that makes snapshots.

import type { SavedFacts } from '../ports.ts'
import { IdleThread } from './idle-thread.ts'
import type { StateHashes } from './state-hash.ts'

export type SnapshotJob = Readonly<{
  folder: string
  seq: number
  /** Target file; `null` if only the hashes are needed. */
  file: string | null
  /** Facts of a saved state; `null` for a snapshot for recovery, which has its own facts. */
  facts: SavedFacts | null
}>

export type SnapshotResult = Readonly<{
  seq: number
  /** Result of `checkInvariants` for the state. */
  breaches: readonly string[]
  warnings: readonly string[]
  hashes: StateHashes | null
}>

export function snapshotThread(): IdleThread<SnapshotJob, SnapshotResult> {
  return new IdleThread(new URL('./snapshot-worker.js', import.meta.url))
}
