// docs/rules/core.md through both engines: genesis, the order of things, refusals, reactions,
// signed texts, agents, modes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RejectionName, rejections } from '../../src/core/commands/rejections.ts'
import { apply, EventLog } from '../../src/core/engine.ts'
import { tradingHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { InvariantViolation } from '../../src/units/invariant.ts'
import type { TimeMs } from '../../src/units/units.ts'
import { worked } from '../support/rule-table.ts'
import {
  BTC,
  codeOf,
  ETH,
  freeTiers,
  given,
  levelAt,
  orderOf,
  proofOf,
  type Scene,
  START,
} from '../support/scene.ts'
import { boundFor } from '../support/trial-rules.ts'

const funds = { A: 10 ** 11, B: 10 ** 11 }
const hour = 3_600_000

test('accounts 1 to 3 and every backstop are reserved and take no commands (CORE-1)', () => {
  const scene = given({ markets: ['BTC'] })
  assert.deepEqual(scene.ids, { fees: 1, insurance: 2, deficit: 3, 'backstop-BTC': 4 })
  for (const name of Object.keys(scene.ids)) {
    scene.bid(name, 100, 60_000).refused('UNSUPPORTED_OPERATION')
    scene.own(name, 'Withdraw', { amount: 1_000_000 }).refused('UNSUPPORTED_OPERATION')
  }
  scene.deposit('fees', 5).refused('UNSUPPORTED_OPERATION')
  scene.deposit('insurance', 5).emits({ type: 'Deposited', account: 2, balance: 5 })
})

test('case 56: ids start at 1 and grow by 1; a refused command takes none (CORE-1)', () => {
  const row = worked('core', 56)
  const [none = 0, price = 0, lots = 0, above = 0, below = 0] = row.given()
  const scene = given({ funds })
  assert.equal(scene.id('A'), 7)
  const refused = scene.bid('A', none, price).one('CommandRejected')
  const levels = { takeProfit: levelAt(above), stopLoss: levelAt(below) }
  const placed = scene.bid('A', lots, price, levels)
  placed.emits(
    { type: 'OrderPlaced', origin: 'user', parent: 0 },
    { type: 'StopPlaced', orderType: 'take_profit_market', parent: 1 },
    { type: 'StopPlaced', orderType: 'stop_loss_market', parent: 1 },
    { type: 'OrderRested', order: 1 },
  )
  const stops = placed.all('StopPlaced').map(({ order }) => order)
  const { takerOrder, history } = scene.ask('B', lots, price).one('Traded')
  assert.equal(history, 1)
  row.names(refused.rejection)
  row.says(refused.first, placed.one('OrderPlaced').order, ...stops, takerOrder)
  scene
    .own('A', 'Withdraw', { amount: 1_000_000 })
    .emits({ type: 'WithdrawalRequested', withdrawal: 1 })
})

test('a gap in the sequence, or a time that falls, is a bug and throws (CORE-2)', () => {
  const scene = given({ funds })
  const wrong = (seq: number, atMs: number) => () => {
    apply(scene.state, { seq, atMs: atMs as TimeMs, command: { type: 'Tick' } }, new EventLog())
  }
  const { seq } = scene.state
  assert.throws(wrong(seq, START), InvariantViolation)
  assert.throws(wrong(seq + 2, START), InvariantViolation)
  assert.throws(wrong(seq + 1, START - 1), InvariantViolation)
})

/** 140 longs and a short, at the full hour: funding of 13 positions is still to be paid. */
function unpaid(): Scene {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { B: 10 ** 12 } })
  scene.quietly(() => {
    scene.ask('B', 14_000, 60_000)
    for (let n = 1; n <= 140; n++) {
      scene.deposit(`L${n}`, 100_000_000)
      scene.bid(`L${n}`, 100, 60_000, { tif: 'IOC' })
    }
    for (scene.later(5_000); scene.now < START + hour; scene.later(5_000)) scene.mark(BTC, 60_000)
  })
  assert.equal(scene.run({ type: 'Tick' }).all('FundingPaid').length, 128)
  return scene
}

test('leftover work runs before the command, refused or not (CORE-2)', () => {
  const scene = unpaid()
  const outcome = scene.bid('L140', 0, 60_000)
  outcome.refused('INVALID_AMOUNT', 0)
  assert.deepEqual(outcome.types().slice(12), ['FundingPaid', 'FundingClosed', 'CommandRejected'])
})

