// Messages between the thread that reads the store of another process, and its caller.

import type { AnswerMessage, ReadMessage } from '../thread/thread-messages.ts'

export type ToReader =
  | ReadMessage
  /** Sent when the store was rebuilt. */
  | Readonly<{ kind: 'reopen' }>
  | Readonly<{ kind: 'close' }>

export type FromReader =
  | Readonly<{ kind: 'open'; seq: number }>
  /** Sent when no store can be opened. The thread retries. */
  | Readonly<{ kind: 'missing'; message: string }>
  | AnswerMessage
  /** The read was not answered, because the store has only reached `seq`. */
  | Readonly<{ kind: 'behind'; id: number; seq: number }>
  /** The read was not answered, because its time was over or there was no store. */
  | Readonly<{ kind: 'dropped'; id: number }>
