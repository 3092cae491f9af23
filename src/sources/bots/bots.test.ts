import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SandboxScene, sandboxScene } from '../../../test/support/sandbox-scene.ts'
import type { Command } from '../../core/index.ts'
import { eventsOf } from '../../sequencer/outcome.ts'
import { accountOf, allBots, makers } from './bot-accounts.ts'

const SOL = 3
const minuteMs = 60_000

async function running(seed: string) {
  const scene = sandboxScene(seed)
  await scene.sandbox.start()
  await scene.sandbox.freeze()
  await scene.sandbox.advance(minuteMs)
  return scene
}

async function person({ sandbox, exchange }: SandboxScene, dollars: number): Promise<number> {
  await sandbox.fund('a person', dollars * 1_000_000)
  return exchange.state.accounts.byAddress.get('a person')!
}

const order = (account: number, fields: object): Command =>
  ({
    type: 'PlaceOrder',
    account,
    proof: null,
    market: SOL,
    tif: 'GTC',
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
    ...fields,
  }) as unknown as Command

test('both makers quote both sides of every market, deeper further out', async () => {
  const { exchange } = await running('quotes')
  const { state } = exchange
  for (const market of state.markets) {
    if (market === undefined) continue
    assert.equal(exchange.view.markets.get(market.id)!.status, 'live')
    assert.ok(market.bids.count >= 8 && market.asks.count >= 8, market.params.symbol)
    assert.ok(market.bids.bestPrice < market.asks.bestPrice)
    for (const bot of makers)
      for (const side of ['bid', 'ask'] as const) {
        const orders = exchange.view.orders.quotationsOf(
          accountOf(exchange.view, bot),
          market.id,
          side,
        )
        // A taker may have had the best one a moment ago.
        assert.ok(orders.length >= 7, market.params.symbol)
        assert.ok(orders.at(-1)!.remaining > 3 * orders[0]!.remaining)
      }
  }
})

test('a quote that is still near its place is left alone', async () => {
  const { exchange, sandbox } = await running('calm')
  const { state } = exchange
  for (const market of state.markets)
    if (market !== undefined) await sandbox.setOracle(market.id, [market.oracle])
  await sandbox.advance(minuteMs)
  let placed = 0
  exchange.onBatch = (outcomes) => {
    for (const outcome of outcomes)
      for (const event of eventsOf(outcome))
        if (event.type === 'OrderRested' && event.account <= accountOf(exchange.view, makers[1]!))
          placed++
  }
  await sandbox.advance(10 * minuteMs)
  // 256 quotes in ten rounds: only what was filled is replaced.
  assert.ok(placed < 300, `${placed}`)
})

test('an order that the price has moved through is filled', async () => {
  const scene = await running('through')
  const { exchange, sandbox } = scene
  const account = await person(scene, 100_000)
  const market = exchange.state.markets[SOL]!
  const price = Math.floor(market.mark * 0.97)
  await exchange.submit(order(account, { side: 'bid', price, size: 1_000 }))
  await sandbox.advance(2 * minuteMs)
  assert.equal(market.rowOf[account] === 0 ? 0 : exchange.state.accounts.openCount[account], 1)
  await sandbox.setOracle(SOL, [Math.floor(market.oracle * 0.95)])
  await sandbox.advance(2 * minuteMs)
  assert.equal(exchange.state.accounts.openCount[account], 0)
  assert.equal(exchange.state.positions.lots[market.rowOf[account]!], 1_000)
})

test('a whale cannot make makers hold without bound, and never empties a side', async () => {
  const scene = await running('whale')
  const { exchange, sandbox } = scene
  const account = await person(scene, 50_000_000)
  const market = exchange.state.markets[SOL]!
  for (let time = 0; time < 60; time++) {
    const price = Math.floor(market.mark * 1.2)
    await exchange.submit(order(account, { side: 'bid', price, size: 1_000_000, tif: 'IOC' }))
    await sandbox.advance(minuteMs)
    assert.ok(market.asks.count > 0 && market.bids.count > 0)
  }
  const held = makers.map((bot) => {
    const row = market.rowOf[accountOf(exchange.view, bot)]!
    return (exchange.state.positions.lots[row]! * market.lotValue) / 1_000_000
  })
  // 40 depths of 4,000 dollars, twice, and what the thin far quotes add in an hour.
  for (const dollars of held) assert.ok(dollars < 0 && dollars > -2_000_000, `${held}`)
})

test('bots that are stopped have no order anywhere, waiting ones neither', async () => {
  const scene = sandboxScene('stopped')
  const { exchange, sandbox, time } = scene
  await sandbox.start()
  await time.pass(20_000)
  const { state } = exchange
  const open = () => allBots.map((bot) => state.accounts.openCount[accountOf(exchange.view, bot)]!)
  assert.ok(open().some((count) => count > 100))
  await sandbox.setBots(false)
  assert.deepEqual(open(), [0, 0, 0, 0, 0, 0])
  assert.equal(sandbox.botsRunning(), false)
  await time.pass(5_000)
  assert.deepEqual(open(), [0, 0, 0, 0, 0, 0])
  assert.ok(allBots.some((bot) => state.accounts.rows[accountOf(exchange.view, bot)] !== 0))
  await sandbox.setBots(true)
  await time.pass(5_000)
  assert.ok(open().some((count) => count > 100))
  await sandbox.close()
})