test('a start with standing prices leaves due work to the next command (CORE-2)', () => {
  const scene = unpaid()
  const before = tradingHash(scene.state)
  const { atMs } = scene.state
  scene.later(10_001)
  scene.run({ type: 'EngineStarted', pricesStand: true }).emits({ type: 'EngineStarted' })
  assert.equal(tradingHash(scene.state), before)
  assert.equal(scene.state.atMs, atMs)
  const outcome = scene.run({ type: 'Tick' })
  outcome.includes({ type: 'FeedHealthChanged', health: 'stale' }, { type: 'FundingPaid' })
})

test('case 57: an account’s own queued turn runs before its command (CORE-2)', () => {
  const row = worked('core', 57)
  const [stops = 0, near = 0, far = 0, mark = 0] = row.given()
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.quietly(() => {
    for (let n = 0; n < stops; n++) scene.stop('A', 'bid', levelAt(near, { size: 100 }))
    scene.stop('B', 'bid', levelAt(far, { size: 100 }))
  })
  const first = scene.mark(BTC, mark).all('StopTriggered').length
  const outcome = scene.cancel('B', stops + 1)
  const fired = outcome.all('StopTriggered').map(({ account }) => account)
  const own = fired.indexOf(scene.id('B'))
  const refusal = outcome.one('CommandRejected')
  row.names(refusal.rejection)
  row.says(first, own, refusal.first, fired.length - own - 1)
  const seen = outcome
    .types()
    .filter((type) => type === 'StopTriggered' || type === 'CommandRejected')
  assert.equal(seen.indexOf('CommandRejected'), own + 1)
})

test('case 20: due work by time, then kind, then id (CORE-3)', () => {
  const row = worked('core', 20)
  const [bump = 0, at = 0, tick = 0] = row.given()
  const scene = given({ market: { speedBumpMs: bump }, markets: ['BTC'], funds })
  scene.bid('A', 100, 59_000).includes({ type: 'OrderPlaced', waiting: true })
  const plan = { market: BTC, side: 'bid', size: 1_000, slippagePpm: 0, durationSeconds: 60 }
  scene.own('A', 'PlaceTwap', { ...plan, reduceOnly: false, clientOrderId: null })
  scene.own('A', 'ScheduleCancel', { time: START + at, keepProtective: false }).emits(
    // The first slice was due with the command after its own.
    { type: 'AlgoStepped', step: 1, lots: 333, rejection: codeOf('NO_REASONABLE_PRICE') },
    { type: 'CancelScheduled', time: START + at },
  )
  const outcome = scene.wait(tick)
  row.names('AlgoStepped', ...outcome.types())
  row.says(0, tick, outcome.one('AllOrdersCancelled').count)
})

test('feed health comes before the epoch (CORE-3)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.now = START + hour - 10_001
  scene.revive(BTC)
  scene.mark(BTC, 60_000)
  scene.now = START + hour
  // Stale at the full hour itself; a stale market has no sample.
  scene
    .run({ type: 'Tick' })
    .emits({ type: 'FeedHealthChanged', health: 'stale' }, { type: 'FundingFixed' })
})

test('something that due work makes due runs in the same pass (CORE-3)', () => {
  const scene = given({ markets: ['BTC'], funds })
  const plan = { market: BTC, side: 'bid', size: 1_000, slippagePpm: 0, durationSeconds: 60 }
  scene.own('A', 'PlaceTwap', { ...plan, reduceOnly: false, clientOrderId: null })
  const slices = scene.wait(60_000).all('AlgoStepped')
  assert.deepEqual(
    slices.map(({ step }) => step),
    [1, 2, 3],
  )
})

