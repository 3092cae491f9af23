// docs/rules/accounts.md, ACCT-9, through both engines: orders that are made later in the name of a
// key, and what is left when the key is revoked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { free, KEY, KeyScene } from '../../support/key-scene.ts'
import { worked } from '../../support/rule-table.ts'
import {
  BTC,
  codeOf,
  ETH,
  levelAt,
  orderOf,
  proofOf,
  type Scene,
  type Setting,
  START,
} from '../../support/scene.ts'

type More = Readonly<Record<string, unknown>>

const bumped: Setting = { ...free, market: { speedBumpMs: 200 } }
const LIMIT = codeOf('AGENT_LIMIT')
const NOT_ALLOWED = codeOf('AGENT_NOT_ALLOWED')
const refused = (order: number, rejection: number) =>
  ({ type: 'OrderCancelled', order, reason: 'refused', rejection }) as const
const gone = (order: number) => ({ type: 'OrderCancelled', order, reason: 'owner' }) as const

/** A stop of the key that buys above the mark. */
function stop(key: KeyScene, stopPrice: number, more: More = {}): number {
  const { reduceOnly = false, side = 'bid', ...change } = more
  const level = levelAt(stopPrice, { size: 100, limitPrice: stopPrice, ...change })
  return key.own('PlaceStop', { market: BTC, side, reduceOnly, level }).one('StopPlaced').order
}

test('stops, each within the limit, do not fire as one position (TRIG-3, ACCT-9)', () => {
  const key = new KeyScene({ maxPositionValue: 130_000_000 })
  const { scene } = key
  for (const price of [61_000, 61_001, 61_002]) stop(key, price)
  const outcome = scene.mark(BTC, 61_100)
  outcome.includes({ type: 'OrderPlaced', parent: 1 }, { type: 'OrderPlaced', parent: 2 })
  outcome.includes(refused(3, LIMIT))
})

test('a stop meets the policy as it is when it fires (TRIG-3, ACCT-9)', () => {
  const changes: readonly (readonly [More | null, number])[] = [
    [{ markets: [ETH] }, LIMIT],
    [{ postOnly: true }, LIMIT],
    [{ reduceOnly: true }, LIMIT],
    [{ maxSlippagePpm: 16_400 }, 0],
    [{ maxSlippagePpm: 16_392 }, LIMIT],
    [{ maxOrderValue: 62_000_000 }, 0],
    [{ maxOrderValue: 61_999_999 }, LIMIT],
    [{ maxPositionValue: 60_999_999 }, LIMIT],
    [{ expiresAt: START + 1 }, NOT_ALLOWED],
    [{ expiresAt: START + 2 }, 0],
    [null, 0],
  ]
  for (const [policy, rejection] of changes) {
    const key = new KeyScene({})
    const id = stop(key, 61_000, { limitPrice: 62_000 })
    key.limit(policy).accepted()
    const outcome = key.scene.later(1).mark(BTC, 61_000)
    if (rejection === 0) outcome.includes({ type: 'OrderPlaced', parent: id, price: 62_000 })
    else outcome.includes(refused(id, rejection)).lacks('OrderPlaced')
  }
})

test('a market stop goes as far as any, too far for a narrow policy (TRIG-3, ACCT-9)', () => {
  const key = new KeyScene({ maxSlippagePpm: 4_999 })
  const id = stop(key, 61_000, { limitPrice: null })
  key.scene.mark(BTC, 61_000).includes(refused(id, LIMIT))
  key.limit({ maxSlippagePpm: 5_000 })
  const next = stop(key, 61_500, { limitPrice: null })
  key.scene.mark(BTC, 61_500).includes({ type: 'OrderPlaced', parent: next, price: 61_807 })
})

