// docs/rules/markets.md through both engines: listing, changing, modes, reserves, settling.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../src/core/rules/limits.ts'
import { firstVersion, ruleBooks } from '../../src/core/rules/versions.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { encodeState } from '../../src/core/snapshot/encode.ts'
import { stateHash, tradingHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../support/rule-table.ts'
import {
  BTC,
  ETH,
  freeTiers,
  given,
  levelAt,
  orderOf,
  paramsOf,
  proofOf,
  type Scene,
  START,
} from '../support/scene.ts'

const funds = { A: 10 ** 11, B: 10 ** 11 }
const free = { tiers: freeTiers, funds }
const dayMs = 86_400_000

test('a listing opens the backstop’s account and then the market (MARKET-1)', () => {
  const scene = given({ markets: [] })
  scene
    .list('BTC')
    .emits(
      { type: 'AccountOpened', account: 4, main: 4, address: 'backstop-BTC' },
      { type: 'MarketListed', market: 1, backstop: 4, symbol: 'BTC' },
      { type: 'MarkUpdated', market: 1, oracle: 60_000_000_000, mark: 60_000 },
    )
  const { mark, oracle, health, catchingUp } = scene.book()
  assert.deepEqual([mark, oracle, health, catchingUp], [60_000, 60_000_000_000, 'live', false])
})

test('a symbol is listed once, and its backstop’s address is new (MARKET-1)', () => {
  const scene = given({ funds })
  scene.list('BTC', { backstopAddress: 'new' }).refused('MARKET_EXISTS', 1)
  scene.list('DOGE', { backstopAddress: 'A' }).refused('INVALID_PARAMETER', 0)
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  scene.bid('A', 1_000, 59_000, { proof: proofOf('text', scene.now, { agent: 'bot' }) })
  scene.list('DOGE', { backstopAddress: 'bot' }).refused('INVALID_PARAMETER', 0)
})

test('every parameter has its bounds (MARKET-1)', () => {
  const scene = given({ markets: [] })
  const tier = (fromValue: number, maxLeverage: number) => ({ fromValue, maxLeverage })
  const wrong: readonly Record<string, unknown>[] = [
    { symbol: '' },
    { baseAsset: 'x'.repeat(129) },
    { tickSize: { value: 0, scale: 0 } },
    { lotSize: { value: 1, scale: 19 } },
    { lotSize: { value: 10_000, scale: 0 } },
    { tickMin: 0 },
    { tickMax: 2_000_000_001 },
    { tickMin: 60_001 },
    { leverageMax: 101 },
    { leverageMax: 0 },
    { orderValueMin: 2, orderValueMax: 1 },
    { orderValueMax: 2 ** 52 + 1 },
    { bandNearPpm: -1 },
    { bandFarPpm: 1_000_001 },
    { speedBumpMs: 10_001 },
    { openInterestMax: 0 },
    { openInterestLower: 5 },
    { openInterestLower: 5, openInterestUpper: 5 },
    { riskTiers: [tier(1_000, 50)] },
    { riskTiers: [tier(0, 49)] },
    { riskTiers: [tier(1_000, 0)] },
    { riskTiers: [tier(1_000, 25), tier(1_000, 10)] },
    { riskTiers: [tier(1_000, 25), tier(2_000, 25)] },
    { riskTiers: Array.from({ length: 11 }, (_, at) => tier(at + 1, 40 - at)) },
    { impactValue: 0 },
    { backstopValueMax: -1 },
    { isolatedOnly: 1 },
  ]
  for (const change of wrong) scene.list('BTC', change).refused('INVALID_PARAMETER', 0)
  scene.list('BTC', { riskTiers: [tier(1_000, 49), tier(1_001, 48)] }).accepted()
})

test('there are at most 256 markets (MARKET-1)', () => {
  const scene = given({ markets: [] })
  scene.quietly(() => {
    for (let n = 1; n <= 256; n++) scene.list(`M${n}`).accepted()
  })
  scene.list('M257').refused('LIMIT_REACHED', 256)
})

const change = (scene: Scene, fields: Record<string, unknown>) => {
  return scene.run({ type: 'ChangeMarket', market: BTC, change: fields })
}

test('a change that cannot raise a requirement takes effect immediately (MARKET-2)', () => {
  const scene = given({ ...free, market: { leverageMax: 25 } })
  change(scene, { leverageMax: 50 }).emits({
    type: 'MarketChanged',
    market: BTC,
    effectiveAt: START,
  })
  scene.bid('A', 100, 60_000)
  assert.equal(scene.position('A')?.requirement, 1_200_000)
})

test('a change of tiers or interest bounds takes effect a day later, as a whole (MARKET-2)', () => {
  const scene = given(free)
  const tiers = [{ fromValue: 1, maxLeverage: 25 }]
  const later = { type: 'MarketChanged', market: BTC, effectiveAt: START + dayMs } as const
  change(scene, { riskTiers: tiers, orderValueMin: 5 }).emits(later)
  scene.bid('A', 1, 60_000).refused('ORDER_AMOUNT_TOO_LOW', 600_000, 1_000_000)
  scene.wait(dayMs - 1).lacks('MarketChanged')
  scene.wait(1).includes(later)
  scene.revive(BTC)
  scene.bid('A', 1, 60_000).accepted()
})

test('a change that became invalid meanwhile is dropped without an event (MARKET-2)', () => {
  const scene = given(free)
  change(scene, { riskTiers: [{ fromValue: 1, maxLeverage: 33 }] }).accepted()
  scene.later(1)
  change(scene, { leverageMax: 20 }).accepted()
  // 33 is below 50 when the first takes effect, and above 20 for the second.
  const outcome = scene.wait(dayMs)
  assert.equal(outcome.all('MarketChanged').length, 1)
})

test('the grid stays, at most 8 changes wait, a settled market has none (MARKET-2)', () => {
  const scene = given(free)
  scene.run({ type: 'ChangeMarket', market: 9, change: {} }).refused('BOOK_NOT_FOUND', 9)
  change(scene, { tickMin: 2 }).refused('INVALID_PARAMETER', 0)
  change(scene, { leverageMax: 101 }).refused('INVALID_PARAMETER', 0)
  for (let n = 1; n <= 8; n++) change(scene, { leverageMax: 50 - n }).accepted()
  change(scene, { leverageMax: 40 }).refused('LIMIT_REACHED', 8)
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  change(scene, { orderValueMin: 5 }).refused('UNSUPPORTED_OPERATION')
  scene.wait(dayMs).lacks('MarketChanged')
})

test('modes are words, and a settled market has none (MARKET-3)', () => {
  const scene = given(free)
  const set = (market: number, mode: string) => scene.run({ type: 'SetMarketMode', market, mode })
  set(9, 'open').refused('BOOK_NOT_FOUND', 9)
  set(BTC, 'shut').refused('INVALID_PARAMETER', 0)
  scene.run({ type: 'SetExchangeMode', mode: 'shut' }).refused('INVALID_PARAMETER', 0)
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  set(BTC, 'open').refused('UNSUPPORTED_OPERATION')
})

test('a breach puts its market or the exchange into cancel-only at least (MARKET-3)', () => {
  const scene = given(free)
  const breach = (market: number | null, invariant: number) => {
    return scene.run({ type: 'Breach', market, invariant })
  }
  breach(9, 3).refused('BOOK_NOT_FOUND', 9)
  breach(BTC, 0.5).refused('INVALID_PARAMETER', 0)
  breach(BTC, 3).emits(
    { type: 'BreachReported', market: BTC, invariant: 3 },
    { type: 'MarketModeSet', market: BTC, mode: 'cancel_only' },
  )
  breach(BTC, 3).emits({ type: 'BreachReported', market: BTC, invariant: 3 })
  breach(null, 1).emits(
    { type: 'BreachReported', market: 0, invariant: 1 },
    { type: 'ExchangeModeSet', mode: 'cancel_only' },
  )
  scene.bid('A', 100, 29_000, { market: ETH }).refused('TRADING_DISABLED')
})

test('only a version of the rules that is known and not in force can be set (MARKET-3)', () => {
  const scene = given({ markets: [] })
  for (const version of [0, firstVersion, ruleBooks.size + 1]) {
    scene.run({ type: 'SetRulesVersion', version }).refused('INVALID_PARAMETER', version)
  }
})

test('a tick emits only the events that are due (MARKET-3)', () => {
  const scene = given({ markets: ['BTC'] })
  scene.run({ type: 'Tick' }).emits()
  scene
    .run({ type: 'SetClockFrozen', frozen: false })
    .emits({ type: 'ClockFrozenSet', frozen: false })
})

test('a reserve is moved from the fund and back, as far as there is one (MARKET-3)', () => {
  const row = worked('markets', 43)
  const [insurance = 0, there = 0, much = 0, back = 0, granted = 0, , fees = 0] = row.given()
  const scene = given({ funds: { insurance, A: 1 } })
  const backstop = scene.state.markets[BTC]!.backstop
  scene.own('A', 'Withdraw', { amount: 1 }).refused('WITHDRAW_AMOUNT_TOO_LOW', 1, 1_000_000)
  const move = (from: number, to: number, amount: number) => {
    return scene.run({ type: 'MoveReserve', from, to, amount })
  }
  const [feeAccount, fund, deficit, owner] = [1, 2, 3, scene.id('A')]
  move(fund, 99, 1).refused('ACCOUNT_NOT_FOUND', 99)
  move(99, fund, 1).refused('ACCOUNT_NOT_FOUND', 99)
  move(fund, deficit, 1).refused('UNSUPPORTED_OPERATION')
  move(fund, fund, 1).refused('UNSUPPORTED_OPERATION')
  move(owner, owner, 1).refused('UNSUPPORTED_OPERATION')
  move(fund, backstop, 0).refused('INVALID_AMOUNT', 0)
  move(fund, backstop, insurance + 1).refused('FUND_TOO_SMALL', insurance + 1, insurance)
  move(owner, fund, 2).refused('FUND_TOO_SMALL', 2, 1)
  move(owner, fund, 1).emits({ type: 'ReserveMoved', fromBalance: 0, toBalance: insurance + 1 })
  move(fund, backstop, 1).accepted()
  move(backstop, fund, 1).accepted()
  move(fund, feeAccount, 1).accepted()
  const moved = move(fund, backstop, there).one('ReserveMoved')
  const refusal = move(backstop, fund, much).one('CommandRejected')
  const returned = move(backstop, fund, back).one('ReserveMoved')
  move(fund, owner, granted).accepted()
  const last = move(owner, feeAccount, fees).one('ReserveMoved')
  row.names(refusal.rejection)
  row.says(
    ...[moved.fromBalance, moved.toBalance, refusal.first, refusal.second],
    ...[returned.toBalance, returned.fromBalance, last.fromBalance, last.toBalance - 1],
  )
})

test('money that a position needs cannot be moved away from its account (MARKET-3)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 100_000_000, B: 10 ** 11 } })
  scene.buys('A', 'B', 1_000, 60_000)
  const free = scene.account('A').withdrawable
  assert.ok(free > 0 && free < 100_000_000)
  const move = (amount: number) => {
    return scene.run({ type: 'MoveReserve', from: scene.id('A'), to: 2, amount })
  }
  move(free + 1).refused('FUND_TOO_SMALL', free + 1, free)
  move(free).accepted()
})

