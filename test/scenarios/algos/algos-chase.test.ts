// docs/rules/algos.md, ALGO-1 and ALGO-2, through both engines: chases.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, EventLog } from '../../../src/core/engine.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { tradingHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { KeyScene } from '../../support/key-scene.ts'
import { worked } from '../../support/rule-table.ts'
import {
  BTC,
  codeOf,
  ETH,
  freeTiers,
  given,
  type Outcome,
  type Scene,
  START,
} from '../../support/scene.ts'

const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 }
const free = { tiers: freeTiers, funds, markets: ['BTC'] }
const tick = { type: 'Tick' } as const
const HOUR = 3_600_000

type More = Readonly<Record<string, unknown>>

const wish = {
  market: BTC,
  side: 'bid',
  size: 1_000,
  price: 60_002,
  reduceOnly: false,
  expireTime: null,
  clientOrderId: null,
}

function chase(scene: Scene, more: More = {}, name = 'A'): Outcome {
  return scene.own(name, 'PlaceChase', { ...wish, ...more })
}

/** The only order of A. */
function childOf(scene: Scene): Readonly<{ id: number; price: number }> {
  const { orders } = scene.account('A')
  assert.equal(orders.length, 1)
  const id = orders[0]!
  return { id, price: scene.state.orders.price(scene.state.orders.slotOf(id)) }
}

const idOf = (outcome: Outcome): number => outcome.one('OrderPlaced').order
const ended = (reason: 'finished' | 'owner' | 'expired' | 'refused', filled = 0) => {
  return { type: 'AlgoEnded', reason, filled } as const
}
const replaced = (order: number) => {
  return { type: 'OrderCancelled', order, reason: 'replaced' } as const
}

test('case 271: it follows the best bid of others, to its bound and back (ALGO-4)', () => {
  const row = worked('algos', 271)
  const [ask = 0, size = 0, bound = 0, first = 0, ...later] = row.given()
  const scene = given(free)
  scene.ask('B', 100, ask)
  let quote = idOf(scene.bid('B', 100, first))
  scene.later(1_000)
  const placed = { type: 'AlgoPlaced', kind: 'chase', price: bound, display: 0 } as const
  const algo = chase(scene, { size, price: bound }).emits(placed).one('AlgoPlaced').order
  const stepped = { type: 'AlgoStepped', algo, lots: size, rejection: 0 } as const
  scene.run(tick).includes({ ...stepped, step: 1, price: first }, { type: 'OrderRested' })
  const stood = [childOf(scene)]
  for (const [at, price] of later.entries()) {
    scene.cancel('B', quote)
    quote = idOf(scene.bid('B', 100, price))
    const outcome = scene.wait(1_000)
    const { price: target } = outcome.one('AlgoStepped')
    outcome.includes({ ...stepped, step: at + 2 }, replaced(stood.at(-1)!.id), {
      type: 'OrderPlaced',
      price: target,
      parent: algo,
      origin: 'algo',
      tif: 'ALO',
    })
    stood.push(childOf(scene))
    assert.equal(childOf(scene).price, target)
  }
  row.says(...stood.map(({ price }) => price))
})

test('case 272: a chase does not follow an order that cannot be hit yet (ALGO-4, PRICE-8)', () => {
  const row = worked('algos', 272)
  const [start = 0, price = 0, ...ages] = row.given()
  const scene = given(free)
  scene.bid('B', 100, start)
  scene.later(1_000)
  chase(scene)
  scene.run(tick)
  const stood = ages.map((age) => {
    scene.later(1_000 - age)
    const quote = idOf(scene.bid('B', 100, price))
    scene.wait(age)
    const where = childOf(scene).price
    scene.cancel('B', quote)
    return where
  })
  row.says(...stood)
})

test('case 273: an ask with nothing to follow is placed next to the bid and stays (ALGO-4)', () => {
  const row = worked('algos', 273)
  const [size = 0, price = 0, bid = 0, ask = 0] = row.given()
  const scene = given(free)
  scene.bid('B', 100, bid)
  chase(scene, { side: 'ask', size, price })
  scene.run(tick)
  const first = childOf(scene)
  const quote = idOf(scene.ask('B', 100, ask))
  scene.wait(1_000).includes(replaced(first.id))
  const second = childOf(scene)
  scene.cancel('B', quote)
  scene.wait(1_000).emits()
  assert.deepEqual(childOf(scene), second)
  row.says(first.price, second.price, childOf(scene).price)
})

