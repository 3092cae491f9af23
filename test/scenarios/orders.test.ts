// docs/rules/orders.md through both engines: checks, speed bump, running, matching, fills,
// reduce-only, cancel, edit. Batches are in orders-batch.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstRules } from '../../src/core/rules/first-rules.ts'
import { worked } from '../support/rule-table.ts'
import {
  BTC,
  codeOf,
  ETH,
  freeTiers,
  given,
  levelAt,
  type Outcome,
  START,
} from '../support/scene.ts'
import { setLimits } from '../support/trial-rules.ts'

const funds = { A: 10 ** 11, B: 10 ** 11, C: 10 ** 11 }
const free = { tiers: freeTiers, funds }
const bumped = { ...free, market: { speedBumpMs: 200 } }

/** [price, lots] of each trade. */
const trades = (outcome: Outcome) => outcome.all('Traded').map(({ price, lots }) => [price, lots])

test('a price is a whole tick within the market’s bounds (ORDER-1)', () => {
  const scene = given({ ...free, market: { tickMin: 50_000, tickMax: 70_000 }, markets: ['BTC'] })
  scene.bid('A', 100, 59_000.5).refused('INVALID_TICK_SIZE', 0)
  scene.bid('A', 100, 49_999).refused('INVALID_TICK_LEVEL', 49_999, 50_000, 70_000)
  scene.ask('A', 100, 70_001).refused('INVALID_TICK_LEVEL', 70_001, 50_000, 70_000)
  scene.bid('A', 100, 50_000).accepted()
})

test('a size and a slippage are whole, and the words are known (ORDER-1)', () => {
  const scene = given(free)
  scene.bid('A', -3, 60_000).refused('INVALID_AMOUNT', -3)
  scene.bid('A', 1.5, 60_000).refused('INVALID_AMOUNT', 0)
  scene.take('A', 'bid', 100, { slippagePpm: 1_000_001 }).refused('INVALID_AMOUNT', 1_000_001)
  scene.place('A', 'buy' as never, 100, 60_000).refused('INVALID_ORDER_TYPE')
  scene.bid('A', 100, 60_000, { tif: 'DAY' }).refused('INVALID_ORDER_TYPE')
})

test('an order is neither too small nor too large (ORDER-1)', () => {
  const scene = given(free)
  scene.bid('A', 1, 60_000).refused('ORDER_AMOUNT_TOO_LOW', 600_000, 1_000_000)
  const large = scene.bid('A', 1_666_667, 60_000)
  large.refused('ORDER_AMOUNT_TOO_HIGH', 1_000_000_200_000, 1_000_000_000_000)
  // The value of a market order is that at mark.
  scene.take('A', 'bid', 1).refused('ORDER_AMOUNT_TOO_LOW', 600_000, 1_000_000)
})

test('dust may be closed: a reduce-only order of exactly the position’s size (ORDER-1)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 3, 60_000)
  scene.sells('A', 'B', 2, 60_000)
  const reduceOnly = { reduceOnly: true }
  scene.ask('A', 1, 60_000).refused('ORDER_AMOUNT_TOO_LOW', 600_000, 1_000_000)
  scene.ask('A', 1, 60_000, reduceOnly).includes({ type: 'OrderRested', remaining: 1 })
})

test('a client order id names one live order of the account (ORDER-1)', () => {
  const scene = given(free)
  const named = { clientOrderId: 'mine' }
  scene.bid('A', 100, 59_000, named).accepted()
  scene.bid('A', 100, 59_000, named).refused('DUPLICATE_CLIENT_ORDER_ID')
  scene.bid('B', 100, 59_000, named).accepted()
  const takeProfit = levelAt(61_000, { clientOrderId: 'same' })
  const twice = { clientOrderId: 'same', takeProfit }
  scene.bid('A', 100, 59_000, twice).refused('DUPLICATE_CLIENT_ORDER_ID')
  scene.cancel('A', null, named).accepted()
  scene.bid('A', 100, 59_000, named).accepted()
})