test('where several refusals apply, the first of the list is the answer (CORE-4)', () => {
  const scene = given({ market: { bandNearPpm: 50_000 }, funds: { A: 1_000_000 } })
  const order = {
    ...orderOf('bid', 0.5, 0.5),
    account: 99,
    market: 9,
    tif: 'DAY',
    reduceOnly: true,
  }
  // Each change takes away the reason before it.
  const steps: readonly (readonly [RejectionName, Record<string, unknown>, ...number[]])[] = [
    ['ACCOUNT_NOT_FOUND', {}, 99],
    ['BOOK_NOT_FOUND', { account: scene.id('A') }, 9],
    ['INVALID_TICK_SIZE', { market: BTC }, 0],
    ['INVALID_TICK_LEVEL', { price: 1_000_001 }, 1_000_001, 1, 1_000_000],
    ['INVALID_AMOUNT', { price: 90_000 }, 0],
    ['INVALID_ORDER_TYPE', { size: 1 }],
    ['ORDER_AMOUNT_TOO_LOW', { tif: 'GTC' }, 900_000, 1_000_000],
    ['ORDER_AMOUNT_TOO_HIGH', { size: 2_000_000 }, 1_800_000_000_000, 1_000_000_000_000],
    ['PRICE_TOO_FAR_FROM_MARK', { size: 1_000_000 }, 90_000, 0, 63_000],
    ['NO_POSITION_FOR_REDUCE_ONLY_ORDER', { price: 60_000 }],
    ['INSUFFICIENT_BALANCE', { reduceOnly: false, size: 1_600_000 }, 19_584_000_000, 1_000_000],
  ]
  let present: Record<string, unknown> = order
  const seen = steps.map(([name, change, ...numbers]) => {
    present = { ...present, ...change }
    const outcome = scene.run({ type: 'PlaceOrder', proof: null, ...present })
    return outcome.refused(name, ...numbers).one('CommandRejected').rejection
  })
  const places = seen.map((name) => Object.keys(rejections).indexOf(name))
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  )
})

test('a text has 1 to 128 characters (CORE-4)', () => {
  const scene = given({ funds })
  scene.bid('A', 100, 60_000, { clientOrderId: '' }).refused('INVALID_PARAMETER', 0)
  const long = 'x'.repeat(129)
  scene.bid('A', 100, 60_000, { clientOrderId: long }).refused('INVALID_PARAMETER', 129)
  scene.bid('A', 100, 60_000, { clientOrderId: long.slice(1) }).accepted()
})

test('case 22: the numbers of a refusal (CORE-8)', () => {
  const row = worked('core', 22)
  const [lots = 0, price = 0, min, max, many = 0] = row.given()
  const scene = given({ funds, market: { orderValueMin: min, orderValueMax: max } })
  const low = scene.bid('A', lots, price).one('CommandRejected')
  const high = scene.bid('A', many, price).one('CommandRejected')
  row.names(low.rejection, high.rejection)
  row.says(...[low, high].flatMap(({ first, second, third }) => [first, second, third]))
})

test('case 21: reactions are bounded, and the rest is the next command’s (CORE-5)', () => {
  const row = worked('core', 21)
  const [stops = 0] = row.given()
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.quietly(() => {
    for (let n = 0; n < stops; n++) scene.stop('A', 'bid', levelAt(60_100, { size: 100 }))
  })
  const first = scene.mark(BTC, 60_100).all('StopTriggered').length
  // An event of the command itself parts what ran before it from what ran after.
  const types = scene.run({ type: 'SetClockFrozen', frozen: true }).types()
  const own = types.indexOf('ClockFrozenSet')
  const fired = (some: readonly string[]) => some.filter((type) => type === 'StopTriggered').length
  row.says(first, fired(types.slice(0, own)), fired(types.slice(own)))
  scene.run({ type: 'Tick' }).emits()
})

test('a takeover comes after its liquidation turn, and triggers after both (CORE-5)', () => {
  const scene = given({ tiers: freeTiers, funds: { ...funds, C: 70_000_000 } })
  scene.buys('C', 'B', 5_000, 60_000)
  scene.stop('A', 'ask', levelAt(59_000, { size: 100 }))
  const types = scene.mark(BTC, 58_800).types()
  const order = ['LiquidationStarted', 'BackstopTookOver', 'StopTriggered'] as const
  assert.deepEqual(
    types.filter((type) => order.some((one) => one === type)),
    order,
  )
})

const doomed = () => {
  const scene = given({ tiers: freeTiers, funds: { ...funds, C: 70_000_000, D: 70_000_000 } })
  for (const name of ['C', 'D']) scene.buys(name, 'B', 5_000, 60_000)
  return scene
}

