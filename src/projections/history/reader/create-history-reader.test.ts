import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { Random } from '../../../../test/programs/differential/random.ts'
import { DiskHistory } from '../../../../test/support/disk-history.ts'
import { DrawnReads } from '../../../../test/support/history/drawn-reads.ts'
import { feedByDisk } from '../../../../test/support/history/fed-by-disk.ts'
import { FedStore } from '../../../../test/support/history/fed-store.ts'
import { playedWorld, reservedOf } from '../../../../test/support/history/played.ts'
import type { FromChild, ToChild } from '../../../../test/support/history/reader-child.ts'
import type { Batch } from '../../../sequencer/outcome.ts'
import { createHistory, type HistoryOptions, type OpenHistory } from '../create-history.ts'
import { HistoryBehind } from '../history.ts'
import { type HistoryRead, readNames, rowsOf } from '../reads.ts'
import { deleteStoreFile } from '../store-file.ts'
import {
  createHistoryReader,
  type HistoryReader,
  type HistoryReaderOptions,
} from './create-history-reader.ts'
import { ReaderThread } from './reader-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'history-reader-'))
after(() => rmSync(folder, { recursive: true }))

const { genesis, player } = playedWorld(4, 400)
const { batches, lastSeq } = player
const reserved = reservedOf(genesis)
const seqOf = (batch: Batch) => batch.outcomes.at(-1)!.seq

let files = 0
const newFile = () => join(folder, `${++files}.db`)

async function writing(
  t: TestContext,
  file: string,
  change: Partial<HistoryOptions> = {},
): Promise<OpenHistory> {
  const place = { file, exchange: 'test', journalSeq: Number.MAX_SAFE_INTEGER }
  const open = await createHistory({ ...place, reserved, waitMs: 60_000, ...change })
  t.after(() => open.close())
  return open
}

/** Reads wait long, because what is tested is not how fast this machine is. */
async function reading(
  t: TestContext,
  file: string,
  change: Partial<HistoryReaderOptions> = {},
): Promise<HistoryReader> {
  const reached = () => Promise.resolve()
  const wait = { waitMs: 60_000, want: () => undefined, reached }
  const reader = await createHistoryReader({ file, ...wait, ...change })
  t.after(() => reader.close())
  return reader
}

/** A reader of what this one writes, notified like a gateway. */
async function following(t: TestContext, open: OpenHistory, file: string): Promise<HistoryReader> {
  const reader = await reading(t, file, { want: (seq) => open.commitTo(seq) })
  open.onStored((seq) => reader.stored(seq))
  return reader
}

async function until(holds: () => boolean, what: () => string): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 6_000, what())
    await sleep(10)
  }
}

/** Every answer is that of a store in memory, which commits nothing, as of what was just fed. */
async function feedAndAsk(
  open: OpenHistory,
  seed: number,
  ask: (seq: number, read: HistoryRead) => Promise<{ seq: number; rows: readonly unknown[] }>,
): Promise<void> {
  const kept = new FedStore(reserved, { stretch: 512 })
  const drawn = new DrawnReads(new Random(seed), reserved)
  let played = 0
  for (const batch of batches) {
    open.feed(batch)
    kept.feed([batch])
    for (const _ of batch.outcomes) drawn.learn(player.outcomes[played++]!)
    const seq = seqOf(batch)
    const first = played % readNames.length
    const reads = drawn.all().slice(first, first + 3)
    const answers = await Promise.all(reads.map((read) => ask(seq, read)))
    reads.forEach(({ name, args }, at) => {
      assert.equal(answers[at]!.seq, seq)
      assert.deepEqual(answers[at]!.rows, rowsOf(name, kept.store.read(name, args)))
    })
  }
}

test('every read is answered as of the newest fed entry', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  const reader = await following(t, open, file)
  await feedAndAsk(open, 4, (seq, { name, args }) => reader.asOf(seq, name, ...(args as never)))
  const recent = await reader.recent(lastSeq, player.atMs)
  assert.deepEqual(recent, await open.recent(lastSeq, player.atMs))
})