test('an account has at most 1,000 open orders, stops and levels (ORDER-1)', () => {
  const scene = given({ ...free, markets: ['BTC'] })
  scene.quietly(() => {
    for (let n = 0; n < 998; n++) scene.bid('A', 100, 58_900).accepted()
  })
  const takeProfit = levelAt(61_000)
  const stopLoss = levelAt(58_000)
  const both = scene.bid('A', 100, 59_000, { takeProfit, stopLoss })
  both.refused('OPEN_ORDER_LIMIT_REACHED', 998, 1_000)
  scene.bid('A', 100, 59_000, { takeProfit }).accepted()
  scene.bid('A', 100, 59_000).refused('OPEN_ORDER_LIMIT_REACHED', 1_000, 1_000)
})

test('reduce-only needs a position, its other side, and no more than it (ORDER-1)', () => {
  const scene = given(free)
  const reduceOnly = { reduceOnly: true }
  scene.ask('A', 100, 60_000, reduceOnly).refused('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
  scene.buys('A', 'B', 100, 60_000)
  scene.bid('A', 100, 60_000, reduceOnly).refused('INVALID_REDUCE_ONLY_ORDER_SIDE')
  const much = scene.ask('A', 101, 60_000, reduceOnly)
  much.refused('INVALID_REDUCE_ONLY_ORDER_AMOUNT', 101, 100)
  const takeProfit = levelAt(50_000)
  const levelled = scene.ask('A', 100, 60_000, { reduceOnly: true, takeProfit })
  levelled.refused('INVALID_STOP_ORDER_REDUCE_ONLY')
})

test('a market order that would take nothing is refused with its worst price (ORDER-1)', () => {
  const scene = given(free)
  scene.ask('B', 100, 60_700)
  scene.take('A', 'bid', 100, { slippagePpm: 10_000 }).refused('NO_REASONABLE_PRICE', 60_600)
  scene.take('A', 'bid', 100, { slippagePpm: 20_000 }).includes({ type: 'Traded', price: 60_700 })
})

test('collected fills pass over orders of the same owner (ORDER-2)', () => {
  const scene = given(free)
  scene.own('A', 'CreateSubaccount', { address: 'A2' })
  scene.own('A', 'Transfer', { to: scene.id('A2'), amount: 10 ** 10 })
  scene.ask('A2', 100, 60_000)
  scene.take('A', 'bid', 100).refused('NO_REASONABLE_PRICE', 60_600)
  scene.take('B', 'bid', 100).includes({ type: 'Traded', lots: 100 })
})

test('a reduce-only maker counts up to the position that the walk leaves it (ORDER-2)', () => {
  const scene = given(free)
  scene.buys('B', 'C', 300, 60_000)
  scene.ask('B', 200, 60_100)
  scene.ask('B', 300, 60_200, { reduceOnly: true })
  // 200 plain and then 100 of the 300: an FOK of 300 fills, one of 301 does not.
  const fok = { tif: 'FOK' }
  scene.bid('A', 301, 60_200, fok).includes({ type: 'OrderCancelled', reason: 'expired' })
  assert.deepEqual(trades(scene.bid('A', 300, 60_200, fok)), [
    [60_100, 200],
    [60_200, 100],
  ])
})

test('orders that may take wait, others do not; a frozen clock delays none (ORDER-3)', () => {
  const scene = given(bumped)
  for (const tif of ['GTC', 'IOC', 'FOK'])
    scene.bid('A', 100, 59_000, { tif }).emits({ type: 'OrderPlaced', waiting: true })
  for (const tif of ['ALO', 'TOB'])
    scene.bid('A', 100, 59_000, { tif }).emits({ type: 'OrderPlaced' }, { type: 'OrderRested' })
  scene
    .run({ type: 'SetClockFrozen', frozen: true })
    .emits({ type: 'ClockFrozenSet', frozen: true })
  scene
    .bid('A', 100, 59_000)
    .emits({ type: 'OrderPlaced', waiting: false }, { type: 'OrderRested' })
})

test('at its release an order is checked again, and a refusal ends it (ORDER-3)', () => {
  const scene = given({ ...bumped, funds: { A: 2_000_000, B: 10 ** 11 } })
  scene.bid('A', 100, 60_000).emits({ type: 'OrderPlaced', waiting: true })
  // It counts while it waits.
  scene.own('A', 'Withdraw', { amount: 1_000_000 }).refused('OVER_WITHDRAWAL', 1_000_000, 800_000)
  scene.mark(BTC, 110_000)
  const rejection = codeOf('INSUFFICIENT_BALANCE')
  scene
    .wait(200)
    .includes({ type: 'OrderCancelled', order: 1, reason: 'refused', rejection, remaining: 100 })
})

test('orders are released in order of id, after their wait (ORDER-3)', () => {
  const scene = given(bumped)
  scene.bid('A', 100, 60_000)
  scene.later(100).ask('B', 100, 60_000)
  scene.wait(100).emits({ type: 'OrderRested', order: 1 })
  scene.wait(99).emits()
  scene.wait(1).includes({ type: 'Traded', makerOrder: 1, takerOrder: 2 })
})

test('a post-only order that would cross is rejected, own orders included (ORDER-4)', () => {
  const scene = given(free)
  scene.ask('A', 100, 60_000)
  scene
    .bid('A', 100, 60_000, { tif: 'ALO', stopLoss: levelAt(59_000) })
    .emits(
      { type: 'OrderPlaced' },
      { type: 'StopPlaced', armed: false },
      { type: 'OrderCancelled', reason: 'post_only_rejected', remaining: 100 },
      { type: 'OrderCancelled', reason: 'parent_ended' },
    )
})

test('FOK fills all or nothing, and nothing else changes (ORDER-4)', () => {
  const scene = given(free)
  scene.ask('A', 50, 60_000)
  scene.ask('B', 50, 60_000)
  // Its own 50 do not help, and are not cancelled either.
  scene
    .bid('A', 51, 60_000, { tif: 'FOK' })
    .emits({ type: 'OrderPlaced' }, { type: 'OrderCancelled', reason: 'expired', remaining: 51 })
  assert.equal(scene.book().asks[0]?.orders.length, 2)
  const filled = scene.bid('A', 50, 60_000, { tif: 'FOK' })
  filled.includes({ type: 'OrderCancelled', reason: 'self_trade_prevented' }, { type: 'Traded' })
})

test('the rest of an IOC order expires, that of a GTC order rests (ORDER-4)', () => {
  const scene = given(free)
  for (const tif of ['IOC', 'GTC']) {
    scene.ask('B', 60, 60_000)
    const outcome = scene.bid('A', 100, 60_000, { tif })
    if (tif === 'IOC')
      outcome.includes({ type: 'OrderCancelled', reason: 'expired', remaining: 40 })
    else outcome.includes({ type: 'OrderRested', price: 60_000, remaining: 40 })
  }
})

test('a TOB order that would leave the market’s prices is refused (ORDER-4)', () => {
  const scene = given({ ...free, market: { tickMin: 60_000 }, markets: ['BTC'] })
  scene.ask('B', 100, 60_000)
  const outcome = scene.bid('A', 100, 60_000, { tif: 'TOB' })
  outcome.refused('INVALID_TICK_LEVEL', 59_999, 60_000, 1_000_000)
})

test('a rest that the account cannot carry after its fills does not stay (ORDER-4)', () => {
  const scene = given({ market: { orderValueMin: 1 }, funds: { B: 10 ** 12, C: 36_740 } })
  for (let n = 0; n < 2; n++) scene.ask('B', 1, 60_001)
  // 36,000 of margin, a fee of 240 and a loss of 10 for the rest; slippage of 20 and a fee of 481.
  scene.bid('C', 3, 60_001).refused('INSUFFICIENT_BALANCE', 36_250, 36_239)
  const rich = given({ market: { orderValueMin: 1 }, funds: { B: 10 ** 12, C: 36_751 } })
  for (let n = 0; n < 2; n++) rich.ask('B', 1, 60_001)
  // As two fills the fee is 482, and one micro-dollar is missing for the rest.
  const outcome = rich.bid('C', 3, 60_001)
  assert.equal(outcome.all('Traded').length, 2)
  outcome.includes({ type: 'OrderCancelled', reason: 'margin', remaining: 1 })
})

test('orders of one owner never meet: the maker is cancelled (ORDER-5)', () => {
  const scene = given(free)
  scene.own('A', 'CreateSubaccount', { address: 'A2' })
  scene.own('A', 'Transfer', { to: scene.id('A2'), amount: 10 ** 10 })
  scene.ask('A', 100, 60_000)
  scene.ask('B', 100, 60_000)
  scene
    .bid('A2', 100, 60_000)
    .includes(
      { type: 'OrderCancelled', order: 1, reason: 'self_trade_prevented' },
      { type: 'Traded', makerOrder: 2 },
    )
})

test('the best price is met first, and at a price the oldest order (ORDER-5)', () => {
  const row = worked('orders', 26)
  const [b1 = 0, p1 = 0, c = 0, p2 = 0, b2 = 0, p3 = 0, size = 0, limit = 0] = row.given()
  const scene = given(free)
  scene.ask('B', b1, p1)
  scene.ask('C', c, p2)
  scene.ask('B', b2, p3)
  const met = trades(scene.bid('A', size, limit)).flatMap(([price, lots]) => [lots, price])
  const left = scene.book().asks[0]?.orders.map(([, remaining]) => remaining)
  row.says(...met, ...left!)
})

test('a fill that would raise open interest above its maximum ends the taker (ORDER-5)', () => {
  const scene = given({ ...free, market: { openInterestMax: 150 } })
  scene.ask('B', 100, 60_000)
  scene.ask('B', 100, 60_001)
  scene
    .bid('A', 200, 60_001)
    .includes(
      { type: 'Traded', lots: 100 },
      { type: 'OrderCancelled', reason: 'open_interest', remaining: 100 },
    )
  assert.equal(scene.book().openInterest, 100)
  scene.bid('A', 100, 60_001).refused('OPEN_INTEREST_LIMIT_EXCEEDED', 200, 150)
})

test('open interest may reach its maximum with the second match, not exceed it (ORDER-5)', () => {
  const interest = (second: number) => {
    const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 }
    const scene = given({ market: { openInterestMax: 1_500 }, tiers: freeTiers, funds })
    scene.ask('B', 1_000, 60_000)
    scene.ask('C', second, 60_000)
    scene.bid('A', 1_000 + second, 60_000, { tif: 'IOC' })
    return scene.book().openInterest
  }
  assert.deepEqual([interest(499), interest(500), interest(501)], [1_499, 1_500, 1_000])
  // Of 600 lots 100 close a short, so that only 500 are added.
  const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 }
  const scene = given({ market: { openInterestMax: 1_500 }, tiers: freeTiers, funds })
  scene.buys('B', 'C', 900, 60_000)
  scene.buys('B', 'A', 100, 60_000)
  scene.buys('A', 'C', 600, 60_000)
  assert.equal(scene.book().openInterest, 1_500)
})