test('a run has as many deleveragings as units are left, and always one (CORE-5)', (t) => {
  const all = doomed()
  assert.equal(all.mark(BTC, 58_000).all('Deleveraged').length, 2)
  const scene = doomed()
  boundFor(t, { commandUnits: 1 })
  const first = scene.mark(BTC, 58_000).one('Deleveraged')
  const second = scene.run({ type: 'Tick' }).one('Deleveraged')
  assert.deepEqual([first.account, second.account], [scene.id('C'), scene.id('D')])
})

function cancelWith(scene: Scene, hash: string, change: Record<string, unknown> = {}) {
  return scene.cancel('A', 9, { proof: proofOf(hash, scene.now, change) })
}

test('a signed text is accepted once, also when its command was refused (CORE-6)', () => {
  const scene = given({ funds })
  cancelWith(scene, 'one').refused('ORDER_NOT_FOUND', 9)
  cancelWith(scene, 'one').refused('REPLAYED')
  cancelWith(scene, 'two').refused('ORDER_NOT_FOUND', 9)
})

test('case 23: a text is known until it expires, and expired from then on (CORE-8)', () => {
  const row = worked('core', 23)
  const [first = 0, expires = 0, again = 0, late = 0, until = 0, earlier = 0] = row.given()
  const scene = given({ funds })
  const sent = (hash: string, stamp: number, expiresAt: number) => {
    scene.stampMs = START + stamp
    return cancelWith(scene, hash, { expiresAtMs: START + expiresAt })
  }
  sent('one', first, expires).refused('ORDER_NOT_FOUND', 9)
  const replayed = sent('one', again, expires).one('CommandRejected')
  sent('two', late, until).refused('ORDER_NOT_FOUND', 9)
  const expired = sent('one', earlier, expires).one('CommandRejected')
  row.names(replayed.rejection, expired.rejection)
  row.says(expired.first - START, expired.second - START)
})

test('a text without a time serves for TP/SL alone, and is kept with the position (CORE-6)', () => {
  const scene = given({ tiers: freeTiers, funds })
  const untimed = { expiresAtMs: null }
  cancelWith(scene, 'one', untimed).refused('UNSUPPORTED_OPERATION')
  const set = (hash: string) => {
    const proof = proofOf(hash, scene.now, untimed)
    return scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', proof })
  }
  set('one').refused('POSITION_NOT_FOUND')
  scene.buys('A', 'B', 100, 60_000)
  set('one').emits()
  set('one').refused('REPLAYED')
  scene.quietly(() => {
    for (let n = 2; n <= 256; n++) set(`text-${n}`).emits()
  })
  set('one too many').refused('TEXT_MEMORY_FULL', 256)
  scene.sells('A', 'B', 100, 60_000)
  scene.buys('A', 'B', 100, 60_000)
  set('one').emits()
})

test('an agent may use its scopes, from the addresses of its list (CORE-6)', () => {
  const scene = given({ funds })
  let texts = 0
  const by = (change: Record<string, unknown>) => {
    texts += 1
    return { proof: proofOf(`text-${texts}`, scene.now, { agent: 'bot', ...change }) }
  }
  scene.bid('A', 100, 59_000, by({})).refused('AGENT_NOT_ALLOWED', 1)
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  scene.bid('A', 100, 59_000, by({})).accepted()
  const leverage = { market: BTC, leverage: 20 }
  scene.own('A', 'SetLeverage', { ...leverage, ...by({}) }).refused('AGENT_NOT_ALLOWED', 4)
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['margin'] })
  scene.own('A', 'SetLeverage', { ...leverage, ...by({}) }).accepted()
  scene.bid('A', 100, 59_000, by({})).refused('AGENT_NOT_ALLOWED', 3)
  scene.own('A', 'Withdraw', { amount: 1_000_000, ...by({}) }).refused('AGENT_NOT_ALLOWED', 2)
  scene.own('A', 'SetAgentIpFilter', { agent: 'bot', enabled: true })
  scene.own('A', 'AllowAgentIp', { agent: 'bot', ip: '10.0.0.1' })
  const from = (ip: string | null) => scene.own('A', 'SetLeverage', { ...leverage, ...by({ ip }) })
  from(null).refused('AGENT_NOT_ALLOWED', 5)
  from('10.0.0.2').refused('AGENT_NOT_ALLOWED', 5)
  from('10.0.0.1').accepted()
})

