// docs/rules/orders.md, ORDER-15, through both engines: which of two own orders is cancelled.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventOf } from '../../../src/core/events/event-fields.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, codeOf, freeTiers, given, levelAt, type Scene } from '../../support/scene.ts'

const funds = { A: 10 ** 12, B: 10 ** 12 }
const free = { tiers: freeTiers, funds, markets: ['BTC'] }

type Reason = EventOf<'OrderCancelled'>['reason']
const ended = (order: number, reason: Reason = 'self_trade_prevented') => {
  return { type: 'OrderCancelled', order, reason } as const
}

/** B offers 100 at this price, and A, who is to bid, offers 70 behind it. */
function quoted(setting = {}): Scene {
  const scene = given({ ...free, ...setting })
  scene.ask('B', 100, 60_010, { tif: 'ALO' })
  scene.ask('A', 70, 60_010, { tif: 'ALO' })
  return scene
}

test('case 232: the taker decides which own order is cancelled (ORDER-11, ORDER-15)', () => {
  const row = worked('orders', 232)
  const [price = 0, , , size = 0, whole = 0] = row.given()
  const bids = (stp: string, lots: number, more = {}) => {
    return quoted().bid('A', lots, price, { stp, ...more })
  }
  const traded = { type: 'Traded', makerOrder: 1 } as const
  const made = bids('cancel_maker', size)
  made.emits({ type: 'OrderPlaced' }, traded, ended(2), { type: 'OrderRested', order: 3 })
  const taken = bids('cancel_taker', size)
  taken.emits({ type: 'OrderPlaced' }, traded, ended(3))
  const both = bids('cancel_both', size)
  both.emits({ type: 'OrderPlaced' }, traded, ended(2), ended(3))
  const none = bids('cancel_taker', whole, { tif: 'FOK' })
  none.emits({ type: 'OrderPlaced' }, ended(3, 'expired'))
  row.names(none.one('OrderCancelled').reason)
  row.says(
    made.one('Traded').lots,
    made.one('OrderRested').remaining,
    taken.one('Traded').lots,
    taken.one('OrderCancelled').remaining,
    both.one('Traded').lots,
  )
})

test('the default is cancel_maker, and unknown values are refused (ORDER-15)', () => {
  for (const more of [{}, { stp: null }, { stp: 'cancel_maker' }])
    quoted()
      .bid('A', 200, 60_010, more)
      .emits({ type: 'OrderPlaced' }, { type: 'Traded' }, ended(2), { type: 'OrderRested' })
  const scene = quoted()
  for (const stp of ['', 'none', 'CANCEL_MAKER']) {
    scene.bid('A', 200, 60_010, { stp }).refused('INVALID_ORDER_TYPE')
    scene.take('A', 'bid', 200, { stp }).refused('INVALID_ORDER_TYPE')
  }
})

test('the walk of the book ends at the first own order (ORDER-2, ORDER-15)', () => {
  for (const stp of ['cancel_taker', 'cancel_both']) {
    const scene = quoted()
    scene.ask('B', 500, 60_020)
    scene.bid('A', 101, 60_020, { tif: 'FOK', stp }).includes(ended(4, 'expired')).lacks('Traded')
    scene.bid('A', 100, 60_020, { tif: 'FOK', stp }).includes({ type: 'Traded', lots: 100 })
    // Now the own one is the first.
    scene.take('A', 'bid', 10, { stp }).refused('NO_REASONABLE_PRICE', 60_600)
    scene.take('A', 'bid', 10).includes(ended(2), { type: 'Traded', price: 60_020 })
  }
})

test('the rest of a GTC order counts as open, though it may end (MARGIN-4, ORDER-15)', () => {
  const scene = given({ ...free, funds: { ...funds, A: 10_000_000 } })
  scene.ask('B', 10, 60_010, { tif: 'ALO' })
  scene.ask('A', 10, 60_010, { tif: 'ALO' })
  const refused = (stp: string) => scene.bid('A', 5_000, 60_010, { stp }).one('CommandRejected')
  assert.deepEqual(refused('cancel_taker'), refused('cancel_maker'))
  assert.equal(refused('cancel_taker').rejection, 'INSUFFICIENT_BALANCE')
})