test('case 29: an order whose first match would exceed open interest is refused (ORDER-11)', () => {
  const row = worked('orders', 29)
  const [openInterestMax, present = 0, much = 0, fits = 0] = row.given()
  const scene = given({ ...free, market: { openInterestMax }, funds: { ...funds, D: 10 ** 11 } })
  scene.buys('A', 'B', present, 60_000)
  scene.ask('D', much, 60_000)
  const refusal = scene.bid('C', much, 60_000).one('CommandRejected')
  scene.bid('C', fits, 60_000).accepted()
  row.names(refusal.rejection)
  row.says(refusal.first, refusal.second, scene.book().openInterest)
})

test('the maker’s unarmed levels end with it, right after it (ORDER-5)', () => {
  const scene = given(free)
  scene.ask('A', 100, 60_000, { takeProfit: levelAt(59_000), stopLoss: levelAt(61_000) })
  scene
    .bid('A', 100, 60_000)
    .emits(
      { type: 'OrderPlaced' },
      { type: 'OrderCancelled', order: 1, reason: 'self_trade_prevented' },
      { type: 'OrderCancelled', order: 2, reason: 'parent_ended' },
      { type: 'OrderCancelled', order: 3, reason: 'parent_ended' },
      { type: 'OrderRested' },
    )
})

