// A long random walk of good, bad and malformed commands: the naive engine never throws, conserves
// money and lots, never leaves a crossed book, and refuses with exactly one event.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, eventFields } from '../../src/core/events/event-fields.ts'
import { bestPrice } from './core/lookup.ts'
import { lotsAreBalanced } from './invariants/money.ts'
import { viewOfNaive } from './picture.ts'
import * as scenes from './scenario.ts'
import { abs } from './units/numbers.ts'

type Dice = {
  int: (low: number, high: number) => number
  pick: <T>(all: readonly T[]) => T
  chance: (percent: number) => boolean
}

/** mulberry32: small, seeded, good enough. */
function dice(seed: number): Dice {
  let a = seed
  const next = (): number => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    int,
    pick: (all) => all[int(0, all.length - 1)] as never,
    chance: (percent) => next() * 100 < percent,
  }
}

const sides = ['bid', 'ask']
const markPrices = [60_000, 30_000, 30_000]

function level(d: Dice, base: number): unknown {
  return {
    stopPrice: base + d.int(-600, 600),
    limitPrice: d.chance(50) ? null : base + d.int(-600, 600),
    size: d.chance(50) ? null : d.int(1, 3_000),
    triggerBy: d.pick(['mark', 'last', 'mid']),
    clientOrderId: d.chance(70) ? null : `c${d.int(1, 50)}`,
  }
}

/** An order, or something that ends or changes one. */
function trading(d: Dice, scene: scenes.Scene): Record<string, unknown> {
  const account = d.int(7, 26)
  const market = d.int(1, 3)
  const base = Number(scene.naive.markets[market - 1]?.mark ?? markPrices[0])
  const own = { account, market, proof: null }
  const ref = { order: d.int(1, scene.naive.nextOrder), clientOrderId: null }
  const live = scene.naive.markets[market - 1]?.book.filter((one) => one.account === account) ?? []
  if (live[0] && d.chance(70)) ref.order = d.pick(live).id
  const wish = {
    ...own,
    side: d.pick(sides),
    size: d.chance(50) ? d.int(1, 4_000) : d.int(1, 40_000),
    reduceOnly: d.chance(15),
    clientOrderId: d.chance(80) ? null : `c${d.int(1, 50)}`,
    takeProfit: d.chance(12) ? level(d, base + 500) : null,
    stopLoss: d.chance(12) ? level(d, base - 500) : null,
  }
  const place = {
    type: 'PlaceOrder',
    ...wish,
    price: base + d.int(-80, 80),
    tif: d.pick(['GTC', 'GTC', 'IOC', 'FOK', 'ALO', 'TOB']),
  }
  const tpsl = { type: 'SetPositionTpsl', ...own, side: wish.side, takeProfit: level(d, base) }
  const edit = { type: 'EditOrder', ...own, ...ref, price: base + d.int(-80, 80), size: wish.size }
  const cancel = { type: d.pick(['CancelOrder', 'CancelStop']), ...own, ...ref }
  return d.pick([
    place,
    place,
    place,
    place,
    { type: 'PlaceMarketOrder', ...wish, slippagePpm: d.int(0, 20_000) },
    { type: 'PlaceStop', ...own, side: wish.side, reduceOnly: d.chance(50), level: level(d, base) },
    tpsl,
    edit,
    cancel,
    d.chance(20) ? { type: 'CancelAllOrders', ...own, excludeReduceOnly: d.chance(50) } : place,
    {
      type: 'Batch',
      account,
      actions: [cancel, place, edit, tpsl].map((a) => ({ ...a, account })),
    },
    d.chance(10)
      ? { type: 'ScheduleCancel', ...own, time: scene.now + d.int(4_000, 60_000) }
      : place,
    { type: 'PlaceTwap', ...wish, size: wish.size * 5, slippagePpm: 9_000, durationSeconds: 90 },
    { type: 'SetLeverage', ...own, leverage: d.int(1, 51) },
    { type: 'SetMarginMode', ...own, isolated: d.chance(50) },
    { type: 'MoveIsolatedMargin', ...own, amount: d.int(-50_000_000, 50_000_000) },
    { type: 'Withdraw', ...own, amount: d.int(1, 5_000_000) },
    { type: 'Transfer', ...own, to: d.int(7, 26), amount: d.int(1, 50_000_000) },
  ])
}

