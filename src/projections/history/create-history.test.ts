import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FedStore } from '../../../test/support/history/fed-store.ts'
import { playedWorld, reservedOf } from '../../../test/support/history/played.ts'
import { EventLog, lineWidth } from '../../core/index.ts'
import { type Batch, outcomeOf } from '../../sequencer/outcome.ts'
import type { TimeMs } from '../../units/units.ts'
import { createHistory, type HistoryOptions, type OpenHistory } from './create-history.ts'
import { HistoryBehind, type Page } from './history.ts'

const folder = mkdtempSync(join(tmpdir(), 'history-'))
after(() => rmSync(folder, { recursive: true }))

const { genesis, player } = playedWorld(4, 500)
const { batches, lastSeq } = player
const reserved = reservedOf(genesis)
const everyone = {
  account: null,
  market: null,
  startMs: null,
  endMs: null,
  limit: 1_000,
  offset: 0,
}
const newest: Page = { market: null, startMs: null, endMs: null, limit: 1_000, before: null }

/** Closed whatever becomes of the test, because an open thread keeps the process. */
async function opened(t: TestContext, options = optionsOf()): Promise<OpenHistory> {
  const open = await createHistory(options)
  t.after(() => open.close())
  return open
}

let files = 0
/** Reads wait long, because what is tested here is not how fast this machine is. */
function optionsOf(change: Partial<HistoryOptions> = {}): HistoryOptions {
  files += 1
  const file = join(folder, `${files}.db`)
  return { file, exchange: 'test', journalSeq: lastSeq, reserved, waitMs: 60_000, ...change }
}

test('reads are as of their seq, from the other thread as from this one', async (t) => {
  const open = await opened(t, optionsOf({ file: ':memory:' }))
  const fed = new FedStore(reserved).feed(batches)
  assert.equal(open.seq(), 0)
  for (const batch of batches) open.feed(batch)
  assert.ok(open.backlog() > 0 && !open.behind())
  const { history } = open
  assert.deepEqual(
    await history.positionHistory(lastSeq, everyone),
    fed.ask('positionHistory', everyone),
  )
  const { account, order } = fed.ask('positionHistory', everyone)[0]!
  assert.deepEqual(await history.fills(lastSeq, account, newest), fed.ask('fills', account, newest))
  assert.deepEqual(
    await history.orders(lastSeq, account, newest),
    fed.ask('orders', account, newest),
  )
  assert.deepEqual(await history.orderEvents(lastSeq, order), fed.ask('orderEvents', order))
  const owners = [...new Set(fed.ask('positionHistory', everyone).map((row) => row.account))]
  const client = owners
    .flatMap((owner) => fed.ask('orders', owner, newest))
    .find((row) => row.clientOrderId !== null)!
  const found = await history.orderOfClientId(lastSeq, client.account, client.clientOrderId!)
  assert.equal(found, fed.ask('orderOfClientId', client.account, client.clientOrderId!)[0])
  assert.equal(await history.orderOfClientId(lastSeq, account, 'no such id'), null)
  const lastFive = { limit: 5, startMs: null, endMs: null, before: null }
  assert.deepEqual(await history.trades(lastSeq, 1, lastFive), fed.ask('trades', 1, lastFive))
  assert.deepEqual(await history.minutes(lastSeq, 1, 0), fed.ask('minutes', 1, 0))
  assert.deepEqual(
    await history.fundingRates(lastSeq, 1, newest),
    fed.ask('fundingRates', 1, newest),
  )
  assert.deepEqual(
    await history.fundingPayments(lastSeq, account, newest),
    fed.ask('fundingPayments', account, newest),
  )
  assert.deepEqual(
    await history.balances(lastSeq, account, newest),
    fed.ask('balances', account, newest),
  )
  assert.equal(open.backlog(), 0)
  await open.close()
  assert.equal(open.seq(), lastSeq)
})

test('a read of a seq that is not there yet waits for it', async (t) => {
  const open = await opened(t)
  for (const batch of batches.slice(0, -1)) open.feed(batch)
  const waiting = open.history.positionHistory(lastSeq, everyone)
  await open.drained()
  const place = batches.at(-2)!.outcomes.at(-1)!.seq
  const early = await open.history.positionHistory(place, everyone)
  open.feed(batches.at(-1)!)
  assert.ok((await waiting).length >= early.length)
})