test('a stop is given no more slippage than the policy of its key has (TRIG-2, ACCT-9)', () => {
  const key = new KeyScene({ maxSlippagePpm: 20_000 })
  const { scene } = key
  scene.buys('A', 'B', 1_000, 60_000)
  const level = (slippagePpm: number) => levelAt(59_300, { slippagePpm })
  const own = { market: BTC, side: 'ask', reduceOnly: true }
  key.own('PlaceStop', { ...own, level: level(20_001) }).refused('AGENT_LIMIT', 4, 20_001, 20_000)
  key.own('PlaceStop', { ...own, level: level(20_000) }).accepted()
  // A level is brought within when it fires.
  const set = { market: BTC, side: 'bid', stopLoss: level(20_001) }
  key.own('SetPositionTpsl', set).accepted()
  const outcome = scene.mark(BTC, 59_300).all('OrderPlaced')
  assert.deepEqual(
    outcome.map(({ price }) => price),
    [58_114, 58_114],
  )
})

test('reducing stops fire, no further from the mark than rule 4 allows (TRIG-3, ACCT-9)', () => {
  const strict = { markets: [ETH], postOnly: true, maxOrderValue: 1, maxDailyLoss: 1 }
  for (const [limitPrice, price] of [
    [null, 59_003],
    [50_000, 58_114],
    [58_113, 58_114],
    [58_115, 58_115],
    [60_000, 60_000],
  ] as const) {
    const key = new KeyScene({})
    const { scene } = key
    scene.buys('A', 'B', 1_000, 60_000)
    const id = stop(key, 59_300, { side: 'ask', reduceOnly: true, limitPrice })
    key.limit({ ...strict, maxSlippagePpm: 20_000, expiresAt: START + 1 }).accepted()
    const outcome = scene.later(1).mark(BTC, 59_299)
    outcome.includes(
      { type: 'StopTriggered', order: id },
      { type: 'OrderPlaced', parent: id, price },
    )
  }
})

test('levels remember the key of their order, also after an edit (TRIG-5, ACCT-9)', () => {
  const key = new KeyScene({ maxSlippagePpm: 2_000 })
  const { scene } = key
  const stopLoss = levelAt(59_300)
  const takeProfit = levelAt(61_000, { limitPrice: 55_000 })
  key.bid(100, 60_000, { stopLoss, takeProfit }).accepted()
  scene.own('A', 'EditOrder', {
    ...{ market: BTC, order: 1, clientOrderId: null, price: 59_900, size: 100 },
  })
  scene.ask('B', 100, 59_900)
  scene.mark(BTC, 61_000).includes({ type: 'OrderPlaced', parent: 2, price: 60_878 })
  scene.mark(BTC, 59_300).includes({ type: 'OrderPlaced', parent: 3, price: 59_182 })
})

test('levels that a key sets for a position are brought within as well (TRIG-4, ACCT-9)', () => {
  const key = new KeyScene({ maxSlippagePpm: 2_000 })
  const { scene } = key
  scene.sells('A', 'B', 100, 60_000)
  const set = { market: BTC, side: 'ask', stopLoss: levelAt(61_000) }
  key.own('SetPositionTpsl', set).accepted()
  scene.mark(BTC, 61_000).includes({ type: 'OrderPlaced', price: 61_122, reduceOnly: true })
})

test('a price is brought within the grid where the mark is near its edge (ACCT-9)', () => {
  const key = new KeyScene({ maxSlippagePpm: 10_000 }, { ...free, market: { tickMax: 61_000 } })
  const { scene } = key
  scene.sells('A', 'B', 100, 60_000)
  stop(key, 61_000, { reduceOnly: true, limitPrice: null })
  scene.mark(BTC, 61_000).includes({ type: 'OrderPlaced', price: 61_000, reduceOnly: true })
})

