// Messages between the two threads of history.

import type { Chunk } from '../chunk.ts'
import type { HistoryRead } from '../reads.ts'
import type { Packed } from '../rows/wire-row.ts'
import type { StoreOptions } from '../store.ts'

export type WorkerStart = StoreOptions

/** Before it answers, the thread reads the journal of this data folder up to this entry, which
 *  ends a frame. */
export type CatchUp = Readonly<{ folder: string; to: number }>

/** Reads to answer when the store has reached `seq`, all as of the same moment. They are dropped
 *  after `untilMs` (machine's clock), when the caller no longer waits. */
export type ReadRequest = Readonly<{
  id: number
  seq: number
  untilMs: number
  reads: readonly HistoryRead[]
}>
export type ReadMessage = Readonly<{ kind: 'read' }> & ReadRequest

/** Answers as of `seq`. */
export type Answer = Readonly<{ seq: number; packs: readonly Packed[] }>
export type AnswerMessage =
  | (Readonly<{ kind: 'answer'; id: number }> & Answer)
  | Readonly<{ kind: 'refused'; id: number; message: string }>

export type ToWorker =
  | Readonly<{ kind: 'feed'; chunk: Chunk }>
  | ReadMessage
  /** Commits everything that was fed before. */
  | Readonly<{ kind: 'commit' }>
  | Readonly<{ kind: 'close' }>

export type FromWorker =
  | Readonly<{ kind: 'open'; seq: number }>
  /** Number of lines read of an unfinished command. `fed` does not include them. */
  | Readonly<{ kind: 'reading'; lines: number }>
  | Readonly<{ kind: 'fed'; seq: number; lines: number }>
  | Readonly<{ kind: 'committed'; seq: number }>
  | AnswerMessage
  | Readonly<{ kind: 'failed'; message: string; isGap: boolean }>