test('a read gives up when its seq does not come', async (t) => {
  const open = await opened(t, optionsOf({ waitMs: 20 }))
  await assert.rejects(open.history.orderEvents(lastSeq, 1), HistoryBehind)
})

test('a restart continues from the stored rows, and may be fed from the beginning', async (t) => {
  const options = optionsOf()
  const first = await opened(t, options)
  for (const batch of batches.slice(0, 60)) first.feed(batch)
  await first.close()
  const second = await opened(t, options)
  assert.equal(second.seq(), batches[59]!.outcomes.at(-1)!.seq)
  for (const batch of batches) second.feed(batch)
  const rows = await second.history.positionHistory(lastSeq, everyone)
  assert.deepEqual(rows, new FedStore(reserved).feed(batches).ask('positionHistory', everyone))
  await second.close()
  const third = await opened(t, { ...options, journalSeq: lastSeq - 1 })
  assert.equal(third.seq(), 0)
})

test('a failed store is reported once, reads are refused, nothing waits for it', async (t) => {
  const failures: string[] = []
  const open = await opened(t, optionsOf({ onWarning: (text) => failures.push(text) }))
  open.feed(batches[0]!)
  open.feed(batches[2]!)
  await open.drained()
  assert.match(failures[0]!, /gap/)
  assert.match(open.missing() ?? '', /gap/)
  open.feed(batches[3]!)
  await assert.rejects(open.history.orderEvents(1, 1), HistoryBehind)
  assert.equal(failures.length, 1)
})

test('a store that cannot be opened says why', async () => {
  const file = join(folder, 'no such folder', 'history.db')
  await assert.rejects(createHistory(optionsOf({ file })), /open/)
})

test('a read that fails is refused alone', async (t) => {
  const open = await opened(t)
  for (const batch of batches) open.feed(batch)
  await assert.rejects(open.history.fills(lastSeq, 'absent', null as unknown as Page), Error)
  assert.ok((await open.history.positionHistory(lastSeq, everyone)).length > 0)
})

/** A batch of one command after `seq` with this many lines of events. */
function command(seq: number, lines: number): Batch {
  const log = new EventLog()
  for (let at = 0; at < lines; at++) log.write({ type: 'ClockFrozenSet', frozen: true })
  assert.equal(log.end, lines * lineWidth)
  const entry = { kind: 'command', command: { type: 'Tick' }, by: null } as const
  const outcome = outcomeOf({ seq, atMs: 1 as TimeMs, entry }, log, 0)
  return { timeline: 0, outcomes: [outcome] }
}

test('one command with very many events refuses no others, many commands do', async (t) => {
  const lines = 300_000
  const open = await opened(t, optionsOf({ file: ':memory:' }))
  open.feed(command(1, lines))
  assert.ok(open.backlog() >= lines)
  assert.ok(!open.behind())
  // Others may bring as much again, and what may usually wait.
  open.feed(command(2, 4_000))
  assert.ok(!open.behind())
  await open.drained()
  assert.equal(open.backlog(), 0)
  for (let seq = 3; seq < 60; seq++) open.feed(command(seq, 4_000))
  assert.ok(open.backlog() > 200_000 && open.behind())
  await open.drained()
  assert.ok(!open.behind())
  for (let seq = 60; seq < 74; seq++) open.feed(command(seq, lines))
  assert.ok(open.behind(), 'whatever it is made of, memory has an end')
})

test('the progress within a command with very many events is reported', async (t) => {
  const lines = 1_000_000
  const open = await opened(t, optionsOf({ file: ':memory:' }))
  open.feed(command(1, lines))
  const seen = new Set<number>()
  let isDrained = false
  const drained = open.drained().then(() => {
    isDrained = true
  })
  while (!isDrained) {
    seen.add(open.backlog())
    await nextTurn()
  }
  await drained
  const between = [...seen].filter((left) => left > 0 && left < lines)
  assert.ok(between.length > 0, [...seen].join(' '))
})
