// Quotes and maker protection (docs/rules/orders.md, ORDER-17 and ORDER-18) through both engines.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import {
  BTC,
  codeOf,
  ETH,
  type Expected,
  freeTiers,
  given,
  levelAt,
  type Outcome,
  orderOf,
  type Scene,
  START,
} from '../../support/scene.ts'

const funds = { A: 10 ** 11, B: 10 ** 11, C: 10 ** 11 }
const free = { tiers: freeTiers, funds, markets: ['BTC', 'ETH'] }
const bumped = { ...free, market: { speedBumpMs: 200 } }

type Fields = Readonly<Record<string, unknown>>

function batch(scene: Scene, ...actions: readonly Fields[]): Outcome {
  const account = scene.id('A')
  const own = { account, proof: null, market: BTC }
  const all = actions.map((each) => ({ ...own, ...each }))
  return scene.run({ type: 'Batch', account, actions: all, proof: null })
}

const quoteOf = (size: number, price: number, more: Fields = {}) => {
  return { type: 'Quote', side: 'bid', price, size, clientOrderId: 'q1', ...more }
}

/** One quote, without the event of its batch. */
function quote(scene: Scene, size: number, price: number, more: Fields = {}): readonly Expected[] {
  const [first, ...events] = batch(scene, quoteOf(size, price, more)).events
  assert.equal(first?.type, 'BatchActionStarted')
  return events
}

const limits = { windowMs: 1_000, frozenMs: 5_000, maxLots: 300, maxNet: null }
const protect = (scene: Scene, more: Fields = {}) =>
  scene.own('A', 'SetMmp', { market: BTC, limits: { ...limits, ...more } })

/** A protected ask of A. */
const show = (scene: Scene, size: number, price: number, more: Fields = {}) =>
  scene.ask('A', size, price, { tif: 'ALO', mmp: true, ...more })
const take = (scene: Scene, name: string, size: number, more: Fields = {}) =>
  scene.bid(name, size, 60_100, { tif: 'IOC', ...more })

const typesOf = (events: readonly Expected[]) => events.map(({ type }) => type)

test('a quote stands where its owner wants it, and is left alone where it does (ORDER-17)', () => {
  const row = worked('orders', 250)
  const [, price, first, again, smaller, larger, gone, , behind] = row.given()
  const scene = given(free)
  const moved = ['OrderCancelled', 'OrderPlaced', 'OrderRested']
  const left = () => scene.book().bids.flatMap(({ orders }) => orders.map(([, lots]) => lots))
  assert.deepEqual(typesOf(quote(scene, first!, price!)), ['OrderPlaced', 'OrderRested'])
  scene.bid('B', behind!, price!, { tif: 'ALO' })
  assert.deepEqual(quote(scene, again!, price!), [])
  assert.deepEqual(typesOf(quote(scene, smaller!, price!)), moved)
  const [kept] = left()
  assert.deepEqual(left(), [smaller, behind])
  assert.deepEqual(typesOf(quote(scene, larger!, price!)), moved)
  const [before, last] = left()
  const [end] = quote(scene, gone!, price!)
  row.says(kept, before, last)
  row.names((end as { reason?: string }).reason)
  assert.deepEqual(quote(scene, gone!, price!), [])
})

test('a quote that would cross leaves no old price behind (ORDER-17)', () => {
  const scene = given(free)
  scene.ask('B', 100, 60_010, { tif: 'ALO' })
  quote(scene, 50, 59_000)
  batch(scene, quoteOf(50, 60_010)).emits(
    { type: 'BatchActionStarted' },
    { type: 'OrderCancelled', order: 2, reason: 'replaced' },
    { type: 'OrderPlaced', order: 3, parent: 2, clientOrderId: 'q1' },
    { type: 'OrderCancelled', order: 3, reason: 'post_only_rejected' },
  )
  // A new one that would cross is an ALO order like any.
  batch(scene, quoteOf(50, 60_010)).includes({ type: 'OrderCancelled', order: 4 })
  batch(scene, quoteOf(50, 59_000)).includes({ type: 'OrderRested', order: 5 })
})

