// Messages between the two threads of history.

import type { Chunk } from '../chunk.ts'
import type { HistoryRead } from '../reads.ts'
import type { Packed } from '../rows/wire-row.ts'
import type { StoreOptions } from '../store.ts'

export type WorkerStart = StoreOptions

/** First the thread reads the journal of this data folder up to an entry that ends a frame. */
export type CatchUp = Readonly<{ folder: string; to: number }>

/** Answered when the store has reached `seq`, as of one moment; dropped after `untilMs` of the
 *  machine's clock, when the caller no longer waits. */
export type ReadRequest = Readonly<{
  id: number
  seq: number
  untilMs: number
  reads: readonly HistoryRead[]
}>
export type ReadMessage = Readonly<{ kind: 'read' }> & ReadRequest

/** As of `seq`. */
export type Answer = Readonly<{ seq: number; packs: readonly Packed[] }>
export type AnswerMessage =
  | (Readonly<{ kind: 'answer'; id: number }> & Answer)
  | Readonly<{ kind: 'refused'; id: number; message: string }>

export type ToWorker =
  | Readonly<{ kind: 'feed'; chunk: Chunk }>
  | ReadMessage
  /** Commits everything fed before it. */
  | Readonly<{ kind: 'commit' }>
  | Readonly<{ kind: 'close' }>

export type FromWorker =
  | Readonly<{ kind: 'open'; seq: number }>
  /** Number of lines read of an unfinished command; `fed` does not include them. */
  | Readonly<{ kind: 'reading'; lines: number }>
  | Readonly<{ kind: 'fed'; seq: number; lines: number }>
  | Readonly<{ kind: 'committed'; seq: number }>
  | AnswerMessage
  | Readonly<{ kind: 'failed'; message: string; isGap: boolean }>