test('nothing is remembered for an agent that may not act (CORE-6)', () => {
  const scene = given({ funds })
  const byBot = (hash: string) => cancelWith(scene, hash, { agent: 'bot', ip: '10.0.0.2' })
  byBot('one').refused('AGENT_NOT_ALLOWED', 1)
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  scene.own('A', 'SetAgentIpFilter', { agent: 'bot', enabled: true })
  byBot('one').refused('AGENT_NOT_ALLOWED', 5)
  scene.own('A', 'AllowAgentIp', { agent: 'bot', ip: '10.0.0.2' })
  byBot('one').includes({ type: 'CommandRejected', rejection: 'ORDER_NOT_FOUND' })
  byBot('one').refused('REPLAYED')
  cancelWith(scene, 'one').refused('ORDER_NOT_FOUND', 9)
  cancelWith(scene, 'one').refused('REPLAYED')
  cancelWith(scene, 'two').refused('ORDER_NOT_FOUND', 9)
  byBot('two').refused('REPLAYED')
  scene.own('A', 'RevokeAgent', { agent: 'bot' })
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  byBot('one').refused('REPLAYED')
})

test('an agent’s untimed texts leave the owner’s room with a position alone (CORE-6)', () => {
  const scene = given({ tiers: freeTiers, funds })
  scene.buys('A', 'B', 100, 60_000)
  const set = (hash: string, agent: string | null) => {
    const proof = proofOf(hash, scene.now, { expiresAtMs: null, agent })
    return scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', proof })
  }
  for (const agent of ['bot', 'other']) scene.own('A', 'BindAgent', { agent, scopes: ['trade'] })
  scene.quietly(() => {
    for (let n = 1; n <= 64; n++) set(`text-${n}`, 'bot').accepted()
  })
  set('one too many', 'bot').refused('TEXT_MEMORY_FULL', 64)
  set('text-1', null).refused('REPLAYED')
  set('of the other', 'other').accepted()
  scene.quietly(() => {
    for (let n = 1; n <= 256; n++) set(`own-${n}`, null).emits()
  })
  set('one too many', null).refused('TEXT_MEMORY_FULL', 256)
})

test('a batch with one known text does not run and remembers none (CORE-6)', () => {
  const scene = given({ funds })
  cancelWith(scene, 'one').refused('ORDER_NOT_FOUND', 9)
  const action = (hash: string) => ({
    ...{ type: 'PlaceOrder', account: scene.id('A'), ...orderOf('bid', 100, 59_000) },
    proof: proofOf(hash, scene.now),
  })
  const batch = (...hashes: readonly string[]) => {
    return scene.run({ type: 'Batch', account: scene.id('A'), actions: hashes.map(action) })
  }
  batch('two', 'one').refused('REPLAYED')
  batch('two', 'three').accepted()
  batch('two').refused('REPLAYED')
})

test('of the modes of exchange and market the stricter counts (CORE-7)', () => {
  const scene = given({ funds })
  const exchange = (mode: string) => scene.run({ type: 'SetExchangeMode', mode })
  const market = (mode: string) => scene.run({ type: 'SetMarketMode', market: BTC, mode })
  exchange('cancel_only').emits({ type: 'ExchangeModeSet', mode: 'cancel_only' })
  scene.bid('A', 100, 59_000).refused('TRADING_DISABLED')
  exchange('open').emits({ type: 'ExchangeModeSet', mode: 'open' })
  market('halted').emits({ type: 'MarketModeSet', market: BTC, mode: 'halted' })
  scene.bid('A', 100, 59_000).refused('TRADING_DISABLED')
  scene.bid('A', 100, 29_000, { market: ETH }).accepted()
})

test('case 93: in a reduce-only market whatever takes has to reduce (CORE-7)', () => {
  const row = worked('core', 93)
  const [held = 0, price = 0, more = 0, quote = 0, out = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { ...funds, C: 10 ** 11 }, markets: ['BTC'] })
  scene.buys('A', 'B', held, price)
  scene.ask('B', held, price, { tif: 'ALO' })
  scene.bid('B', held, quote, { tif: 'ALO' })
  const before = scene.book(BTC).openInterest
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'reduce_only' }).accepted()
  const refusal = scene.bid('A', more, price).refused('TRADING_DISABLED').one('CommandRejected')
  scene.take('A', 'bid', more).refused('TRADING_DISABLED')
  scene.ask('A', held + 1, quote, { tif: 'IOC' }).refused('TRADING_DISABLED')
  scene.bid('C', more, quote - 1).includes({ type: 'OrderRested' })
  const { lots } = scene.ask('A', out, quote, { tif: 'IOC' }).one('Traded')
  assert.ok(scene.book(BTC).openInterest <= before)
  row.names(refusal.rejection)
  row.says(lots, scene.position('A')?.lots ?? 0)
})