test('slices meet the policy as it is then (TRIG-6, ACCT-9)', () => {
  const slices = (policy: More | null, more: More = {}) => {
    const key = new KeyScene({})
    const { scene } = key
    scene.buys('A', 'B', 1_000, 60_000)
    scene.ask('B', 1_000, 60_000)
    scene.bid('B', 1_000, 59_999)
    key.twap(300, more).accepted()
    scene.run({ type: 'Tick' }).includes({ type: 'AlgoStepped', lots: 100, rejection: 0 })
    key.limit(policy).accepted()
    for (let at = 0; at < 3; at++) scene.later(9_999).mark(BTC, 60_000)
    return scene.wait(3).one('AlgoStepped').rejection
  }
  assert.equal(slices({}), 0)
  assert.equal(slices(null), 0)
  assert.equal(slices({ markets: [ETH] }), LIMIT)
  assert.equal(slices({ postOnly: true }), LIMIT)
  assert.equal(slices({ maxSlippagePpm: 9_999 }), LIMIT)
  assert.equal(slices({ maxSlippagePpm: 10_000 }), 0)
  assert.equal(slices({ maxOrderValue: 119_999_999 }), 0)
  assert.equal(slices({ maxOrderValue: 59_999_999 }), LIMIT)
  assert.equal(slices({ maxPositionValue: 719_999_999 }), LIMIT)
  assert.equal(slices({ maxPositionValue: 720_000_000 }), 0)
  assert.equal(slices({ expiresAt: START + 30_000 }), NOT_ALLOWED)
  const closing = { side: 'ask', reduceOnly: true }
  assert.equal(slices({ expiresAt: START + 30_000 }, closing), NOT_ALLOWED)
  assert.equal(slices({ maxPositionValue: 1, reduceOnly: true }, closing), 0)
})

/** A delayed batch of the key: an order that waits, and an edit and levels that are kept. */
function delayed(key: KeyScene): number {
  const { scene } = key
  scene.buys('A', 'B', 100, 60_000)
  scene.wait(200)
  const old = scene.bid('A', 100, 58_000, { tif: 'ALO' }).one('OrderPlaced').order
  const of = { account: scene.id('A'), market: BTC }
  const ref = { order: old, clientOrderId: null }
  const actions = [
    { type: 'PlaceOrder', ...of, ...key.signed, ...orderOf('bid', 100, 57_000) },
    { type: 'EditOrder', ...of, ...key.signed, ...ref, price: 58_500, size: 100 },
    { type: 'SetPositionTpsl', ...of, ...key.signed, side: 'bid', stopLoss: levelAt(50_000) },
    { type: 'CancelOrder', ...of, ...key.signed, order: old + 1, clientOrderId: null },
  ]
  const outcome = scene.run({ type: 'Batch', account: of.account, actions })
  assert.equal(outcome.all('ActionDeferred').length, 3)
  return old
}

test('kept actions meet the policy at their release (ORDER-10, ACCT-9)', () => {
  const run = (policy: More | null) => {
    const key = new KeyScene({}, bumped)
    delayed(key)
    key.limit(policy).accepted()
    const outcome = key.scene.wait(200)
    const answers = outcome.all('CommandRejected').map(({ rejection, first }) => [rejection, first])
    return { outcome, answers }
  }
  const fine = run({})
  fine.outcome.includes({ type: 'OrderRested', price: 58_500 }, { type: 'StopPlaced' })
  assert.deepEqual(fine.answers, [])
  assert.deepEqual(run(null).answers, [])
  const elsewhere = ['AGENT_LIMIT', 1]
  assert.deepEqual(run({ markets: [ETH] }).answers, [elsewhere, elsewhere])
  assert.deepEqual(run({ maxOrderValue: 1 }).answers, [['AGENT_LIMIT', 5]])
  const expired = ['AGENT_NOT_ALLOWED', 6]
  const over = run({ expiresAt: START + 201 })
  assert.deepEqual(over.answers, [expired, expired])
  over.outcome.includes({ type: 'OrderCancelled', reason: 'owner' })
})

