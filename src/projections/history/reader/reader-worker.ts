// The thread that reads the history store of another process. It answers reads whose seq is stored,
// and returns the others. While no store can be opened, it retries.

import { parentPort, workerData } from 'node:worker_threads'
import { answerTo } from '../thread/answer-to.ts'
import type { ReadRequest } from '../thread/thread-messages.ts'
import type { FromReader, ToReader } from './reader-messages.ts'
import { type ReaderStart, StoreReader } from './store-reader.ts'

const port = parentPort!
const start = workerData as ReaderStart
const retryMs = 100
let reader: StoreReader | null = null
let retry: NodeJS.Timeout | null = null

function send(message: FromReader): void {
  port.postMessage(message)
}

/** Runs `work`. An error of the store is reported, the store is reopened, and reads are
 *  repeated. */
function guarded(work: () => void): void {
  try {
    work()
  } catch (error) {
    letGo()
    send({ kind: 'missing', message: (error as Error).message })
    retry = setTimeout(() => guarded(open), retryMs)
  }
}

function letGo(): void {
  if (retry !== null) clearTimeout(retry)
  retry = null
  reader?.close()
  reader = null
}

function open(): void {
  letGo()
  reader = new StoreReader(start)
  send({ kind: 'open', seq: reader.inTransaction((seq) => seq) })
}

function serve(read: ReadRequest): void {
  if (reader?.isReplaced()) open()
  const isLate = Date.now() > read.untilMs
  if (reader === null || isLate) return send({ kind: 'dropped', id: read.id })
  const found = reader
  const answer = found.inTransaction((seq): FromReader => {
    if (seq < read.seq) return { kind: 'behind', id: read.id, seq }
    return answerTo(read, seq, found)
  })
  send(answer)
}

function receive(message: ToReader): void {
  switch (message.kind) {
    case 'read':
      return serve(message)
    case 'reopen':
      return open()
    case 'close':
      letGo()
      port.close()
      return
    default:
      message satisfies never
  }
}

port.on('message', (message: ToReader) => guarded(() => receive(message)))
guarded(open)