test('an order that waits keeps its word, a market order too (ORDER-3, ORDER-15)', () => {
  const scene = quoted({ market: { speedBumpMs: 200 } })
  scene.bid('A', 150, 60_010, { stp: 'cancel_taker' }).accepted()
  scene.wait(200).includes({ type: 'Traded', lots: 100 }, { ...ended(3), remaining: 50 })
  scene.take('A', 'bid', 10, { stp: 'cancel_both' }).refused('NO_REASONABLE_PRICE', 60_600)
  scene.ask('B', 5, 60_000, { tif: 'ALO' })
  scene.take('A', 'bid', 10, { stp: 'cancel_both' }).accepted()
  scene.wait(200).includes({ type: 'Traded', lots: 5 }, ended(2), { ...ended(5), remaining: 5 })
})

test('the word of the maker does not count, and a subaccount is of its owner (ORDER-15)', () => {
  const scene = given(free)
  scene.own('A', 'CreateSubaccount', { address: 'S' }).accepted()
  scene.own('A', 'Transfer', { to: scene.id('S'), amount: 10 ** 11 }).accepted()
  scene.ask('S', 70, 60_010, { stp: 'cancel_taker' })
  scene.bid('A', 50, 60_010).emits({ type: 'OrderPlaced' }, ended(1), { type: 'OrderRested' })
  scene.ask('S', 50, 60_010, { stp: 'cancel_taker' }).emits({ type: 'OrderPlaced' }, ended(3))
})

test('the order of a stop gets through its owner’s quotes (TRIG-3, ORDER-15)', () => {
  const scene = quoted()
  scene.ask('B', 500, 60_020)
  scene.stop('A', 'bid', levelAt(60_005, { size: 120 }))
  scene.mark(BTC, 60_005).includes({ type: 'StopTriggered' }, ended(2), { type: 'Traded' })
  assert.equal(scene.held('A')[0], 120)
})

test('a waiting order is checked for no more than it may take (ORDER-3, ORDER-15)', () => {
  // Behind her own ask there is more than the cap lets anybody open: she does not get there.
  const setting = { ...free, market: { speedBumpMs: 200, openInterestMax: 100 } }
  const outcome = (stp: string) => {
    const scene = given(setting)
    scene.ask('A', 70, 60_010, { tif: 'ALO' })
    scene.ask('B', 500, 60_010, { tif: 'ALO' })
    scene.bid('A', 500, 60_010, { tif: 'IOC', stp }).accepted()
    return scene.wait(200)
  }
  const rejection = codeOf('OPEN_INTEREST_LIMIT_EXCEEDED')
  outcome('cancel_maker').emits({ ...ended(3, 'refused'), rejection })
  outcome('cancel_taker').emits(ended(3))
  outcome('cancel_both').emits(ended(1), ended(3))
})

test('a FOK order counts on nothing behind its owner’s (ORDER-4, ORDER-15)', () => {
  // P has no margin for its fill since the mark rose; the order that takes its place is behind A.
  const outcome = (stp: string) => {
    const scene = given({ ...free, funds: { ...funds, P: 5_000_000 } })
    scene.buys('B', 'P', 200, 60_000)
    scene.ask('P', 200, 60_010, { tif: 'ALO' })
    scene.ask('A', 70, 60_020, { tif: 'ALO' })
    scene.ask('B', 500, 60_030, { tif: 'ALO' })
    scene.mark(BTC, 61_000)
    return scene.bid('A', 200, 60_030, { tif: 'FOK', stp })
  }
  for (const stp of ['cancel_taker', 'cancel_both'])
    outcome(stp).emits({ type: 'OrderPlaced' }, ended(6, 'expired'))
  const through = outcome('cancel_maker').includes(ended(3, 'margin'), ended(4))
  assert.deepEqual([through.one('Traded').makerOrder, through.one('Traded').lots], [5, 200])
})
