// The order of events where several rules meet: the speed bump, attached levels, a flip, a delayed
// batch, triggers, signed texts. Each line is an event: its type, its subject, what matters of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../src/core/events/event-fields.ts'
import { fillsOf } from '../../src/core/events/fills-of.ts'
import * as scenes from './scenario.ts'
import { BTC } from './scenario.ts'

function line(event: Event): string {
  switch (event.type) {
    case 'OrderPlaced':
      return `placed ${event.order} ${event.tif} ${event.price}${event.waiting ? ' waits' : ''}`
    case 'OrderRested':
      return `rested ${event.order} ${event.remaining}`
    case 'OrderCancelled':
      return `cancelled ${event.order} ${event.reason}`
    case 'StopPlaced':
      return `stop ${event.order} ${event.orderType}${event.armed ? '' : ' unarmed'}`
    case 'StopArmed':
      return `armed ${event.order} ${event.size}`
    case 'Traded':
      return `traded ${event.takerOrder} with ${event.makerOrder} ${event.lots}`
    case 'Filled':
      return `filled ${event.kind} ${event.lots}`
    case 'CommandRejected':
      return `rejected ${event.rejection}`
    case 'ActionDeferred':
      return `deferred ${event.action}`
    case 'AlgoStepped':
      return `slice ${event.step} ${event.lots}`
    default:
      return event.type
  }
}

/** A trade, and what each side of it came to. */
const fillLines = (event: Event): string[] =>
  event.type === 'Traded'
    ? fillsOf(event).map(({ order, kind, lots }) => `filled ${order} ${kind} ${lots}`)
    : []

const lines = (events: Event[]): string[] =>
  events.flatMap((event) => [line(event), ...fillLines(event)])

function level(stopPrice: number, change: Record<string, unknown> = {}): unknown {
  return {
    stopPrice,
    limitPrice: null,
    size: null,
    triggerBy: 'mark',
    clientOrderId: null,
    ...change,
  }
}

function twoTraders(change: Record<string, unknown> = {}): scenes.Scene {
  const scene = scenes.newScene(change)
  for (const name of ['A', 'B']) scenes.deposit(scene, name, 100_000_000_000)
  return scene
}

test('the speed bump: orders wait, are released in order of id, and arm their levels', () => {
  const scene = twoTraders({ speedBumpMs: 200 })
  const at = { market: BTC, price: 59_990 }
  scenes.place(scene, 'B', { ...at, side: 'bid', size: 1_000 })
  const takeProfit = level(59_000)
  const stopLoss = level(61_000, { size: 700 })
  const placed = scenes.place(scene, 'A', { ...at, side: 'ask', size: 1_500, takeProfit, stopLoss })
  assert.deepEqual(lines(placed), [
    'placed 2 GTC 59990 waits',
    'stop 3 take_profit_market unarmed',
    'stop 4 stop_loss_market unarmed',
  ])
  scene.now += 200
  assert.deepEqual(lines(scenes.run(scene, { type: 'Tick' })), [
    'rested 1 1000',
    'traded 2 with 1 1000',
    'filled 2 open_short 1000',
    'filled 1 open_long 1000',
    'armed 3 0',
    'armed 4 700',
    'rested 2 500',
  ])
  assert.deepEqual(lines(scenes.setMark(scene, BTC, 61_000)), [
    'MarkUpdated',
    'StopTriggered',
    'ExpirySet',
    'placed 5 IOC 61305 waits',
  ])
  scene.now += 200
  assert.deepEqual(lines(scenes.run(scene, { type: 'Tick' })), ['cancelled 2 self_trade_prevented'])
  scene.now += 600_000
  const [last] = lines(scenes.run(scene, { type: 'Tick' })).slice(-1)
  assert.equal(last, 'cancelled 5 expired')
})

