// What the two threads of history say to each other.

import type { Chunk } from '../chunk.ts'
import type { ReadName } from '../reads.ts'
import type { Packed } from '../rows/wire-row.ts'
import type { StoreOptions } from '../store.ts'

export type WorkerStart = StoreOptions

/** Before anything else the thread reads the journal of this data folder up to an entry that ends
 *  a frame. */
export type CatchUp = Readonly<{ folder: string; to: number }>

export type HistoryRead = Readonly<{ name: ReadName; args: readonly unknown[] }>

export type ToWorker =
  | Readonly<{ kind: 'feed'; chunk: Chunk }>
  /** Answered when the store has reached `seq`, all of it at one moment; dropped after `untilMs` of
   *  the machine's clock, when nobody waits any more. */
  | Readonly<{
      kind: 'read'
      id: number
      seq: number
      untilMs: number
      asked: readonly HistoryRead[]
    }>
  | Readonly<{ kind: 'close' }>

export type FromWorker =
  | Readonly<{ kind: 'open'; seq: number }>
  | Readonly<{ kind: 'fed'; seq: number; lines: number }>
  | Readonly<{ kind: 'committed'; seq: number }>
  | Readonly<{ kind: 'answer'; id: number; seq: number; packs: readonly Packed[] }>
  | Readonly<{ kind: 'refused'; id: number; message: string }>
  | Readonly<{ kind: 'failed'; message: string; isGap: boolean }>