test('a grid only grows, as far as every open order and position allows (MARKET-2)', () => {
  const scene = given(free)
  const change = (more: Record<string, unknown>) => {
    return scene.run({ type: 'ChangeMarket', market: BTC, change: more })
  }
  scene.buys('A', 'B', 1_000_000, 60_000)
  change({ tickMax: 999_999 }).refused('INVALID_PARAMETER', 0)
  change({ tickMin: 2 }).refused('INVALID_PARAMETER', 0)
  change({ tickMax: 2_000_000_001 }).refused('INVALID_PARAMETER', 0)
  const first = Math.min(scene.id('A'), scene.id('B'))
  change({ tickMax: 2_000_000_000 }).refused('INVALID_PARAMETER', first)
  change({ tickMax: 2_000_000 }).emits({ type: 'MarketChanged', effectiveAt: scene.now })
  scene.bid('A', 100, 1_500_000).refused('PRICE_TOO_FAR_FROM_MARK', 1_500_000, 0, 120_000)
})

test('case 47: the first account that a higher price is too much for is named (MARKET-5)', () => {
  const row = worked('markets', 47)
  const [tickMax, lots = 0, price = 0, bid = 0, over = 0, most = 0] = row.given()
  const scene = given({ ...free, market: { tickMax, orderValueMax: 2 ** 52 } })
  scene.buys('A', 'B', lots, price)
  scene.bid('A', bid, 1_000).accepted()
  assert.equal(scene.view.markets.get(BTC)?.highestTick, most)
  const refusal = change(scene, { tickMax: over }).one('CommandRejected')
  assert.equal(refusal.first, scene.id('A'))
  change(scene, { tickMax: most }).accepted()
  const shrunk = [{ tickMin: 2 }, { tickMax }].map((less) => {
    return change(scene, less).refused('INVALID_PARAMETER', 0).one('CommandRejected')
  })
  row.names(...[refusal, ...shrunk].map(({ rejection }) => rejection))
  row.says(...[over, most].map((tick) => (lots + bid) * tick * 10))
})

