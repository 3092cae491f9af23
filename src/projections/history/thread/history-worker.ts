// The history thread: processes one message after the other, writes outcomes and answers reads. A
// read waits for its seq.

import { parentPort, workerData } from 'node:worker_threads'
import type { Chunk } from '../chunk.ts'
import { HistoryStore } from '../store.ts'
import { answerTo } from './answer-to.ts'
import { JournalGap } from './journal-gap.ts'
import type { CatchUp, FromWorker, ReadRequest, ToWorker, WorkerStart } from './thread-messages.ts'

const port = parentPort!
const { start, catchUp: missed } = workerData as Readonly<{
  start: WorkerStart
  catchUp: CatchUp | null
}>
/** Interval of commits. Rows written since the last one may be lost in a crash, because the
 *  journal has them. A longer interval writes frequently changed pages less often. */
const commitMs = 1_000
const commitEvents = 20_000
let early: ReadRequest[] = []
let failed = false
let uncommitted = 0
let ticking = false

/** Runs `work`. The first failure of the store is reported, and the trading thread handles it. */
function guarded(work: () => void): void {
  if (failed) return
  try {
    work()
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  failed = true
  const isGap = error instanceof JournalGap
  send({ kind: 'failed', message: (error as Error).message, isGap })
}

function send(message: FromWorker): void {
  port.postMessage(message)
}

function serve(store: HistoryStore, read: ReadRequest): void {
  if (Date.now() <= read.untilMs) send(answerTo(read, store.seq, store))
}

function serveEarly(store: HistoryStore): void {
  const now = Date.now()
  const ready = early.filter(({ seq }) => seq <= store.seq)
  early = early.filter(({ seq, untilMs }) => seq > store.seq && untilMs >= now)
  for (const read of ready) serve(store, read)
}

function ingest(store: HistoryStore, chunk: Chunk): void {
  let left = chunk.lines
  store.ingest(chunk, (lines) => {
    left -= lines
    send({ kind: 'reading', lines })
  })
  send({ kind: 'fed', seq: store.seq, lines: left })
  uncommitted += 1 + chunk.lines
  if (uncommitted > commitEvents) commit(store)
  else commitSoon(store)
}

function commitSoon(store: HistoryStore): void {
  if (ticking) return
  ticking = true
  setTimeout(() => {
    ticking = false
    guarded(() => commit(store))
  }, commitMs)
}

function commit(store: HistoryStore): void {
  if (uncommitted === 0) return
  uncommitted = 0
  store.commit()
  send({ kind: 'committed', seq: store.seq })
}

function receive(store: HistoryStore, message: ToWorker): void {
  switch (message.kind) {
    case 'feed':
      ingest(store, message.chunk)
      return serveEarly(store)
    case 'read':
      if (message.seq > store.seq) early.push(message)
      else serve(store, message)
      return
    case 'commit':
      return commit(store)
    case 'close':
      commit(store)
      store.close()
      port.close()
      return
    default:
      message satisfies never
  }
}

/** Starts to process messages. Earlier ones have waited in the port. */
function serveFrom(store: HistoryStore): void {
  port.on('message', (message: ToWorker) => guarded(() => receive(store, message)))
  send({ kind: 'open', seq: store.seq })
}

/** Loaded only when needed, because a catch-up needs the core, which is most of the code. */
async function catchUpFirst(store: HistoryStore, missing: CatchUp): Promise<void> {
  const { catchUp } = await import('./catch-up.ts')
  await catchUp(store, missing)
}

guarded(() => {
  const store = new HistoryStore(start)
  if (missed === null || store.seq >= missed.to) serveFrom(store)
  else catchUpFirst(store, missed).then(() => serveFrom(store), fail)
})
