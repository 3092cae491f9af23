// What the table of faults (test/sources/) does not see: what is noted, and of whom one listens to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualTime } from '../../../test/support/manual-time.ts'
import { kraken } from './adapters/kraken.ts'
import { Connection } from './connection.ts'
import type { Ears } from './wires/wire.ts'

function opened() {
  const time = new ManualTime(1_800_000_000_000)
  const wires: Ears[] = []
  const notes: string[] = []
  const prices: string[] = []
  const connection = new Connection({
    ...{ ticker: kraken, symbols: ['BTC/USD'], wall: time.wall, timers: time.timers },
    monotonic: time.wall,
    address: { url: 'wss://example.org', token: null, everyMs: 1_000 },
    open: (_, ears) => {
      wires.push(ears)
      return { send: () => undefined, close: () => undefined }
    },
    random: () => 0,
    onQuote: ({ price }) => prices.push(price),
    note: (what, why) => notes.push(`${what} ${why}`.trim()),
  })
  connection.start()
  return { time, connection, wires, notes, prices }
}

const price = (best: string) =>
  `{"channel":"ticker","data":[{"symbol":"BTC/USD","bid":${best},"ask":${best}}]}`

test('attempts that fail for the same reason are noted once', async () => {
  const { time, connection, wires, notes } = opened()
  for (const why of ['no way', 'no way', 'no way', 'another']) {
    wires.at(-1)!.ended(why)
    await time.pass(10_000)
  }
  wires.at(-1)!.opened()
  wires.at(-1)!.ended('another')
  assert.deepEqual(notes, ['lost no way', 'lost another', 'connected', 'lost another'])
  assert.equal(connection.health.reconnects, 5)
  connection.close()
  assert.equal(time.armed, 0)
})

test('a wire that was given up is not heard any more', async () => {
  const { time, connection, wires, prices } = opened()
  const [old] = wires
  old!.opened()
  old!.said(price('1.5'), null)
  old!.ended('cut')
  await time.pass(1_000)
  old!.said(price('2.5'), null)
  old!.opened()
  old!.ended('cut again')
  assert.deepEqual([prices, connection.health.state, wires.length], [['1.5'], 'connecting', 2])
  connection.close()
  wires[1]!.opened()
  assert.equal(connection.health.state, 'closed')
})

test('the error text of a source is shortened, and plain letters on a terminal', () => {
  const { connection, wires, notes } = opened()
  wires[0]!.opened()
  const refusal = (error: string) => JSON.stringify({ method: 'subscribe', success: false, error })
  for (let times = 0; times < 3; times++)
    wires[0]!.said(refusal(`\u001b[2J${'é'.repeat(500)}`), null)
  assert.equal(connection.health.fault, `?[2J${'?'.repeat(196)}`)
  assert.equal(notes.length, 2)
  connection.close()
})

test('a refused symbol is kept with its reason while other prices come', async () => {
  const { time, connection, wires, notes } = opened()
  const refusal = (error: string) => JSON.stringify({ method: 'subscribe', success: false, error })
  const [wire] = wires
  wire!.opened()
  for (const why of ['no ETH', 'no SOL', 'no ETH']) wire!.said(refusal(why), null)
  wire!.said(price('1.5'), null)
  assert.deepEqual(connection.health.refusals, ['no ETH', 'no SOL'])
  assert.deepEqual(notes, ['connected', 'refused no ETH', 'refused no SOL'])
  for (let at = 0; at < 100; at++) {
    await time.pass(100)
    wire!.said(refusal(`other ${at}`), null)
  }
  assert.deepEqual([connection.health.refusals.length, notes.length], [16, 17])
  wire!.ended('cut')
  assert.equal(connection.health.refusals.length, 16, 'until the next connection')
  await time.pass(1_000)
  wires[1]!.opened()
  assert.deepEqual(connection.health.refusals, [])
  connection.close()
})

test('an address that cannot be tried is one that does not answer', async () => {
  const { time, connection } = opened()
  connection.close()
  const broken = new Connection({
    ...{ ticker: kraken, symbols: ['BTC/USD'], wall: time.wall, timers: time.timers },
    monotonic: time.wall,
    address: { url: 'wss://example.org', token: null, everyMs: 1_000 },
    open: () => {
      throw new TypeError('Invalid URL')
    },
    ...{ random: () => 0, onQuote: () => undefined, note: () => undefined },
  })
  broken.start()
  await time.pass(60_000)
  assert.equal(broken.health.fault, 'Invalid URL')
  assert.ok(broken.health.reconnects >= 5 && broken.health.reconnects <= 9)
  broken.close()
})
