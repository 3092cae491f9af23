// A process that reads the store which another one writes, as a gateway does: requests and replies
// go over the channel to its parent.

import * as readers from '../../../src/projections/history/reader/create-history-reader.ts'
import type { ReadArgs, ReadName } from '../../../src/projections/history/reads.ts'

export type ToChild =
  | Readonly<{ kind: 'stored'; seq: number }>
  | Readonly<{ kind: 'ask'; id: number; seq: number; name: ReadName; args: readonly unknown[] }>
export type FromChild =
  | Readonly<{ kind: 'ready'; missing: string | null }>
  | Readonly<{ kind: 'want'; seq: number }>
  | Readonly<{ kind: 'rows'; id: number; seq: number; rows: readonly unknown[] }>

const post = (message: FromChild) => process.send!(message)
const reader = await readers.createHistoryReader({
  file: process.argv[2]!,
  want: (seq) => post({ kind: 'want', seq }),
  reached: () => Promise.resolve(),
})
process.on('disconnect', () => reader.close())
process.on('message', async (message: ToChild) => {
  if (message.kind === 'stored') return reader.stored(message.seq)
  const { id, seq, name, args } = message
  const answer = await reader.asOf(seq, name, ...(args as ReadArgs<typeof name>))
  post({ kind: 'rows', id, ...answer })
})
post({ kind: 'ready', missing: reader.missing() })