test('a chase ignores its owner, reducing orders, and orders far behind (ALGO-2)', () => {
  const scene = given(free)
  scene.own('A', 'CreateSubaccount', { address: 'A2' })
  scene.own('A', 'Transfer', { to: scene.id('A2'), amount: 10 ** 10 })
  scene.sells('C', 'B', 500, 60_000)
  scene.bid('A2', 10, 60_001)
  scene.bid('C', 500, 60_000, { reduceOnly: true })
  const prices = Array.from({ length: 61 }, (_, at) => 59_999 - at)
  let mine: readonly number[] = []
  scene.quietly(() => {
    mine = prices.map((price) => idOf(scene.bid('A', 10, price)))
    scene.bid('B', 10, 59_900)
  })
  scene.later(1_000)
  chase(scene)
  // The 64th of those that are looked at.
  const outcome = scene.run(tick).includes({ type: 'AlgoStepped', price: 59_900 })
  const child = idOf(outcome)
  scene.bid('A2', 10, 59_990)
  scene.wait(1_000).emits()
  scene.bid('B', 10, 59_930)
  scene.wait(1_000).emits()
  scene.cancel('A', mine.at(-1)!).accepted()
  scene.wait(1_000).includes({ type: 'AlgoStepped', price: 59_930 }, replaced(child))
})

test('while nothing matches a chase does not move; a refused move changes nothing (ALGO-2)', () => {
  const scene = given(free)
  const quote = idOf(scene.bid('B', 100, 60_000))
  scene.later(1_000)
  chase(scene, { price: 60_100 })
  scene.run(tick)
  const child = childOf(scene)
  scene.cancel('B', quote)
  scene.bid('B', 100, 60_050)
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'post_only' })
  scene.wait(1_000).emits()
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  scene.wait(249).emits()
  scene.run({ type: 'FreezeAccount', account: scene.id('A'), frozen: true })
  const rejection = codeOf('TRADING_DISABLED')
  const refusal = { type: 'AlgoStepped', price: 60_050, rejection } as const
  for (let n = 2; n <= 4; n++) {
    scene
      .wait(1_000)
      .includes({ ...refusal, step: n })
      .lacks('OrderCancelled')
    assert.deepEqual(childOf(scene), child)
  }
  scene.wait(1_000).includes({ type: 'AlgoStepped', step: 5 })
  scene
    .wait(1_000)
    .emits(
      { ...refusal, step: 6 },
      { type: 'OrderCancelled', order: child.id, reason: 'refused', rejection },
      ended('refused'),
    )
})