test('a market is settled at any whole tick that all can bear (MARKET-4)', () => {
  const scene = given({ ...free, market: { tickMax: 100_000 } })
  scene.buys('A', 'B', 1_000_000, 60_000)
  const settle = (price: number) => scene.run({ type: 'SettleMarket', market: BTC, price })
  settle(0.5).refused('INVALID_TICK_SIZE', 0)
  settle(2_000_000_001).refused('INVALID_TICK_LEVEL', 2_000_000_001, 1, 2_000_000_000)
  settle(2_000_000_000).refused('INVALID_PARAMETER', Math.min(scene.id('A'), scene.id('B')))
  settle(100_001).includes({ type: 'MarketSettled', price: 100_001 })
  assert.equal(scene.position('A'), undefined)
})

test('settling ends all orders, stops and TWAPs, and closes all positions (MARKET-4)', () => {
  const scene = given({ ...free, market: { speedBumpMs: 200 } })
  scene.run({ type: 'SetClockFrozen', frozen: true })
  scene.buys('A', 'B', 100, 60_000)
  scene.bid('A', 100, 59_000)
  scene.stop('B', 'bid', levelAt(61_000, { size: 100 }))
  scene.run({ type: 'SetClockFrozen', frozen: false })
  scene.ask('A', 100, 61_000)
  const plan = { market: BTC, side: 'bid', size: 1_000, slippagePpm: 0, durationSeconds: 60 }
  scene.own('A', 'PlaceTwap', { ...plan, reduceOnly: false, clientOrderId: null })
  const settle = (price: number, market = BTC) => scene.run({ type: 'SettleMarket', market, price })
  settle(60_000, 9).refused('BOOK_NOT_FOUND', 9)
  settle(0.5).refused('INVALID_TICK_SIZE', 0)
  settle(0).refused('INVALID_TICK_LEVEL', 0, 1, 2_000_000_000)
  const settled = { cause: 'settlement', role: 'taker', counterparty: 2 } as const
  settle(60_500).emits(
    { type: 'MarketSettled', market: BTC, price: 60_500 },
    { type: 'OrderCancelled', order: 3, reason: 'market_closed' },
    { type: 'OrderCancelled', order: 4, reason: 'market_closed' },
    { type: 'OrderCancelled', order: 5, reason: 'market_closed' },
    { type: 'AlgoEnded', algo: 6, reason: 'market_closed' },
    { type: 'Filled', account: scene.id('A'), kind: 'close_long', pnl: 500_000, ...settled },
    { type: 'Filled', account: scene.id('B'), kind: 'close_short', pnl: -500_000, ...settled },
  )
  settle(60_500).refused('UNSUPPORTED_OPERATION')
  scene.bid('A', 100, 59_000).refused('TRADING_DISABLED')
  scene.wait(3_600_000).lacks('FundingClosed')
})