test('a flip: levels of the old position end, the level it armed stays', () => {
  const scene = twoTraders()
  const at = { market: BTC, price: 60_000, size: 1_000 }
  scenes.deal(scene, { maker: 'B', taker: 'A', takerSide: 'bid' }, at)
  const own = { account: scene.ids.A, market: BTC, proof: null }
  const levels = { side: 'bid', takeProfit: level(62_000), stopLoss: level(59_000) }
  scenes.run(scene, { type: 'SetPositionTpsl', ...own, ...levels })
  scenes.place(scene, 'A', { ...at, side: 'ask', price: 61_000, reduceOnly: true })
  scenes.place(scene, 'B', { ...at, side: 'bid', size: 1_800 })
  const wish = { ...at, side: 'ask', size: 1_800, tif: 'FOK', takeProfit: level(59_000) } as const
  assert.deepEqual(lines(scenes.place(scene, 'A', wish)), [
    'placed 7 FOK 60000',
    'stop 8 take_profit_market unarmed',
    'traded 7 with 6 1800',
    'filled 7 close_long 1000',
    'filled 7 open_short 800',
    'filled 6 close_short 1000',
    'filled 6 open_long 800',
    'cancelled 5 reduce_only',
    'cancelled 3 reduce_only',
    'cancelled 4 reduce_only',
    'armed 8 0',
  ])
  assert.deepEqual(scenes.position(scene, 'A', BTC)?.takeProfit, [8])
})

test('a delayed batch: cancels are immediate, orders wait, the rest is deferred', () => {
  const scene = twoTraders({ speedBumpMs: 200 })
  const own = { account: scene.ids.A, market: BTC, proof: null }
  const order = { type: 'PlaceOrder', ...own, side: 'bid', price: 59_900, size: 100 }
  const rest = { reduceOnly: false, takeProfit: null, stopLoss: null }
  scenes.run(scene, { ...order, ...rest, tif: 'ALO', clientOrderId: 'old' })
  const actions = [
    { type: 'CancelOrder', ...own, order: null, clientOrderId: 'old' },
    { ...order, ...rest, tif: 'ALO', clientOrderId: 'x' },
    { ...order, ...rest, tif: 'GTC', clientOrderId: 'y' },
    { type: 'CancelOrder', ...own, order: null, clientOrderId: 'x' },
    { type: 'CancelOrder', ...own, order: null, clientOrderId: 'none' },
    { type: 'EditOrder', ...own, order: 3, clientOrderId: null, price: 59_800, size: 50 },
  ]
  const batch = { type: 'Batch', account: scene.ids.A, actions }
  const started = 'BatchActionStarted'
  assert.deepEqual(lines(scenes.run(scene, batch)), [
    started,
    'cancelled 1 owner',
    started,
    'placed 2 ALO 59900 waits',
    started,
    'placed 3 GTC 59900 waits',
    started,
    'deferred 4',
    started,
    'rejected ORDER_NOT_FOUND',
    started,
    'deferred 5',
  ])
  scene.now += 200
  assert.deepEqual(lines(scenes.run(scene, { type: 'Tick' })), [
    'rested 2 100',
    'rested 3 100',
    'cancelled 2 owner',
    'cancelled 3 replaced',
    'placed 6 ALO 59800',
    'rested 6 50',
  ])
})

test('a TWAP: three slices in a minute, late ones at their own times', () => {
  const scene = twoTraders({ staleAfterMs: 60_000 })
  scenes.place(scene, 'B', { market: BTC, side: 'bid', price: 60_000, size: 90 })
  const own = { account: scene.ids.A, market: BTC, proof: null }
  const plan = { side: 'ask', size: 100, slippagePpm: 1_000, durationSeconds: 60 }
  scenes.run(scene, { type: 'PlaceTwap', ...own, ...plan, reduceOnly: false, clientOrderId: null })
  scene.now += 60_000
  const rows = lines(scenes.run(scene, { type: 'Tick' }))
  assert.deepEqual(
    rows.filter((one) => /slice|Algo|traded|cancelled/.test(one)),
    [
      'slice 1 33',
      'traded 3 with 1 33',
      'AlgoFilled',
      'slice 2 33',
      'traded 4 with 1 33',
      'AlgoFilled',
      'slice 3 34',
      'traded 5 with 1 24',
      'AlgoFilled',
      'cancelled 5 expired',
      'AlgoEnded',
    ],
  )
})