test('in a post-only market nothing matches and nothing fires, as in a stale one (CORE-7)', () => {
  const scene = given({ tiers: freeTiers, funds, markets: ['BTC'] })
  scene.ask('B', 100, 60_000, { tif: 'ALO' })
  scene.stop('A', 'bid', levelAt(60_500, { size: 100 }))
  scene.run({ type: 'SetExchangeMode', mode: 'post_only' }).accepted()
  scene.bid('A', 100, 60_000).refused('ORACLE_NOT_AVAILABLE', 0)
  scene.bid('A', 100, 59_999).includes({ type: 'OrderRested' })
  scene.mark(BTC, 60_600).lacks('StopTriggered')
  scene.run({ type: 'SetExchangeMode', mode: 'open' })
  scene.mark(BTC, 60_600).includes({ type: 'StopTriggered' })
})

/** A is below maintenance at 59,350, and C bids just there; the mode is set before that price. */
function underWater(mode: string, of: 'market' | 'exchange', mark: number) {
  const scene = given({
    tiers: freeTiers,
    funds: { A: 12_000_000, B: 10 ** 11, C: 10 ** 11, insurance: 10 ** 11 },
    markets: ['BTC'],
  })
  scene.reserve(10 ** 10)
  scene.buys('A', 'B', 1_000, 60_000)
  scene.bid('C', 5_000, mark - 50, { tif: 'ALO' })
  const set = (word: string) => {
    if (of === 'market') scene.run({ type: 'SetMarketMode', market: BTC, mode: word }).accepted()
    else scene.run({ type: 'SetExchangeMode', mode: word }).accepted()
  }
  set(mode)
  const outcome = scene.mark(BTC, mark)
  return { scene, outcome, set }
}

test('in reduce_only liquidations go on as in an open market, takeovers too (CORE-7)', () => {
  for (const mark of [59_350, 58_700]) {
    const { events } = underWater('open', 'market', mark).outcome
    const forced = mark === 59_350 ? 'LiquidationStepped' : 'BackstopTookOver'
    assert.ok(events.some(({ type }) => type === forced))
    for (const of of ['market', 'exchange'] as const) {
      const { scene, outcome } = underWater('reduce_only', of, mark)
      assert.deepEqual(outcome.events, events)
      assert.ok(Math.abs(scene.held('A')[0]) < 1_000)
    }
  }
})

test('from post_only on no account is liquidated until the market is open again (CORE-7)', () => {
  for (const mode of ['post_only', 'cancel_only', 'halted'])
    for (const of of ['market', 'exchange'] as const)
      for (const mark of [59_350, 58_700]) {
        const { scene, outcome, set } = underWater(mode, of, mark)
        outcome.emits({ type: 'MarkUpdated', mark })
        scene.wait(3_000).lacks('LiquidationStarted')
        assert.deepEqual(scene.held('A'), [1_000, 600_000_000])
        set('open')
        scene.mark(BTC, mark).includes({ type: 'LiquidationStarted', account: scene.id('A') })
      }
})

test('a post_only market accepts and refuses the same as a stale one (CORE-7)', () => {
  const answers = (isStale: boolean) => {
    const scene = given({ tiers: freeTiers, funds, markets: ['BTC'] })
    scene.ask('B', 100, 60_000, { tif: 'ALO' })
    const own = scene.bid('A', 100, 59_000).one('OrderPlaced').order
    if (!isStale) scene.run({ type: 'SetMarketMode', market: BTC, mode: 'post_only' })
    scene.wait(10_001)
    assert.equal(scene.book().health, 'stale')
    // A price brings a stale market back, and changes nothing about a mode.
    if (!isStale) scene.mark(BTC, 60_000)
    const edit = { market: BTC, order: own, clientOrderId: null, price: 59_500, size: 200 }
    const outcome = [
      ...(['GTC', 'IOC', 'FOK', 'ALO', 'TOB'] as const).map((tif) => {
        return scene.bid('A', 100, 60_000, { tif })
      }),
      scene.take('A', 'bid', 100),
      scene.bid('A', 100, 59_999),
      scene.own('A', 'EditOrder', edit),
      scene.stop('A', 'bid', levelAt(60_500, { size: 100 })),
      scene.own('A', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false }),
    ]
    return outcome.map(({ events }) => {
      return events.map((event) => (event.type === 'CommandRejected' ? event.rejection : event))
    })
  }
  assert.deepEqual(answers(false), answers(true))
})