test('a trade lists the taker’s parts, then the maker’s, history ids in order (ORDER-6)', () => {
  const scene = given({ funds })
  scene.sells('A', 'B', 100, 60_000)
  const outcome = scene.buys('A', 'B', 150, 60_100)
  const parts = outcome.fills()
  assert.deepEqual(
    parts.map(({ role, kind, lots }) => [role, kind, lots]),
    [
      ['taker', 'close_short', 100],
      ['taker', 'open_long', 50],
      ['maker', 'close_long', 100],
      ['maker', 'open_short', 50],
    ],
  )
  const { history: first, cause } = outcome.one('Traded')
  assert.equal(cause, 'normal')
  assert.deepEqual(
    parts.map(({ history }) => history - first),
    [0, 1, 2, 3],
  )
  const [close, open] = parts
  assert.deepEqual([close!.pnl, open!.pnl], [-100_000 - close!.fee, -open!.fee])
  assert.deepEqual([close!.entryCost, close!.entryLots], [-60_000_000, -100])
})

test('case 27: reduce-only orders are cut with the position (ORDER-7)', () => {
  const row = worked('orders', 27)
  const [lots = 0, large = 0, small = 0, sold = 0, more = 0] = row.given()
  const scene = given(free)
  scene.buys('A', 'B', lots, 60_000)
  scene.ask('A', large, 61_000, { reduceOnly: true })
  scene.ask('A', small, 62_000, { reduceOnly: true })
  const cut = (outcome: Outcome) => {
    return outcome.all('OrderReduced').flatMap(({ cancelled, remaining }) => [cancelled, remaining])
  }
  row.says(...cut(scene.sells('A', 'B', sold, 60_000)), ...cut(scene.sells('A', 'B', more, 60_000)))
})