test('an invalid quote is refused and changes nothing (ORDER-17)', () => {
  const scene = given(free)
  const one = (action: Fields) => batch(scene, action)
  one(quoteOf(50, 59_000, { clientOrderId: null })).refused('INVALID_PARAMETER', 0)
  one(quoteOf(50, 59_000, { market: 9 })).refused('BOOK_NOT_FOUND', 9)
  one(quoteOf(50, 0.5)).refused('INVALID_TICK_SIZE')
  one(quoteOf(-1, 59_000)).refused('INVALID_AMOUNT', -1)
  const taken = (more: Fields) =>
    one(quoteOf(50, 59_000, more)).refused('DUPLICATE_CLIENT_ORDER_ID')
  scene.bid('A', 50, 59_000, { tif: 'ALO', clientOrderId: 'q1' })
  taken({ side: 'ask' })
  taken({ market: ETH, size: 0 })
  scene.bid('A', 50, 59_000, { tif: 'ALO', clientOrderId: 'l', takeProfit: levelAt(61_000) })
  taken({ clientOrderId: 'l' })
  // Its level ends before it: then it is a quote like any.
  scene.cancel('A', 3).includes({ type: 'OrderCancelled', order: 3 })
  one(quoteOf(50, 59_000, { clientOrderId: 'l' })).accepted()
  scene.stop('A', 'bid', levelAt(61_000, { size: 10, clientOrderId: 's' }))
  taken({ clientOrderId: 's', size: 0 })
  scene.sells('B', 'A', 10, 60_000)
  scene.ask('A', 10, 61_000, { tif: 'ALO', clientOrderId: 'r', reduceOnly: true })
  taken({ clientOrderId: 'r', side: 'ask' })
  // Refused, the old one stays; capitals are the same id.
  one(quoteOf(10 ** 9, 59_000)).refused('ORDER_AMOUNT_TOO_HIGH', 59 * 10 ** 13, 10 ** 12)
  batch(scene, quoteOf(0, 1, { clientOrderId: 'Q1' })).includes({
    type: 'OrderCancelled',
    order: 1,
  })
})

test('a quote of a delayed batch is kept for the release (ORDER-17, ORDER-10)', () => {
  const scene = given(bumped)
  quote(scene, 50, 59_000)
  const taking = { type: 'PlaceOrder', ...orderOf('bid', 10, 58_000) }
  const wrong = [quoteOf(0.5, 1), quoteOf(1, 0.5), quoteOf(1, 1, { clientOrderId: null })]
  const outcome = batch(scene, taking, quoteOf(60, 58_900), ...wrong)
  assert.equal(outcome.all('ActionDeferred').length, 1)
  assert.deepEqual(
    outcome.all('CommandRejected').map(({ rejection }) => rejection),
    Array(wrong.length).fill('INVALID_PARAMETER'),
  )
  scene
    .wait(200)
    .includes(
      { type: 'OrderCancelled', order: 1, reason: 'replaced' },
      { type: 'OrderRested', price: 58_900, remaining: 60 },
    )
})

test('fills within the window trip the protection, older ones do not (ORDER-18)', () => {
  const row = worked('orders', 251)
  const [windowMs, maxLots, frozenMs, lots, ...times] = row.given()
  const base = Math.ceil(START / 10_000) * 10_000
  const play = (moments: readonly number[]) => {
    const scene = given(free)
    protect(scene, { windowMs, maxLots, frozenMs })
    show(scene, 1_000, 60_100)
    return moments.map((at) => {
      scene.now = base + at
      return take(scene, 'B', lots!).all('MmpTripped')[0]?.until
    })
  }
  const [tripped, early] = [times.slice(0, 3), times.slice(4)]
  const until = play(tripped)
  assert.deepEqual(until.slice(0, 2), [undefined, undefined])
  // One more in the same moment is the third within the window: so far there were two.
  const later = play([...early, early[2]!])
  assert.deepEqual(later.slice(0, 3), [undefined, undefined, undefined])
  assert.equal(later[3], base + early[2]! + frozenMs!)
  row.says(until[2]! - base, 2 * lots!)
})

test('the order that trips takes all that is shown, the next one nothing (ORDER-18)', () => {
  const scene = given(free)
  protect(scene)
  show(scene, 200, 60_010)
  show(scene, 200, 60_020)
  scene.ask('A', 50, 60_030, { tif: 'ALO' })
  show(scene, 200, 60_040)
  // The taker's rest is published before the trip; then the remaining quotes are cancelled.
  scene
    .bid('B', 500, 60_030)
    .emits(
      { type: 'OrderPlaced', order: 5 },
      { type: 'Traded', makerOrder: 1, lots: 200 },
      { type: 'Traded', makerOrder: 2, lots: 200 },
      { type: 'Traded', makerOrder: 3, lots: 50 },
      { type: 'OrderRested', order: 5, remaining: 50 },
      { type: 'MmpTripped', account: scene.id('A'), market: BTC, until: scene.now + 5_000 },
      { type: 'OrderCancelled', order: 4, reason: 'mmp' },
    )
})