test('case 58: a market that stops trading ends waiting orders, not resting ones (CORE-7)', () => {
  const row = worked('core', 58)
  const [speedBumpMs, makes = 0, bids = 0, asks = 0] = row.given()
  const scene = given({ market: { speedBumpMs }, markets: ['BTC'], funds })
  scene.bid('A', 100, makes, { tif: 'ALO' })
  scene.bid('A', 100, bids)
  scene.ask('B', 100, asks)
  const outcome = scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  row.names(...outcome.types())
  const ended = outcome.all('OrderCancelled')
  assert.ok(ended.every(({ reason }) => reason === 'market_closed'))
  row.says(...ended.map(({ order }) => order), ...scene.account('A').orders)
  scene.cancel('A', 1).emits({ type: 'OrderCancelled', order: 1, reason: 'owner' })
  scene.own('A', 'Withdraw', { amount: 1_000_000 }).accepted()
})

test('kept actions of a market that stops trading never run (CORE-7)', () => {
  const scene = given({ market: { speedBumpMs: 200 }, markets: ['BTC'], funds })
  scene.bid('A', 100, 59_000, { tif: 'ALO' })
  const own = { account: scene.id('A'), proof: null, market: BTC }
  const edit = { type: 'EditOrder', ...own, order: 1, clientOrderId: null, price: 58_000, size: 50 }
  const order = { type: 'PlaceOrder', ...own, ...orderOf('bid', 100, 59_500) }
  scene
    .run({ type: 'Batch', account: own.account, actions: [order, edit] })
    .includes({ type: 'ActionDeferred', action: 3 })
  scene.run({ type: 'SetExchangeMode', mode: 'halted' })
  scene.run({ type: 'SetExchangeMode', mode: 'open' })
  scene.wait(200).emits()
  assert.deepEqual(scene.account('A').orders, [1])
})

test('a frozen account may cancel, and nothing else (CORE-7)', () => {
  const scene = given({ tiers: freeTiers, funds })
  scene.buys('A', 'B', 100, 60_000)
  const { order } = scene.bid('A', 100, 59_000).one('OrderPlaced')
  scene.own('A', 'CreateSubaccount', { address: 'A2' })
  const frozen = { type: 'AccountFrozen', account: scene.id('A'), frozen: true } as const
  scene.run({ type: 'FreezeAccount', account: scene.id('A'), frozen: true }).emits(frozen)
  const onBtc = { market: BTC }
  scene.bid('A', 100, 59_000).refused('TRADING_DISABLED')
  scene.take('A', 'bid', 100).refused('TRADING_DISABLED')
  scene.stop('A', 'bid', levelAt(61_000, { size: 100 })).refused('TRADING_DISABLED')
  scene.own('A', 'SetPositionTpsl', { ...onBtc, side: 'bid' }).refused('TRADING_DISABLED')
  const edit = { ...onBtc, order, clientOrderId: null, price: 58_000, size: 50 }
  scene.own('A', 'EditOrder', edit).refused('TRADING_DISABLED')
  scene.own('A', 'SetLeverage', { ...onBtc, leverage: 20 }).refused('TRADING_DISABLED')
  scene.own('A', 'SetMarginMode', { ...onBtc, isolated: true }).refused('TRADING_DISABLED')
  scene.own('A', 'MoveIsolatedMargin', { ...onBtc, amount: 1 }).refused('TRADING_DISABLED')
  scene.own('A', 'Withdraw', { amount: 1_000_000 }).refused('WITHDRAWAL_BLOCKED')
  const transfer = { to: scene.id('A2'), amount: 1_000_000 }
  scene.own('A', 'Transfer', transfer).refused('WITHDRAWAL_BLOCKED')
  scene.cancel('A', order).accepted()
})