test('without the position its reduce-only orders and levels end (ORDER-7)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  const { order } = scene.ask('A', 100, 61_000, { reduceOnly: true }).one('OrderPlaced')
  const levels = { takeProfit: levelAt(62_000), stopLoss: levelAt(59_000, { size: 80 }) }
  scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', ...levels })
  const shrunk = scene.sells('A', 'B', 50, 60_000)
  shrunk.includes(
    { type: 'OrderReduced', order, cancelled: 50, remaining: 50 },
    { type: 'StopReduced', order: order + 2, size: 50 },
  )
  scene
    .sells('A', 'B', 60, 60_000)
    .includes(
      { type: 'OrderCancelled', order, reason: 'reduce_only', remaining: 50 },
      { type: 'OrderCancelled', order: order + 1, reason: 'reduce_only' },
      { type: 'OrderCancelled', order: order + 2, reason: 'reduce_only' },
    )
})

test('many fills of one order make one cut, when it has met all (ORDER-5, ORDER-7)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  scene.ask('A', 100, 61_000, { reduceOnly: true })
  scene.ask('A', 80, 62_000, { reduceOnly: true })
  for (const lots of [10, 15, 25]) scene.bid('B', lots, 59_900)
  const outcome = scene.ask('A', 50, 59_900, { tif: 'IOC' })
  assert.deepEqual(
    outcome.all('OrderReduced').map(({ cancelled, remaining }) => [cancelled, remaining]),
    [
      [50, 50],
      [30, 50],
    ],
  )
  assert.equal(outcome.all('Traded').length, 3)
})