test('kept actions of a key that goes end, its cancels and orders stay (ACCT-9)', () => {
  const key = new KeyScene({}, bumped)
  delayed(key)
  key.scene
    .own('A', 'RevokeAgent', { agent: KEY })
    .emits(
      { type: 'AgentRevoked' },
      { type: 'OrderPlaced', parent: 3 },
      { type: 'OrderCancelled', reason: 'owner' },
      { type: 'StopPlaced', orderType: 'stop_loss_market' },
      { type: 'OrderCancelled', reason: 'owner' },
    )
  assert.equal(key.scene.state.deferred.size, 1)
  const outcome = key.scene.wait(200).lacks('CommandRejected').lacks('StopPlaced')
  outcome.includes({ type: 'OrderCancelled', reason: 'owner' })
})

test('one signature for a batch is that of each action (ORDER-16, ACCT-9)', () => {
  for (const [setting, policy] of [
    [free, { maxOrderValue: 57_000_000 }],
    [bumped, {}],
  ] as const) {
    const key = new KeyScene(policy, setting)
    const { scene } = key
    const of = { account: scene.id('A'), market: BTC, proof: null }
    const level = levelAt(61_000, { size: 100, limitPrice: 61_000 })
    const place = { type: 'PlaceOrder', ...of, ...orderOf('bid', 100, 57_000) }
    const actions = [place, { type: 'PlaceStop', ...of, side: 'bid', reduceOnly: false, level }]
    const outcome = scene.run({ type: 'Batch', account: of.account, actions, ...key.signed })
    if (setting === free) {
      outcome.includes({ type: 'CommandRejected', rejection: 'AGENT_LIMIT', second: 60_000_000 })
      continue
    }
    key.limit({ maxOrderValue: 1 })
    scene.wait(200).includes({ type: 'CommandRejected', rejection: 'AGENT_LIMIT', first: 5 })
  }
})

/** Two stops and two TWAPs of the key, one of each reduce-only, and a stop of the owner. */
function leaving(policy: More | null): KeyScene {
  const key = new KeyScene(policy)
  const { scene } = key
  scene.buys('A', 'B', 1_000, 60_000)
  stop(key, 70_000)
  stop(key, 50_000, { side: 'ask', reduceOnly: true })
  key.twap(300).accepted()
  key.twap(300, { side: 'ask', reduceOnly: true }).accepted()
  stop(key, 71_000)
  scene.stop('A', 'bid', levelAt(70_000, { size: 100 }))
  key.bid(100, 50_000).accepted()
  return key
}
const kept = (scene: Scene) => [...scene.account('A').orders, ...scene.account('A').algos]
const left = [gone(3), gone(7), { type: 'AlgoEnded', algo: 5, reason: 'owner' }] as const

test('revoking a key with a policy cancels its orders that could open (ACCT-4, ACCT-9)', () => {
  const key = leaving({})
  const { scene } = key
  scene.own('A', 'RevokeAgent', { agent: KEY }).emits({ type: 'AgentRevoked' }, ...left)
  assert.deepEqual(kept(scene), [4, 8, scene.account('A').orders.at(-1), 6])
  assert.equal(scene.state.accounts.limitedKeys, 0)
  const all = leaving({ postOnly: false })
  all.scene.own('A', 'BindAgent', { agent: 'another', scopes: ['trade'] })
  all.scene
    .own('A', 'RevokeAllAgents')
    .emits({ type: 'AgentRevoked', agent: 'another' }, { type: 'AgentRevoked' }, ...left)
  const unbound = leaving({})
  unbound.scene
    .run({ type: 'UnbindAgent', agent: KEY })
    .emits({ type: 'AgentUnbound', reason: 'operator' }, ...left)
})

test('case 268: a stop keeps to the distance of its key that went (ACCT-7, ACCT-9)', () => {
  const row = worked('accounts', 268)
  const [maxSlippagePpm, held = 0, stopPrice = 0, mark = 0] = row.given()
  const key = new KeyScene({ maxSlippagePpm })
  const { scene } = key
  scene.buys('A', 'B', held, 60_000)
  stop(key, stopPrice, { side: 'ask', reduceOnly: true, limitPrice: null })
  scene.own('A', 'RevokeAgent', { agent: KEY }).accepted()
  row.says(scene.mark(BTC, mark).one('OrderPlaced').price)
})