function ofVenue(d: Dice, scene: scenes.Scene): Record<string, unknown> {
  const market = d.int(1, 3)
  const mode = d.pick(['open', 'open', 'open', 'open', 'open', 'cancel_only', 'halted'])
  return d.pick([
    { type: 'SetMarketMode', market, mode },
    { type: 'SetExchangeMode', mode },
    { type: 'SetClockFrozen', frozen: d.chance(30) },
    { type: 'FreezeAccount', account: d.int(1, 26), frozen: d.chance(10) },
    { type: 'ChangeMarket', market, change: { speedBumpMs: d.pick([0, 200]) } },
    { type: 'ChangeMarket', market, change: { openInterestMax: d.int(5_000, 900_000) } },
    {
      type: 'MoveReserve',
      from: d.int(1, 8),
      to: d.int(1, 8),
      amount: d.int(-9_000_000, 90_000_000),
    },
    { type: 'SetInsuranceShare', sharePpm: d.pick([0, 100_000, 1_000_001]) },
    { type: 'SetFundDailyMax', dailyMax: d.pick([0, 500_000, 1_000_000, 1_000_001]) },
    {
      type: 'SetWithdrawalLimits',
      approvalAbove: d.pick([null, 0, 2_000_000, -1]),
      dailyMax: d.pick([null, null, 50_000_000]),
      creditApprovalAbove: d.pick([null, 2_000_000]),
    },
    {
      type: 'ApproveWithdrawal',
      withdrawal: d.int(1, scene.naive.nextWithdrawal),
      approver: d.pick(['ann', 'bob', '']),
    },
    { type: 'CompleteWithdrawal', withdrawal: d.int(1, scene.naive.nextWithdrawal) },
    {
      ...{ type: 'FailWithdrawal', withdrawal: d.int(1, scene.naive.nextWithdrawal) },
      ...(d.chance(50) ? { by: 'ann' } : {}),
    },
    { type: d.chance(20) ? 'EngineStarted' : 'Tick' },
    {
      type: 'Deposit',
      address: `t${d.int(0, 19)}`,
      amount: 300_000_000,
      reference: `${scene.now}`,
    },
    { type: 'CreateSubaccount', account: d.int(7, 16), proof: null, address: `s${d.int(1, 9)}` },
  ])
}

function tick(d: Dice, scene: scenes.Scene): Record<string, unknown> {
  const market = d.int(1, 3)
  const old = Number(scene.naive.markets[market - 1]?.oracle ?? 60_000_000_000)
  const wild = d.chance(3)
  const move = wild ? d.int(-60_000, 60_000) : d.int(-2_000, 2_000)
  const target = (markPrices[market - 1] ?? 60_000) * 1_000_000
  const price = Math.round(old + (old * move) / 1_000_000 + (target - old) / 200)
  return { type: 'OracleTick', market, price, observedAtMs: null, jump: wild }
}

const junk = [Number.NaN, 0.5, -1, 1e300, '7', null, undefined, {}, [], true, 2 ** 53, '', -0]

/** Makes one field of a command nonsense. */
function spoil(d: Dice, command: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.keys(command).filter((name) => name !== 'type')
  if (fields.length === 0) return command
  const field = d.pick(fields)
  const inner = command[field]
  const nested = typeof inner === 'object' && inner !== null && d.chance(60)
  if (Array.isArray(inner) && nested) {
    return { ...command, [field]: inner.map((one) => (d.chance(50) ? one : spoil(d, one))) }
  }
  if (nested) return { ...command, [field]: spoil(d, inner as Record<string, unknown>) }
  return { ...command, [field]: d.pick(junk) }
}