test('a reduce-only maker that is met again gives the rest (ORDER-5, ORDER-7)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  for (const [lots, price] of [
    [70, 60_100],
    [60, 60_200],
    [100, 60_300],
  ] as const)
    scene.ask('A', lots, price, { reduceOnly: true })
  scene.ask('C', 50, 60_400)
  const outcome = scene.bid('B', 120, 60_400, { tif: 'IOC' })
  assert.deepEqual(
    outcome.all('Traded').map(({ price, lots }) => [price, lots]),
    [
      [60_100, 70],
      [60_200, 30],
      [60_400, 20],
    ],
  )
  assert.deepEqual(
    outcome.all('OrderReduced').map(({ cancelled, remaining }) => [cancelled, remaining]),
    [[30, 30]],
  )
  outcome.includes({ type: 'OrderCancelled', reason: 'reduce_only', remaining: 100 })
})

test('an order is found by its id, its client id, or both together (ORDER-8)', () => {
  const scene = given(free)
  for (const clientOrderId of ['one', 'two', 'three'])
    scene.bid('A', 100, 59_000, { clientOrderId })
  const cancel = (order: number | null, clientOrderId: string | null, more = {}) => {
    return scene.cancel('A', order, { clientOrderId, ...more })
  }
  cancel(null, null).refused('ORDER_NOT_FOUND', 0)
  cancel(1, 'two').refused('ORDER_NOT_FOUND', 1)
  cancel(1, null, { market: ETH }).refused('ORDER_NOT_FOUND', 1)
  scene.cancel('B', 1).refused('ORDER_NOT_FOUND', 1)
  cancel(1, 'one').emits({ type: 'OrderCancelled', order: 1, reason: 'owner', remaining: 100 })
  cancel(null, 'two').emits({ type: 'OrderCancelled', order: 2 })
  cancel(3, null).emits({ type: 'OrderCancelled', order: 3 })
  cancel(3, null).refused('ORDER_NOT_FOUND', 3)
})

test('CancelStop finds stops and levels only (ORDER-8)', () => {
  const scene = given(free)
  scene.bid('A', 100, 59_000, { stopLoss: levelAt(58_000) })
  const cancel = (order: number) => {
    return scene.own('A', 'CancelStop', { market: BTC, order, clientOrderId: null })
  }
  cancel(1).refused('ORDER_NOT_FOUND', 1)
  cancel(2).emits({ type: 'OrderCancelled', order: 2, reason: 'owner' })
})

test('all are cancelled in order of id, without reduce-only ones if wished (ORDER-8)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  scene.bid('A', 100, 59_000)
  scene.ask('A', 50, 61_000, { reduceOnly: true })
  scene.bid('A', 100, 29_000, { market: ETH })
  const cancel = (market: number | null, excludeReduceOnly: boolean) => {
    return scene.own('A', 'CancelAllOrders', { market, excludeReduceOnly })
  }
  cancel(9, false).refused('BOOK_NOT_FOUND', 9)
  cancel(null, true).emits(
    { type: 'OrderCancelled', order: 3 },
    { type: 'OrderCancelled', order: 5 },
    { type: 'AllOrdersCancelled', count: 2 },
  )
  cancel(ETH, false).emits({ type: 'AllOrdersCancelled', count: 0 })
  cancel(BTC, false).emits({ type: 'OrderCancelled' }, { type: 'AllOrdersCancelled', count: 1 })
})

