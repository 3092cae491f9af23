// The status of a market over a real websocket, in the words of GET /info/risk: each change of its
// mode and of the state of its price is one row, and nothing else is.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Command } from '../../src/core/index.ts'
import { type Json, LiveExchange } from '../support/streams/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

let exchange: LiveExchange
let client: StreamClient
let market: number
let from = 0

before(async () => {
  exchange = await LiveExchange.start()
  await exchange.client().sandboxSetClock({ freeze: true })
  await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
  market = exchange.running.exchange.view.symbols.get('BTC')!
  client = await StreamClient.open(exchange.wsUrl)
  await client.subscribe('market_status')
})
after(async () => {
  await client.close()
  await exchange.close()
})
beforeEach(async () => {
  await client.settle()
  from = client.frames.length
})

const submit = (command: Json) => exchange.running.exchange.submit(command as unknown as Command)
const tick = (price: number) =>
  submit({ type: 'OracleTick', market, price: price * 1_000_000, observedAtMs: null, jump: false })
const advance = (advance_ms: number) => exchange.client().sandboxSetClock({ advance_ms })

function rowsSoFar(): readonly (readonly unknown[])[] {
  const frames = client.frames.slice(from).filter(({ channel }) => channel === 'market_status')
  const rows = frames.flatMap(({ data }) => data as Json[])
  return rows
    .filter(({ symbol }) => symbol === 'BTC')
    .map(({ status, mode, price_state }) => [status, mode, price_state])
}

/** [status, mode, price_state] of BTC, one for each change since the test began: these and no
 *  more. */
async function requireRows(...expected: readonly (readonly string[])[]): Promise<void> {
  while (rowsSoFar().length < expected.length)
    await client.next(({ channel }) => channel === 'market_status', JSON.stringify(rowsSoFar()))
  await client.settle()
  assert.deepEqual(rowsSoFar(), expected)
}

async function now(): Promise<readonly unknown[]> {
  const [row] = (await exchange.client().getRisk({ symbol: 'BTC' })).markets
  return [row!.status, row!.mode, row!.price_state]
}

const live = ['live', 'open', 'live']
const stale = ['stale', 'open', 'stale']
const lost = ['cancel_only', 'open', 'cancel_only']
const catchingUp = ['catching_up', 'open', 'catching_up']

test('every mode of a market and of the exchange is published, the stricter of both', async () => {
  for (const mode of ['reduce_only', 'post_only', 'cancel_only', 'halted', 'open'])
    await submit({ type: 'SetMarketMode', market, mode })
  await submit({ type: 'SetExchangeMode', mode: 'post_only' })
  await submit({ type: 'SetMarketMode', market, mode: 'reduce_only' })
  await submit({ type: 'SetExchangeMode', mode: 'open' })
  await submit({ type: 'SetMarketMode', market, mode: 'open' })
  const closing = ['reduce_only', 'post_only', 'cancel_only', 'halted']
  await requireRows(
    ...closing.map((mode) => [mode, mode, 'live']),
    live,
    ['post_only', 'post_only', 'live'],
    // The market's own mode was the milder: no row until the exchange is open again.
    ['reduce_only', 'reduce_only', 'live'],
    live,
  )
  assert.deepEqual(await now(), live)
})

test('a recovering market is published when it begins and when it is live', async () => {
  await advance(1_000)
  await tick(90_000)
  await requireRows(catchingUp)
  assert.deepEqual(await now(), catchingUp)
  await tick(90_000)
  // The sandbox's own price stands where it was.
  await advance(3_000)
  await requireRows(catchingUp, live)
})

test('silence is published: stale, cancel-only, and live after five good prices', async () => {
  await exchange.client().sandboxScenario({ name: 'freeze', symbol: 'BTC' })
  await advance(5_000)
  await submit({ type: 'SetMarketMode', market, mode: 'reduce_only' })
  await submit({ type: 'SetMarketMode', market, mode: 'open' })
  await tick(100_000)
  // A mode that the status does not show is a change all the same.
  const first = [stale, ['stale', 'reduce_only', 'stale'], stale, live]
  await requireRows(...first)
  await exchange.client().sandboxScenario({ name: 'freeze', symbol: 'BTC' })
  await advance(5_000)
  await advance(60_000)
  await requireRows(...first, stale, lost)
  for (let n = 0; n < 4; n++) await tick(100_000)
  assert.deepEqual(await now(), lost)
  await tick(100_000)
  await requireRows(...first, stale, lost, live)
})

test('tiers that an immediate change keeps are published, and so is their end', async () => {
  const change = { riskTiers: [{ fromValue: 1_000_000_000, maxLeverage: 2 }] }
  await submit({ type: 'ChangeMarket', market, change, immediate: true })
  await requireRows(live)
  const untils = () =>
    client.frames
      .slice(from)
      .filter(({ channel }) => channel === 'market_status')
      .flatMap(({ data }) => data as Json[])
      .filter(({ symbol }) => symbol === 'BTC')
      .map(({ tiers_kept_until }) => tiers_kept_until)
  const [row] = (await exchange.client().getRisk({ symbol: 'BTC' })).markets
  assert.deepEqual(untils(), [row!.kept_tiers[0]!.until])
  await advance(3_600_000)
  await client.settle()
  assert.equal(untils().at(-1), null)
})

test('after a start a market is stale until five good prices have come', async () => {
  // In the hour before, the simulated price went its own way: a price far from it would be clamped.
  await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
  await submit({ type: 'EngineStarted' })
  for (let n = 0; n < 4; n++) await tick(100_000)
  assert.deepEqual(await now(), stale)
  await tick(100_000)
  await requireRows(stale, live)
})
