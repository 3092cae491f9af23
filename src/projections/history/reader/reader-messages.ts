// What a thread that reads the store of another process and the thread that asks it say to each
// other.

import type { AnswerMessage, ReadMessage } from '../thread/thread-messages.ts'

export type ToReader =
  | ReadMessage
  /** The store was rebuilt. */
  | Readonly<{ kind: 'reopen' }>
  | Readonly<{ kind: 'close' }>

export type FromReader =
  | Readonly<{ kind: 'open'; seq: number }>
  /** There is no store that can be read; it is tried again. */
  | Readonly<{ kind: 'missing'; message: string }>
  | AnswerMessage
  /** Not answered: the store has only come to `seq`. */
  | Readonly<{ kind: 'behind'; id: number; seq: number }>
  /** Not answered: its time was over, or there was no store. */
  | Readonly<{ kind: 'dropped'; id: number }>