test('an edit is a cancel and a post-only order in one (ORDER-9)', () => {
  const scene = given(free)
  const levels = { takeProfit: levelAt(61_000) }
  scene.bid('A', 100, 59_000, { clientOrderId: 'mine', ...levels })
  const edit = (order: number, price: number, size: number) => {
    return scene.own('A', 'EditOrder', { market: BTC, order, clientOrderId: null, price, size })
  }
  edit(9, 59_100, 100).refused('ORDER_NOT_FOUND', 9)
  edit(1, 59_100, 1).refused('ORDER_AMOUNT_TOO_LOW', 591_000, 1_000_000)
  edit(1, 59_100, 200).emits(
    { type: 'OrderCancelled', order: 1, reason: 'replaced', remaining: 100 },
    { type: 'OrderPlaced', order: 3, tif: 'ALO', parent: 1, clientOrderId: 'mine', size: 200 },
    { type: 'OrderRested', order: 3, price: 59_100, remaining: 200 },
  )
  scene
    .cancel('A', 3)
    .emits({ type: 'OrderCancelled', order: 3 }, { type: 'OrderCancelled', order: 2 })
})

test('an edit that would cross leaves the old order where it is (ORDER-9)', () => {
  const scene = given(free)
  scene.bid('A', 100, 59_000, { clientOrderId: 'mine' })
  scene.ask('B', 100, 60_000)
  const edit = { market: BTC, order: 1, clientOrderId: null, price: 60_000, size: 100 }
  scene
    .own('A', 'EditOrder', edit)
    .emits(
      { type: 'OrderPlaced', order: 3, parent: 1, clientOrderId: null },
      { type: 'OrderCancelled', order: 3, reason: 'post_only_rejected' },
    )
  assert.deepEqual(scene.account('A').orders, [1])
})

test('case 31: a smaller order keeps its place, a larger one goes to the end (ORDER-11)', () => {
  const row = worked('orders', 31)
  const [first = 0, , second = 0, , price = 0, , less = 0, , more = 0] = row.given()
  const scene = given(free)
  scene.bid('A', first, price)
  scene.bid('B', second, price)
  const queue = () => scene.book().bids[0]!.orders.map(([, remaining]) => remaining)
  const edit = (order: number, size: number) => {
    scene.own('A', 'EditOrder', { market: BTC, order, clientOrderId: null, price, size }).accepted()
    return queue()
  }
  row.says(...edit(1, less), ...edit(3, more))
})

test('a position is dated with the command of its fill (ORDER-6)', () => {
  const scene = given(bumped)
  scene.ask('B', 100, 60_000, { tif: 'ALO' })
  scene.bid('A', 100, 60_000)
  // Due after 200 ms; the next command comes later.
  assert.equal(scene.wait(700).all('Traded').length, 1)
  const { openedAt, updatedAt } = scene.state.positions
  const rows = ['A', 'B'].map((name) => scene.state.markets[BTC]!.rowOf[scene.id(name)]!)
  for (const row of rows) assert.deepEqual([openedAt[row], updatedAt[row]], [scene.now, scene.now])
})

test('a side with all the prices it may have takes orders at no other (ORDER-12)', () => {
  const { levelsPerSide } = firstRules.limits
  assert.equal(levelsPerSide, 1_000_000)
  setLimits({ levelsPerSide: 2 })
  try {
    const scene = given(free)
    scene.bid('A', 100, 59_000)
    scene.bid('A', 100, 58_000)
    const full = { type: 'OrderCancelled', reason: 'refused', rejection: 1_015 } as const
    for (const tif of ['GTC', 'ALO', 'TOB'])
      scene.bid('B', 100, 59_500, { tif }).refused('BOOK_SIDE_FULL', 2)
    scene.bid('B', 100, 59_000).includes({ type: 'OrderRested' })
    scene.ask('B', 100, 61_000).includes({ type: 'OrderRested' })
    scene.bid('C', 300, 61_000).includes({ type: 'Traded', lots: 100 }, { ...full, remaining: 200 })
    const edit = (name: string, order: number, price: number) =>
      scene.own(name, 'EditOrder', { market: BTC, order, clientOrderId: null, price, size: 100 })
    // Not alone at its price: the price stays. Alone: it goes with the order.
    edit('A', 1, 59_100).refused('BOOK_SIDE_FULL', 2)
    edit('A', 2, 57_000).includes({ type: 'OrderRested', price: 57_000 })
  } finally {
    setLimits({ levelsPerSide })
  }
})

