// History for a process that does not write it. All queries are answered from the file that another
// process on the same machine writes. An answer is never older than the seq of its request.

import { type RemoteHistory, remoteHistory } from '../thread/remote-history.ts'
import { type ReaderOptions, ReaderThread } from './reader-thread.ts'
import type { ReaderStart } from './store-reader.ts'

export type HistoryReaderOptions = ReaderStart & ReaderOptions

export type HistoryReader = RemoteHistory &
  Readonly<{
    /** Must be called when the writer has committed this seq. A lower seq than before means that
     *  the store was rebuilt. */
    stored(seq: number): void
    /** What is wrong with the store; `null` if it can be read. A faulty store is reopened
     *  repeatedly, and reads wait for that. */
    missing(): string | null
    /** Must be called when the store was rebuilt, although a read would notice it too. Resolves
     *  after the attempt to open it. */
    reopen(): Promise<void>
    close(): Promise<void>
  }>

/** A store that cannot be opened is not an error; see `missing`. */
export async function createHistoryReader(options: HistoryReaderOptions): Promise<HistoryReader> {
  const { file, stretch, waitMs, want, reached } = options
  const start = { file, ...(stretch === undefined ? {} : { stretch }) }
  const thread = new ReaderThread(start, { waitMs, want, reached })
  await thread.tried()
  return {
    ...remoteHistory(thread.ask),
    stored: (seq) => thread.stored(seq),
    missing: () => thread.missing(),
    reopen: () => thread.reopen(),
    close: () => thread.close(),
  }
}