test('texts and agents: once each, also when the command is refused', () => {
  const scene = twoTraders()
  const account = scene.ids.A
  const time = scene.now
  const proof = { textHash: 'h1', signedAtMs: time, expiresAtMs: time + 9, agent: null, ip: null }
  const cancel = { type: 'CancelOrder', account, market: BTC, order: 9, clientOrderId: null }
  const run = (change: Record<string, unknown>): string[] => {
    return lines(scenes.run(scene, { ...cancel, proof: { ...proof, ...change } }))
  }
  assert.deepEqual(run({}), ['rejected ORDER_NOT_FOUND'])
  assert.deepEqual(run({}), ['rejected REPLAYED'])
  assert.deepEqual(run({ agent: 'bot', textHash: 'h2' }), ['rejected AGENT_NOT_ALLOWED'])
  scenes.run(scene, { type: 'BindAgent', account, proof: null, agent: 'bot', scopes: ['trade'] })
  const met = ['AgentConfirmed', 'rejected ORDER_NOT_FOUND']
  assert.deepEqual(run({ agent: 'bot', textHash: 'h2' }), met)
  assert.deepEqual(run({ agent: 'bot', textHash: 'h2' }), ['rejected REPLAYED'])
  assert.deepEqual(run({ agent: 'bot', textHash: 'h3' }), ['rejected ORDER_NOT_FOUND'])
  const filter = { type: 'SetAgentIpFilter', account, proof: null, agent: 'bot', enabled: true }
  scenes.run(scene, filter)
  assert.deepEqual(run({ agent: 'bot', textHash: 'h4' }), ['rejected AGENT_NOT_ALLOWED'])
  scene.stamp = time + 9
  assert.deepEqual(run({}), ['rejected EXPIRED'])
  const later = { signedAtMs: time + 10, expiresAtMs: time + 19 }
  assert.deepEqual(run({ ...later, textHash: 'h1' }), ['rejected ORDER_NOT_FOUND'])
  assert.deepEqual(run({ expiresAtMs: null }), ['rejected UNSUPPORTED_OPERATION'])
})

test('a market that stops ends waiting orders; stale feeds recover after five ticks', () => {
  const scene = twoTraders({ speedBumpMs: 200 })
  scenes.place(scene, 'A', { market: BTC, side: 'bid', price: 59_000, size: 100 })
  assert.deepEqual(
    lines(scenes.run(scene, { type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })),
    ['MarketModeSet', 'cancelled 1 market_closed'],
  )
  scene.now += 60_001
  const health = scenes.only(scenes.run(scene, { type: 'Tick' }), 'FeedHealthChanged')
  assert.deepEqual(
    health.filter((one) => one.market === BTC).map((one) => one.health),
    ['stale', 'cancel_only'],
  )
  const ticks = [1, 2, 3, 4, 5].map(() => lines(scenes.setMark(scene, BTC, 60_000)))
  assert.deepEqual(ticks, [
    ['MarkUpdated'],
    ['MarkUpdated'],
    ['MarkUpdated'],
    ['MarkUpdated'],
    ['FeedHealthChanged', 'MarkUpdated'],
  ])
})

test('settlement: a debt is paid by the fund, then booked as deficit, which income fills', () => {
  const scene = scenes.newScene()
  scenes.setFees(scene, scenes.freeTiers)
  scenes.deposit(scene, 'insurance', 40_000_000)
  scenes.deposit(scene, 'A', 50_000_000)
  scenes.deposit(scene, 'B', 900_000_000)
  const at = { market: BTC, price: 60_000, size: 1_000 }
  scenes.deal(scene, { maker: 'B', taker: 'A', takerSide: 'bid' }, at)
  const settled = scenes.run(scene, { type: 'SettleMarket', market: BTC, price: 50_000 })
  assert.deepEqual(lines(settled), [
    'MarketSettled',
    'filled close_long 1000',
    'InsurancePaid',
    'DeficitBooked',
    'filled close_short 1000',
  ])
  assert.equal(scenes.only(settled, 'DeficitBooked')[0]?.deficit, -30_000_000)
  scenes.deposit(scene, 'insurance', 40_000_000)
  assert.deepEqual(
    [2, 3].map((id) => scenes.accountView(scene, id).balance),
    [30_000_000, 0],
  )
})