test('a wall of a thousand small orders stops only FOK orders (ORDER-2)', () => {
  const scene = given(free)
  const eager = (tif: string, size: number, reduceOnly = false) =>
    scene.bid('A', size, 60_010, { tif, reduceOnly })
  scene.quietly(() => {
    scene.sells('A', 'B', 3_000, 60_000)
    for (let at = 0; at < 1_000; at++) scene.ask('C', 2, 60_005)
    scene.ask('B', 9_000, 60_010)
    eager('FOK', 4_000).refused('TOO_MANY_ORDERS_TO_CHECK', 1_000, 2_000, 4_000)
    eager('FOK', 2_500, true).refused('TOO_MANY_ORDERS_TO_CHECK', 1_000, 2_000, 2_500)
    assert.equal(eager('IOC', 2_500, true).all('Traded').length, 1_001)
    scene.take('A', 'bid', 600).includes({ type: 'Traded', lots: 600 })
  })
  assert.deepEqual(scene.held('A'), [100, 60_010_000])
})

test('case 24: how far from mark an order may lie (ORDER-11)', () => {
  const row = worked('orders', 24)
  const [mark = 0, bandNearPpm, bandFarPpm] = row.given()
  const scene = given({ ...free, market: { bandNearPpm, bandFarPpm } })
  scene.mark(BTC, mark)
  const bounds = (side: 'bid' | 'ask') => {
    const { second: least, third: most } = scene.place('A', side, 100, 1_000).one('CommandRejected')
    // The bounds themselves are allowed, the prices beyond are not.
    for (const price of [least, most]) scene.place('A', side, 100, price, { tif: 'ALO' }).accepted()
    for (const price of [least - 1, most + 1])
      scene.place('A', side, 100, price).refused('PRICE_TOO_FAR_FROM_MARK', price, least, most)
    scene.own('A', 'CancelAllOrders', { market: null, excludeReduceOnly: false })
    return [least, most]
  }
  row.says(...bounds('bid'), ...bounds('ask'))
})

test('case 25: the worst price of a market order (ORDER-11)', () => {
  const row = worked('orders', 25)
  const [mark = 0, slippagePpm] = row.given()
  const scene = given(free)
  scene.mark(BTC, mark)
  const worst = (side: 'bid' | 'ask') => scene.take('A', side, 100, { slippagePpm })
  row.says(worst('bid').one('CommandRejected').first, worst('ask').one('CommandRejected').first)
})

test('case 28: TOB steps one tick aside (ORDER-11)', () => {
  const row = worked('orders', 28)
  const [bid = 0, ask = 0, offer = 0] = row.given()
  const scene = given(free)
  scene.ask('B', 100, ask)
  const tob = { tif: 'TOB' }
  const prices = [scene.bid('A', 100, bid, tob), scene.ask('C', 100, offer, tob)]
  row.says(...prices.map((outcome) => outcome.one('OrderRested').price))
})

test('case 30: a waiting order counts from its arrival on (ORDER-11)', () => {
  const row = worked('orders', 30)
  const [speedBumpMs, size = 0, price = 0, balance = 0, quiet = 0, rest = 0] = row.given()
  const scene = given({ market: { speedBumpMs }, funds: { A: balance } })
  scene.bid('A', size, price)
  const { requirement } = scene.position('A')!
  scene.wait(quiet).emits()
  const outcome = scene.wait(rest)
  row.names(...outcome.types())
  row.says(requirement, scene.now - START)
})
