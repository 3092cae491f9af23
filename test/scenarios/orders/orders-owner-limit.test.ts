// What one owner may hold of a market, through both engines.

import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, codeOf, freeTiers, given, type Scene } from '../../support/scene.ts'

const free = { tiers: freeTiers, funds: { A: 10 ** 12, B: 10 ** 12 } }

/** With a subaccount of A that has money. */
function family(ownerInterestMax: number, more: Readonly<Record<string, unknown>> = {}): Scene {
  const scene = given({ ...free, market: { ownerInterestMax, ...more } })
  scene.own('A', 'CreateSubaccount', { address: 'S' }).accepted()
  scene.own('A', 'Transfer', { to: scene.id('S'), amount: 10 ** 11 }).accepted()
  return scene
}

const setLimit = (scene: Scene, name: string, lots: number | null) => {
  return scene.run({ type: 'SetOwnerLimit', owner: scene.id(name), market: BTC, lots })
}

test('case 63: positions and orders of all accounts of an owner count (ORDER-11)', () => {
  const row = worked('orders', 63)
  const [most = 0, held = 0, bid = 0, much = 0, little = 0] = row.given()
  const scene = family(most)
  scene.run({ type: 'SetOwnerLimit', owner: scene.id('B'), market: BTC, lots: 2 ** 52 })
  scene.buys('A', 'B', held, 60_000)
  scene.bid('S', bid, 59_000).accepted()
  const refusal = scene.bid('A', much, 59_000).one('CommandRejected')
  scene.bid('A', little, 59_000).accepted()
  row.names(refusal.rejection)
  row.says(refusal.first, refusal.second)
})

test('the limit applies to the other side too, and not to reducing orders (ORDER-13)', () => {
  const scene = family(1_000)
  scene.ask('A', 1_001, 61_000).refused('POSITION_LIMIT_EXCEEDED', 1_001, 1_000)
  scene.ask('A', 600, 61_000).accepted()
  scene.ask('S', 401, 61_000).refused('POSITION_LIMIT_EXCEEDED', 1_001, 1_000)
  const own = scene.ask('S', 400, 61_000).one('OrderPlaced').order
  // An edit counts in place of what it replaces.
  const edit = { market: BTC, order: own, clientOrderId: null, price: 61_000 }
  scene
    .own('S', 'EditOrder', { ...edit, size: 401 })
    .refused('POSITION_LIMIT_EXCEEDED', 1_001, 1_000)
  scene.own('S', 'EditOrder', { ...edit, size: 398 }).accepted()
  scene.bid('B', 600, 61_000).accepted()
  setLimit(scene, 'A', 0).emits({ type: 'OwnerLimitSet', owner: scene.id('A'), lots: 0 })
  scene.bid('A', 2, 60_000).accepted()
  scene.ask('A', 2, 61_000).refused('POSITION_LIMIT_EXCEEDED', 1_000, 0)
  setLimit(scene, 'A', null).emits({ type: 'OwnerLimitSet', lots: -1 })
  scene.ask('A', 2, 61_000).accepted()
})

test('an order that waits is checked again when it is released (ORDER-13)', () => {
  const scene = family(1_000, { speedBumpMs: 200 })
  scene.bid('A', 600, 60_000).accepted()
  setLimit(scene, 'A', 599).accepted()
  const rejection = codeOf('POSITION_LIMIT_EXCEEDED')
  scene.wait(200).includes({ type: 'OrderCancelled', reason: 'refused', rejection })
})

test('a limit is for main accounts that trade, in markets that go on (ORDER-13)', () => {
  const scene = family(1_000)
  setLimit(scene, 'S', 5).refused('NOT_MAIN_ACCOUNT')
  setLimit(scene, 'insurance', 5).refused('UNSUPPORTED_OPERATION')
  setLimit(scene, 'A', -1).refused('INVALID_PARAMETER', 0)
  scene
    .run({ type: 'SetOwnerLimit', owner: 99, market: BTC, lots: 5 })
    .refused('ACCOUNT_NOT_FOUND', 99)
  const lost = { type: 'SetOwnerLimit', owner: scene.id('A'), market: 9, lots: 5 } as const
  scene.run(lost).refused('BOOK_NOT_FOUND', 9)
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  setLimit(scene, 'A', 5).refused('UNSUPPORTED_OPERATION')
})