test('settling gives an isolated position its whole wallet back (MARKET-4)', () => {
  const scene = given(free)
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.run({ type: 'SettleMarket', market: BTC, price: 59_900 })
  assert.equal(scene.balance('A'), 10 ** 11 - 1_000_000)
})

test('case 40: K of a grid (MARKET-5)', () => {
  const row = worked('markets', 40)
  const [tick, , tickScale, lot, , lotScale, lots = 0, price = 0] = row.given()
  const scene = given({ ...free, markets: [] })
  const tickSize = { value: tick, scale: tickScale }
  const params = paramsOf('BTC', { tickSize, lotSize: { value: lot, scale: lotScale } })
  scene.run({ type: 'ListMarket', params, oracle: 1_000_000_000 }).accepted()
  const { value } = scene.buys('A', 'B', lots, price).fills()[0]!
  row.says(value / lots / price, value)
})

test('case 41: a lower leverageMax comes a day later (MARKET-5)', () => {
  const row = worked('markets', 41)
  const [leverageMax, lowered, lots = 0, price = 0] = row.given()
  const scene = given({ ...free, market: { leverageMax }, markets: ['BTC'] })
  scene.buys('A', 'B', lots, price)
  const before = scene.account('A').maintenance
  const { effectiveAt } = change(scene, { leverageMax: lowered }).one('MarketChanged')
  scene.wait(effectiveAt - START)
  row.says(effectiveAt - START, before, scene.account('A').maintenance)
})