test('missing entries are requested once, and again while they do not come', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  const wanted: number[] = []
  const reader = await reading(t, file, { want: (seq) => wanted.push(seq) })
  // A store commits every second by itself: the stored seq is reported on request.
  const stored = new Promise<number>((resolve) => open.onStored(resolve))
  open.feed(batches[0]!)
  const seq = seqOf(batches[0]!)
  let answered = 0
  const reads = [seq, seq, seq - 1].map(async (one) => {
    const answer = await reader.asOf(one, 'recentTrades', 1)
    assert.ok(answer.seq >= one)
    answered += 1
  })
  assert.deepEqual(wanted, [seq])
  await until(
    () => wanted.length > 2,
    () => `${wanted}`,
  )
  assert.ok(wanted.every((one) => one === seq))
  assert.equal(answered, 0)
  open.commitTo(seq)
  reader.stored(await stored)
  await Promise.all(reads)
  // A later request for a stored seq is answered, too.
  const times = wanted.length
  await reader.history.trades(seq, 1, { limit: 1, startMs: null, endMs: null, before: null })
  assert.equal(wanted.length, times)
})

test('requested commits come immediately, together and once', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  const stored: number[] = []
  open.onStored((seq) => stored.push(seq))
  // A request that cannot be fulfilled does not block others.
  open.commitTo(lastSeq + 1_000)
  for (const batch of batches) {
    open.feed(batch)
    open.commitTo(seqOf(batch))
  }
  const isStored = () => stored.at(-1) === lastSeq
  await until(isStored, () => `${stored}`)
  assert.ok(stored.length < batches.length / 2, `${stored.length} commits`)
  assert.deepEqual(
    stored,
    [...stored].sort((one, other) => one - other),
  )
  open.commitTo(lastSeq)
  assert.equal(stored.at(-1), lastSeq)
  assert.equal(stored.at(-2), lastSeq)
})

test('a seq reported as stored that is missing is not answered from older data', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  const wanted: number[] = []
  const reader = await reading(t, file, { want: (seq) => wanted.push(seq) })
  const seq = seqOf(batches[0]!)
  reader.stored(seq)
  const read = reader.asOf(seq, 'recentTrades', 1)
  await until(
    () => wanted.includes(seq),
    () => 'never wanted',
  )
  open.onStored((one) => reader.stored(one))
  open.feed(batches[0]!)
  open.commitTo(seq)
  assert.equal((await read).seq, seq)
})

test('a thread that ends is restarted, and answers pending reads', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  for (const batch of batches) open.feed(batch)
  const want = (seq: number) => open.commitTo(seq)
  const reached = () => Promise.resolve()
  const thread = new ReaderThread({ file }, { waitMs: 60_000, want, reached })
  t.after(() => thread.close())
  open.onStored((seq) => thread.stored(seq))
  const reads = [{ name: 'recentTrades', args: [1] }] as const
  assert.equal((await thread.ask(lastSeq, reads)).seq, lastSeq)
  const { worker } = thread as unknown as { worker: Worker }
  const ending = worker.terminate()
  const answer = thread.ask(lastSeq, reads)
  await ending
  assert.match(thread.missing() ?? '', /ended/)
  assert.equal((await answer).seq, lastSeq)
  assert.equal(thread.missing(), null)
})

test('an answer is returned when the calling process has come as far', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  for (const batch of batches) open.feed(batch)
  const requests: number[] = []
  let reach: () => void = () => undefined
  const reached = (seq: number) => {
    requests.push(seq)
    return new Promise<void>((resolve) => {
      reach = resolve
    })
  }
  const reader = await reading(t, file, { want: (seq) => open.commitTo(seq), reached })
  open.onStored((seq) => reader.stored(seq))
  let answered = false
  const read = reader.asOf(1, 'recentTrades', 1).then((answer) => {
    answered = true
    return answer
  })
  await until(
    () => requests.length > 0,
    () => 'no request',
  )
  // The same read is not answered a second time meanwhile.
  reader.stored(lastSeq)
  await sleep(100)
  assert.ok(!answered)
  assert.equal(requests.length, 1)
  reach()
  assert.equal((await read).seq, requests[0])
})

test('a read times out if its seq does not come, and only a maximum number waits', async (t) => {
  const file = newFile()
  await writing(t, file)
  const reader = await reading(t, file, { waitMs: 300 })
  const reads = Array.from({ length: 1_001 }, () => reader.history.orderEvents(1, 1))
  const last = reads.pop()!
  let ended = 0
  for (const read of reads) read.catch(() => ended++)
  await assert.rejects(last, HistoryBehind)
  assert.equal(ended, 0, 'the others wait')
  for (const read of await Promise.allSettled(reads))
    assert.ok(read.status === 'rejected' && read.reason instanceof HistoryBehind)
})