test('reducing stops keep the distance of a revoked key (TRIG-3, ACCT-9)', () => {
  const fired = (policy: More, ...then: readonly ((key: KeyScene) => unknown)[]) => {
    const key = new KeyScene(policy)
    const { scene } = key
    scene.buys('A', 'B', 1_000, 60_000)
    const id = stop(key, 59_300, { side: 'ask', reduceOnly: true, limitPrice: null, size: null })
    for (const each of then) each(key)
    // Read back from a snapshot, it is the same.
    const again = decodeState(encodeState(scene.state))
    assert.equal(stateHash(again), stateHash(scene.state))
    const { lastSlippagePpm } = scene.state.triggers.get(id)!
    assert.equal(again.triggers.get(id)!.lastSlippagePpm, lastSlippagePpm)
    return scene.mark(BTC, 59_299).one('OrderPlaced').price
  }
  const revoke = ({ scene }: KeyScene) => scene.own('A', 'RevokeAgent', { agent: KEY }).accepted()
  const unbind = ({ scene }: KeyScene) => scene.run({ type: 'UnbindAgent', agent: KEY }).accepted()
  const within = { maxSlippagePpm: 2_000 }
  const unlimited = fired({}, revoke)
  assert.ok(unlimited < 59_181)
  assert.equal(fired(within, revoke), 59_181)
  assert.equal(fired(within, unbind), 59_181)
  assert.equal(fired({ maxSlippagePpm: 0 }, revoke), 59_299)
  // Bound again: a policy takes its place, none does not.
  assert.equal(
    fired(within, revoke, (key) => key.bind(null).accepted()),
    59_181,
  )
  assert.equal(
    fired(within, revoke, (key) => key.bind({ maxSlippagePpm: 0 }).accepted()),
    59_299,
  )
  assert.equal(
    fired(within, (key) => key.limit(null).accepted(), revoke),
    unlimited,
  )
})

test('a key without a policy takes nothing along (ACCT-4, ACCT-9)', () => {
  const key = leaving(null)
  const before = kept(key.scene)
  key.scene.own('A', 'RevokeAgent', { agent: KEY }).emits({ type: 'AgentRevoked' })
  assert.deepEqual(kept(key.scene), before)
  const freed = leaving({})
  freed.limit(null)
  freed.scene.own('A', 'RevokeAgent', { agent: KEY }).emits({ type: 'AgentRevoked' })
})

test('pending work of one account is not held to the policy of another (ACCT-9)', () => {
  const key = new KeyScene({})
  const { scene } = key
  scene.own('B', 'BindAgent', { agent: 'b', scopes: ['trade'], policy: null })
  const proof = proofOf('b', scene.now, { agent: 'b' })
  scene.stop('B', 'bid', levelAt(61_000, { size: 100 }), { proof }).accepted()
  scene.own('A', 'RevokeAgent', { agent: KEY }).emits({ type: 'AgentRevoked' })
  assert.equal(scene.account('B').orders.length, 1)
})

test('a snapshot includes policies, days and pending work of keys (ACCT-9)', () => {
  const key = leaving({ markets: [BTC], maxSlippagePpm: 500_000, maxDailyLoss: 10 ** 9 })
  const { scene } = key
  key.limit({ markets: [BTC], maxOrderValue: 60_000_000, maxDailyLoss: 77, allow: ['margin'] })
  const again = decodeState(encodeState(scene.state))
  assert.equal(stateHash(again), stateHash(scene.state))
  assert.equal(again.accounts.limitedKeys, 1)
  const agents = [...again.triggers.values()].map(({ agent }) => agent)
  assert.deepEqual(agents, [KEY, KEY, KEY, null])
  assert.deepEqual(
    again.accounts.records[scene.id('A')]!.agents!.get(KEY)!.limit,
    scene.state.accounts.records[scene.id('A')]!.agents!.get(KEY)!.limit,
  )
  assert.deepEqual(
    [...again.algos.values()].map(({ agent }) => agent),
    [KEY, KEY],
  )
})