function nextCommand(d: Dice, scene: scenes.Scene): Record<string, unknown> {
  const roll = d.int(1, 100)
  const closed = scene.naive.markets.find((market) => market.mode !== 'open')
  if (closed && d.chance(5)) return { type: 'SetMarketMode', market: closed.id, mode: 'open' }
  if (scene.naive.mode !== 'open' && d.chance(5)) return { type: 'SetExchangeMode', mode: 'open' }
  const command = roll <= 25 ? tick(d, scene) : roll <= 98 ? trading(d, scene) : ofVenue(d, scene)
  return d.chance(6) ? spoil(d, command) : command
}

function checkEvents(events: Event[]): void {
  for (const event of events) {
    const fields = eventFields[event.type]
    assert.deepEqual(Object.keys(event).sort(), ['type', ...Object.keys(fields)].sort())
    for (const [name, kind] of Object.entries(fields)) {
      const value = (event as unknown as Record<string, unknown>)[name]
      if (kind !== 'int') continue
      assert.ok(Number.isSafeInteger(value) && !Object.is(value, -0), `${event.type} ${name}`)
    }
  }
}

function checkState(scene: scenes.Scene): void {
  const { naive } = scene
  assert.ok(lotsAreBalanced(naive))
  for (const market of naive.markets) {
    const bid = bestPrice(market, 'bid')
    const ask = bestPrice(market, 'ask')
    assert.ok(bid === null || ask === null || bid < ask, 'crossed')
    for (const order of market.book) {
      assert.ok(order.remaining > 0n && !order.ended)
      const held = naive.accounts[order.account - 1]?.holdings[market.id]?.lots ?? 0n
      assert.ok(!order.reduceOnly || order.remaining <= abs(held))
    }
    for (const account of naive.accounts) {
      const holding = account.holdings[market.id]
      if (holding?.lots === 0n) assert.ok(holding.cost === 0n && holding.wallet === 0n)
    }
  }
}

function walk(seed: number, length: number, count: Record<string, number>): void {
  const d = dice(seed)
  const scene = scenes.newScene({ speedBumpMs: d.pick([0, 0, 200]), orderValueMin: 5_000_000 })
  scenes.deposit(scene, 'insurance', 200_000_000)
  for (let n = 0; n < 20; n += 1) scenes.deposit(scene, `t${n}`, d.int(200_000_000, 9_000_000_000))
  for (const [key, value] of Object.entries(scene.ids)) assert.ok(value > 0, key)
  for (let n = 0; n < length; n += 1) {
    scene.now += d.int(1, 1_000) <= 2 ? d.int(1, 70_000) : d.int(0, 400)
    const events = scenes.run(scene, nextCommand(d, scene))
    checkEvents(events)
    for (const event of events) count[event.type] = (count[event.type] ?? 0) + 1
    for (const event of scenes.only(events, 'OrderCancelled')) {
      count[event.reason] = (count[event.reason] ?? 0) + 1
    }
    for (const event of scenes.only(events, 'CommandRejected')) {
      count[event.rejection] = (count[event.rejection] ?? 0) + 1
    }
    if (n % 10 === 0) checkState(scene)
    if (n % 500 === 0) viewOfNaive(scene.naive)
  }
}

test('a random walk keeps every rule that can be seen from outside', () => {
  const count: Record<string, number> = {}
  const seeds = Number(process.env.NAIVE_SEEDS ?? 3)
  for (let seed = 1; seed <= seeds; seed += 1) walk(seed, 3_000, count)
  if (process.env.NAIVE_COUNTS) console.log(count)
  for (const type of ['Traded', 'LiquidationStepped', 'BackstopTookOver', 'StopTriggered']) {
    assert.ok((count[type] ?? 0) > 0, `${type} never happened`)
  }
})