test('a taker before the turn cancels tripped quotes instead of filling them (ORDER-18)', () => {
  const scene = given(free)
  protect(scene)
  show(scene, 300, 60_010)
  show(scene, 200, 60_020)
  scene.ask('C', 100, 60_030, { tif: 'ALO' })
  const account = scene.id('B')
  const action = (size: number, tif: string) => {
    const order = orderOf('bid', size, 60_030)
    return { type: 'PlaceOrder', account, proof: null, ...order, tif }
  }
  const actions = [action(300, 'IOC'), action(101, 'FOK'), action(50, 'IOC'), action(50, 'FOK')]
  scene
    .run({ type: 'Batch', account, actions })
    .emits(
      { type: 'BatchActionStarted', index: 0 },
      { type: 'OrderPlaced' },
      { type: 'Traded', makerOrder: 1, lots: 300 },
      { type: 'MmpTripped' },
      { type: 'BatchActionStarted', index: 1 },
      { type: 'OrderPlaced' },
      { type: 'OrderCancelled', order: 5, reason: 'expired' },
      { type: 'BatchActionStarted', index: 2 },
      { type: 'OrderPlaced' },
      { type: 'OrderCancelled', order: 2, reason: 'mmp' },
      { type: 'Traded', makerOrder: 3, lots: 50 },
      { type: 'BatchActionStarted', index: 3 },
      { type: 'OrderPlaced' },
      { type: 'Traded', makerOrder: 3, lots: 50 },
    )
})

test('only protected orders of a tripped maker end before its turn (ORDER-18)', () => {
  const scene = given(free)
  protect(scene)
  show(scene, 300, 60_010)
  scene.ask('A', 200, 60_020, { tif: 'ALO' })
  const account = scene.id('B')
  const order = { ...orderOf('bid', 300, 60_020), tif: 'IOC' }
  const action = { type: 'PlaceOrder', account, proof: null, ...order }
  scene
    .run({ type: 'Batch', account, actions: [action, { ...action, size: 200 }] })
    .includes(
      { type: 'Traded', makerOrder: 1, lots: 300 },
      { type: 'MmpTripped' },
      { type: 'Traded', makerOrder: 2, lots: 200 },
    )
})

test('a net limit counts buys against sells (ORDER-18)', () => {
  const scene = given(free)
  protect(scene, { maxLots: null, maxNet: 150, frozenMs: 0 })
  show(scene, 500, 60_010)
  scene.bid('A', 500, 59_990, { tif: 'ALO', mmp: true })
  const sell = (size: number) => scene.ask('C', size, 59_990, { tif: 'IOC' })
  take(scene, 'B', 149).lacks('MmpTripped')
  sell(200).lacks('MmpTripped')
  sell(98).lacks('MmpTripped')
  sell(2).includes(
    { type: 'MmpTripped', until: 0 },
    { type: 'OrderCancelled', order: 1, reason: 'mmp' },
    { type: 'OrderCancelled', order: 2, reason: 'mmp' },
  )
})

test('frozen, protected orders are refused until the time or a reset (ORDER-18)', () => {
  const trip = (frozenMs: number) => {
    const scene = given(free)
    protect(scene, { frozenMs, maxLots: 2 })
    show(scene, 2, 60_010)
    scene.ask('A', 100, 60_020, { tif: 'ALO', clientOrderId: 'q2' })
    take(scene, 'B', 2).includes({ type: 'MmpTripped' })
    return scene
  }
  const scene = trip(5_000)
  const until = scene.now + 5_000
  show(scene, 100, 60_020).refused('MMP_FROZEN', until)
  const ask = { side: 'ask', clientOrderId: 'q2', mmp: true }
  batch(scene, quoteOf(100, 60_020, ask)).refused('MMP_FROZEN', until)
  scene.ask('A', 100, 60_020, { tif: 'ALO' }).accepted()
  batch(scene, quoteOf(0, 60_020, ask)).includes({ type: 'OrderCancelled', reason: 'owner' })
  show(scene.later(4_999), 100, 60_020).refused('MMP_FROZEN', until)
  show(scene.later(1), 100, 60_020).accepted()
  const still = trip(0)
  show(still.later(9_000), 100, 60_020).refused('MMP_FROZEN', 0)
  const { account, market } = still.own('A', 'ResetMmp', { market: BTC }).one('MmpReset')
  assert.deepEqual([account, market], [still.id('A'), BTC])
  show(still, 100, 60_020).accepted()
})