test('case 42: a settlement that one side cannot pay (MARKET-5)', () => {
  const row = worked('markets', 42)
  const [price = 0, lots = 0, entry = 0, long = 0, , short = 0, insurance = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { A: long, B: short, insurance } })
  scene.run({ type: 'SetFundDailyMax', dailyMax: 1_000_000 }).accepted()
  scene.buys('A', 'B', lots, entry)
  const outcome = scene.run({ type: 'SettleMarket', market: BTC, price })
  const pnls = outcome.fills().map(({ pnl }) => pnl)
  const { deficit } = outcome.one('DeficitBooked')
  const balances = [scene.balance('A'), scene.balance('B')]
  row.says(...pnls, outcome.one('InsurancePaid').amount, deficit, ...balances)
})

test('kept actions of a settled market never run (MARKET-4)', () => {
  const scene = given({ ...free, market: { speedBumpMs: 200 } })
  scene.bid('A', 100, 59_000, { tif: 'ALO' })
  const own = { account: scene.id('A'), proof: null, market: BTC }
  const cancel = { type: 'CancelOrder', ...own, order: 2, clientOrderId: null }
  const order = { type: 'PlaceOrder', ...own, ...orderOf('bid', 100, 59_500) }
  scene.run({ type: 'Batch', account: own.account, actions: [order, cancel] })
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  scene.wait(200).emits()
})

test('a note is kept under its name until it is taken away (MARKET-6)', () => {
  const scene = given({ markets: ['BTC'] })
  const keep = (name: string, text: string | null) => scene.run({ type: 'KeepNote', name, text })
  keep('one', 'first').emits({ type: 'NoteKept', name: 'one' })
  keep('one', 'second').accepted()
  keep('two', 'x'.repeat(limits.noteLength)).accepted()
  keep('two', null).emits({ type: 'NoteKept', name: 'two' })
  keep('two', null).accepted()
  assert.deepEqual([...scene.state.notes], [['one', 'second']])
  for (const name of ['', 'x'.repeat(limits.textLength + 1)])
    keep(name, 'text').refused('INVALID_PARAMETER', 0)
  for (const text of ['', 'x'.repeat(limits.noteLength + 1)])
    keep('one', text).refused('INVALID_PARAMETER', 0)
  for (let n = 1; n < limits.notes; n++) keep(`${n}`, 'text').accepted()
  keep('one more', 'text').refused('LIMIT_REACHED', limits.notes)
  keep('one', 'third').accepted()
})

test('past bars are published and change nothing (MARKET-6)', () => {
  const scene = given({ markets: ['BTC'] })
  const before = tradingHash(scene.state)
  const publish = (market: number, bars: string) => scene.run({ type: 'TellPast', market, bars })
  publish(BTC, '[]').emits({ type: 'PastTold', market: BTC, bars: '[]' })
  publish(9, '[]').refused('BOOK_NOT_FOUND', 9)
  for (const bars of ['', 'x'.repeat(limits.noteLength + 1)])
    publish(BTC, bars).refused('INVALID_PARAMETER', 0)
  assert.equal(tradingHash(scene.state), before)
})

test('notes and jumps are in the state hash, and not in the trading hash (MARKET-6)', () => {
  const scene = given({ markets: ['BTC'] })
  const { state } = scene
  const [whole, trading] = [stateHash(state), tradingHash(state)]
  state.notes.set('one', 'text')
  assert.notEqual(stateHash(state), whole)
  state.notes.clear()
  state.markets[BTC]!.jumps += 1
  assert.notEqual(stateHash(state), whole)
  assert.equal(tradingHash(state), trading)
  state.notes.set('b', 'two')
  state.notes.set('a', 'one')
  const copy = decodeState(encodeState(state))
  assert.deepEqual([...copy.notes].sort(), [
    ['a', 'one'],
    ['b', 'two'],
  ])
  assert.equal(copy.markets[BTC]!.jumps, 1)
  assert.equal(stateHash(copy), stateHash(state))
})
