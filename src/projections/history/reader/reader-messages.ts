// Messages between the thread that reads the store of another process, and its caller.

import type { AnswerMessage, ReadMessage } from '../thread/thread-messages.ts'

export type ToReader =
  | ReadMessage
  /** The store was rebuilt. */
  | Readonly<{ kind: 'reopen' }>
  | Readonly<{ kind: 'close' }>

export type FromReader =
  | Readonly<{ kind: 'open'; seq: number }>
  /** No store can be opened; it is tried again. */
  | Readonly<{ kind: 'missing'; message: string }>
  | AnswerMessage
  /** Not answered: the store has only reached `seq`. */
  | Readonly<{ kind: 'behind'; id: number; seq: number }>
  /** Not answered: its time was over, or there was no store. */
  | Readonly<{ kind: 'dropped'; id: number }>
