// Answers a read in the thread that has the store.

import type { ReadName } from '../reads.ts'
import type { Packed } from '../rows/wire-row.ts'
import type { AnswerMessage, ReadRequest } from './thread-messages.ts'

export function answerTo(
  { id, reads }: ReadRequest,
  seq: number,
  store: Readonly<{ read(name: ReadName, args: readonly unknown[]): Packed }>,
): AnswerMessage {
  try {
    const packs = reads.map(({ name, args }) => store.read(name, args))
    return { kind: 'answer', id, seq, packs }
  } catch (error) {
    // Only this read failed; the store can still be used.
    return { kind: 'refused', id, message: (error as Error).message }
  }
}