test('a protected order keeps its protection when it is edited or waits (ORDER-18)', () => {
  const scene = given(bumped)
  protect(scene, { maxLots: 2 })
  show(scene, 2, 60_010)
  show(scene, 100, 60_020)
  const edit = { market: BTC, order: 2, clientOrderId: null, price: 60_030, size: 100 }
  scene.own('A', 'EditOrder', edit).includes({ type: 'OrderProtected', order: 3 })
  const taking = { type: 'PlaceOrder', ...orderOf('bid', 10, 58_000) }
  const waits = { type: 'PlaceOrder', ...orderOf('ask', 50, 60_050), tif: 'TOB', mmp: true }
  take(scene, 'B', 2)
  scene.later(100)
  batch(scene, taking, waits)
  // The taker's release comes first, the turn ends what rests, and the other is refused.
  scene
    .wait(100)
    .includes(
      { type: 'MmpTripped' },
      { type: 'OrderCancelled', order: 3, reason: 'mmp' },
      { type: 'OrderCancelled', order: 6, reason: 'mmp' },
    )
  const again = given(bumped)
  protect(again, { maxLots: 2 })
  show(again, 2, 60_010)
  take(again, 'B', 2)
  batch(again, taking, waits)
  const refused = { reason: 'refused', rejection: codeOf('MMP_FROZEN') } as const
  again.wait(200).includes({ type: 'OrderCancelled', order: 4, ...refused })
})

test('limits are set whole, removed and reset where there are some (ORDER-18)', () => {
  const scene = given(free)
  const none = () => scene.own('A', 'SetMmp', { market: BTC, limits: null })
  const reset = () => scene.own('A', 'ResetMmp', { market: BTC })
  none().refused('INVALID_PARAMETER', 0)
  reset().refused('INVALID_PARAMETER', 0)
  scene.own('A', 'SetMmp', { market: 9, limits }).refused('BOOK_NOT_FOUND', 9)
  const wrong = [
    { windowMs: 99 },
    { windowMs: 3_600_001 },
    { windowMs: 100.5 },
    { frozenMs: -1 },
    { frozenMs: 3_600_001 },
    { maxLots: 0 },
    { maxNet: 0.5 },
    { maxLots: null },
  ]
  for (const each of wrong) protect(scene, each).refused('INVALID_PARAMETER', 0)
  const outcome = { windowMs: 100, frozenMs: 3_600_000, maxLots: 0, maxNet: 1 }
  protect(scene, { ...outcome, maxLots: null }).emits({ type: 'MmpSet', ...outcome })
  reset().emits({ type: 'MmpReset' })
  none().emits({ type: 'MmpRemoved', account: scene.id('A'), market: BTC })
  none().refused('INVALID_PARAMETER', 0)
  // Without limits a protected order is one like any.
  show(scene, 100, 60_010)
  take(scene, 'B', 100).lacks('MmpTripped')
})

test('only quotes that do not take are protected, and no more than a hundred (ORDER-18)', () => {
  const scene = given(free)
  for (const tif of ['GTC', 'IOC', 'FOK'])
    scene.ask('A', 10, 60_100, { tif, mmp: true }).refused('INVALID_ORDER_TYPE')
  scene.ask('A', 10, 60_100, { tif: 'TOB', mmp: true }).accepted()
  scene.quietly(() => {
    for (let count = 1; count < 100; count++) show(scene, 10, 60_200)
  })
  show(scene, 10, 60_200).refused('OPEN_ORDER_LIMIT_REACHED', 100, 100)
  scene.ask('A', 10, 60_300, { tif: 'ALO', clientOrderId: 'q1' })
  const more = { side: 'ask', mmp: true }
  batch(scene, quoteOf(10, 60_300, more)).refused('OPEN_ORDER_LIMIT_REACHED', 100, 100)
  scene.cancel('A', 1)
  batch(scene, quoteOf(10, 60_300, more)).includes({ type: 'OrderProtected' })
  batch(scene, quoteOf(10, 60_400, more)).includes({ type: 'OrderProtected' })
  show(scene, 10, 29_000, { market: ETH, price: 31_000 }).accepted()
})