test('a read that fails is refused alone', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  const reader = await following(t, open, file)
  await assert.rejects(reader.history.fills(0, 'absent', null as never), /null/)
  assert.deepEqual(await reader.history.orderEvents(0, 1), [])
  assert.equal(reader.missing(), null)
})

test('a store that is not there, or cannot be read, is missing until it can', async (t) => {
  const file = newFile()
  const reader = await reading(t, file)
  assert.match(reader.missing() ?? '', /unable to open/)
  const hasty = await reading(t, file, { waitMs: 20 })
  await assert.rejects(hasty.history.orderEvents(0, 1), HistoryBehind)
  const patient = reader.history.orderEvents(0, 1)
  writeFileSync(file, 'not a database at all, but long enough to be taken for one'.repeat(99))
  await until(
    () => /not a database/.test(reader.missing() ?? ''),
    () => `${reader.missing()}`,
  )
  rmSync(file)
  await writing(t, file)
  assert.deepEqual(await patient, [])
  assert.equal(reader.missing(), null)
})

test('a store of another version is not read', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  await open.close()
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(file)
  database.exec("UPDATE progress SET fingerprint = 'another'")
  database.close()
  const reader = await reading(t, file)
  assert.match(reader.missing() ?? '', /another version/)
})

test('a rebuilt store is read from then on', async (t) => {
  const disk = new DiskHistory(3)
  t.after(() => disk.end())
  await disk.open()
  // The store misses these, and fails with what comes after them.
  await disk.run(60, 5)
  const file = newFile()
  const warnings: string[] = []
  const open = await writing(t, file, {
    reserved: reservedOf(disk.generator.world.genesis),
    onWarning: (text) => warnings.push(text),
  })
  feedByDisk(open, disk)
  const reader = await following(t, open, file)
  assert.equal((await reader.asOf(0, 'recentTrades', 10)).seq, 0)
  for (const ending of ['-wal', '-shm']) rmSync(file + ending)
  writeFileSync(file, Buffer.alloc(40_960, 7))
  await disk.run(60, 5)
  const { seq, rows } = await reader.asOf(120, 'recentTrades', 10)
  assert.equal(seq, 120)
  assert.match(warnings[0] ?? '', /failed/)
  assert.deepEqual(rows, (await open.asOf(120, 'recentTrades', 10)).rows)
})

test('a store that was deleted is opened again when it is back', async (t) => {
  const file = newFile()
  const first = await writing(t, file)
  for (const batch of batches) first.feed(batch)
  const reader = await following(t, first, file)
  assert.equal((await reader.asOf(lastSeq, 'recentTrades', 1)).seq, lastSeq)
  await first.close()
  deleteStoreFile(file)
  await reader.reopen()
  assert.match(reader.missing() ?? '', /unable to open/)
  const second = await writing(t, file)
  reader.stored(second.seq())
  const waiting = reader.asOf(1, 'recentTrades', 1)
  second.onStored((seq) => reader.stored(seq))
  second.feed(batches[0]!)
  second.commitTo(seqOf(batches[0]!))
  assert.equal((await waiting).seq, seqOf(batches[0]!))
})

/** All messages of a child, and those sent to it. */
class Child {
  private readonly process: ChildProcess
  private readonly answers = new Map<number, (message: FromChild & { kind: 'rows' }) => void>()
  private nextId = 1

  constructor(t: TestContext, open: OpenHistory, file: string) {
    const program = new URL('../../../../test/support/history/reader-child.js', import.meta.url)
    this.process = fork(program, [file])
    t.after(() => this.process.kill())
    open.onStored((seq) => this.send({ kind: 'stored', seq }))
    this.process.on('message', (message: FromChild) => {
      if (message.kind === 'want') open.commitTo(message.seq)
      if (message.kind === 'rows') this.answers.get(message.id)!(message)
    })
  }

  async ready(): Promise<void> {
    const [message] = (await once(this.process, 'message')) as [FromChild]
    assert.deepEqual(message, { kind: 'ready', missing: null })
  }

  ask(seq: number, { name, args }: HistoryRead): Promise<FromChild & { kind: 'rows' }> {
    const id = this.nextId++
    this.send({ kind: 'ask', id, seq, name, args })
    return new Promise((resolve) => this.answers.set(id, resolve))
  }

  private send(message: ToChild): void {
    if (this.process.connected) this.process.send(message)
  }
}

test('another process reads the store while this one writes', async (t) => {
  const file = newFile()
  const open = await writing(t, file)
  const child = new Child(t, open, file)
  await child.ready()
  await feedAndAsk(open, 5, (seq, read) => child.ask(seq, read))
})