test('an invalid chase is refused (ALGO-1, ALGO-2)', () => {
  const scene = given({ ...free, markets: ['BTC', 'ETH'] })
  chase(scene, { market: 9 }).refused('BOOK_NOT_FOUND', 9)
  chase(scene, { price: 1.5 }).refused('INVALID_TICK_SIZE', 0)
  chase(scene, { price: 0 }).refused('INVALID_TICK_LEVEL', 0, 1, 1_000_000)
  chase(scene, { size: 0 }).refused('INVALID_AMOUNT', 0)
  chase(scene, { side: 'up', expireTime: 5 }).refused('INVALID_ORDER_TYPE')
  const [least, most] = [START + 1_000, START + HOUR]
  for (const expireTime of [least - 1, most + 1])
    chase(scene, { expireTime }).refused('INVALID_TIME', expireTime, least, most)
  chase(scene, { expireTime: 0.5 }).refused('INVALID_TIME', 0, least, most)
  chase(scene, { size: 1 }).refused('ORDER_AMOUNT_TOO_LOW', 600_020, 1_000_000)
  chase(scene, { reduceOnly: true }).refused('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
  for (const expireTime of [least, most, null]) {
    const { order, expireTime: outcome } = chase(scene, { expireTime }).one('AlgoPlaced')
    assert.equal(outcome, expireTime ?? most)
    scene.cancel('A', order).includes(ended('owner'))
  }
  chase(scene, { clientOrderId: 'hot' }).accepted()
  chase(scene, { clientOrderId: 'HOT' }).refused('DUPLICATE_CLIENT_ORDER_ID')
  for (let n = 0; n < 4; n++) chase(scene).accepted()
  chase(scene).refused('LIMIT_REACHED', 5)
  scene.quietly(() => {
    const names = ['A2', 'A3']
    for (const name of names) scene.own('A', 'CreateSubaccount', { address: name })
    for (let n = 0; n < 5; n++) chase(scene, { market: ETH, price: 30_000 }).accepted()
    for (const name of names) for (let n = 0; n < 5; n++) chase(scene, {}, name).accepted()
  })
  chase(scene, { market: ETH, price: 30_000 }, 'A2').refused('LIMIT_REACHED', 20)
  chase(scene, {}, 'B').accepted()
  scene.cancel('A', null, { clientOrderId: 'hot' })
  chase(scene, { market: ETH, price: 30_000 }, 'A2').accepted()
})

test('it ends filled, with its order, at its time, and without a position (ALGO-1)', () => {
  const scene = given(free)
  chase(scene)
  scene.run(tick)
  scene.ask('B', 400, 60_002).includes({ type: 'AlgoFilled', filled: 400 })
  const { id } = childOf(scene)
  const edit = { market: BTC, order: id, clientOrderId: null, price: 59_800, size: 100 }
  scene.own('A', 'EditOrder', edit).refused('ORDER_NOT_FOUND', id)
  scene.ask('B', 600, 60_002).includes({ type: 'AlgoFilled', filled: 1_000 })
  assert.deepEqual(scene.account('A').algos, [])
  chase(scene, { side: 'ask', price: 60_010, size: 1_000, reduceOnly: true })
  scene.run(tick)
  // A child that was cut is placed again at the new price.
  scene.sells('A', 'C', 300, 60_001).includes({ type: 'OrderReduced', remaining: 700 })
  scene.ask('C', 10, 60_020)
  scene.wait(1_000).includes({ type: 'AlgoStepped', lots: 700, price: 60_020 })
  const cut = { type: 'OrderCancelled', order: childOf(scene).id, reason: 'reduce_only' } as const
  scene.sells('A', 'C', 700, 60_001).includes(cut, ended('refused'))
  chase(scene, { price: 59_000, expireTime: scene.now + 5_000 })
  scene.run(tick).includes({ type: 'ExpirySet', time: scene.now + 5_000 })
  const late = scene.later(5_000).ask('B', 500, 59_000)
  late.includes({ type: 'OrderCancelled', reason: 'expired' }, ended('expired')).lacks('Traded')
  chase(scene, { price: 58_000 })
  scene.run(tick)
  scene.cancel('A', childOf(scene).id).includes({ type: 'OrderCancelled' }, ended('owner'))
})

test('the policy of its key holds when it is placed, and for every order of it (ACCT-9)', () => {
  const refusedBy = (policy: More, rule: number, ...numbers: readonly number[]) => {
    const key = new KeyScene(policy)
    key.own('PlaceChase', wish).refused('AGENT_LIMIT', rule, ...numbers)
  }
  refusedBy({ markets: [ETH] }, 1, BTC)
  refusedBy({ reduceOnly: true }, 3)
  refusedBy({ maxSlippagePpm: 33 }, 4, 60_002, 60_001)
  refusedBy({ maxOrderValue: 599_999_999 }, 5, 600_000_000, 599_999_999)
  refusedBy({ maxPositionValue: 599_999_999 }, 6, 600_000_000, 599_999_999)
  const key = new KeyScene({ postOnly: true, maxOrderValue: 600_000_000 })
  const { scene } = key
  const quote = idOf(scene.bid('B', 100, 59_000))
  scene.later(1_000)
  key.own('PlaceChase', { ...wish, price: 60_000 }).accepted()
  scene.run(tick)
  const moved = (price: number) => {
    scene.bid('B', 100, price)
    return scene.wait(1_000).one('AlgoStepped').rejection
  }
  assert.equal(moved(59_100), 0)
  const changes: readonly (readonly [More | null, number])[] = [
    [{ markets: [ETH] }, codeOf('AGENT_LIMIT')],
    [{ maxSlippagePpm: 10 }, 0],
    [{ reduceOnly: true }, codeOf('AGENT_LIMIT')],
    [{ maxOrderValue: 59_200 * 10_000 }, codeOf('AGENT_LIMIT')],
    [null, 0],
    [{ maxPositionValue: 1 }, codeOf('AGENT_LIMIT')],
    [{ expiresAt: scene.now + 10_000 }, 0],
  ]
  for (const [at, [policy, rejection]] of changes.entries()) {
    key.limit(policy).accepted()
    assert.equal(moved(59_200 + at), rejection, JSON.stringify(policy))
  }
  scene.mark(BTC, 60_000)
  scene.later(4_000).mark(BTC, 60_000)
  assert.equal(moved(59_300), codeOf('AGENT_NOT_ALLOWED'))
  scene.cancel('B', quote).accepted()
})

test('a snapshot keeps a chase, its order and its next step (ALGO-1)', () => {
  const scene = given(free)
  scene.bid('B', 100, 60_000)
  scene.later(500)
  chase(scene, { clientOrderId: 'hot' })
  scene.run(tick)
  scene.bid('B', 100, 60_001)
  const again = decodeState(encodeState(scene.state))
  scene.wait(1_000).includes({ type: 'AlgoStepped', price: 60_001 })
  const atMs = scene.now as never
  apply(again, { seq: again.seq + 1, atMs, command: tick }, new EventLog())
  assert.equal(tradingHash(again), tradingHash(scene.state))
})
