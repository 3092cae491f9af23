// One signature for a batch (docs/rules/orders.md, ORDER-16), and the actions that it brought,
// through both engines.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BTC,
  ETH,
  freeTiers,
  given,
  levelAt,
  type Outcome,
  orderOf,
  type Scene,
  START,
} from '../../support/scene.ts'

const free = { tiers: freeTiers, funds: { A: 10 ** 11, B: 10 ** 11 }, markets: ['BTC', 'ETH'] }
const bumped = { ...free, market: { speedBumpMs: 200 } }

type Fields = Readonly<Record<string, unknown>>

let texts = 0
const proofOf = (more: Fields = {}) => ({
  textHash: `text-${++texts}`,
  signedAtMs: START,
  expiresAtMs: START + 5_000,
  agent: null,
  ip: null,
  ...more,
})

function signed(scene: Scene, proof: Fields | null, ...actions: readonly Fields[]): Outcome {
  const account = scene.id('A')
  const own = { account, proof: null, market: BTC }
  return scene.run({
    type: 'Batch',
    account,
    actions: actions.map((each) => ({ ...own, ...each })),
    proof,
  })
}
const bidOf = (size: number, price: number, more: Fields = {}) => {
  return { type: 'PlaceOrder', ...orderOf('bid', size, price), ...more }
}
const cancelOf = (order: number) => ({ type: 'CancelOrder', order, clientOrderId: null })
const allOf = (more: Fields = {}) => {
  return { type: 'CancelAllOrders', market: null, excludeReduceOnly: false, ...more }
}
const stopOf = (more: Fields = {}) => {
  return {
    type: 'PlaceStop',
    side: 'bid',
    reduceOnly: false,
    level: levelAt(61_000, { size: 10 }),
    ...more,
  }
}

test('one signature is for 1 to 50 actions that have none (ORDER-16)', () => {
  const scene = given(free)
  const quotes = Array(51).fill(bidOf(100, 59_000))
  signed(scene, proofOf(), ...quotes).refused('LIMIT_REACHED', 50)
  signed(scene, proofOf()).refused('LIMIT_REACHED', 50)
  signed(scene, proofOf(), bidOf(100, 59_000), bidOf(100, 59_000, { proof: proofOf() })).refused(
    'UNSUPPORTED_OPERATION',
  )
  signed(scene, proofOf({ expiresAtMs: null }), bidOf(100, 59_000)).refused('UNSUPPORTED_OPERATION')
  signed(scene, null, ...quotes).refused('LIMIT_REACHED', 50)
  signed(scene, null, bidOf(100, 59_000, { proof: proofOf() })).refused('UNSUPPORTED_OPERATION')
  assert.equal(signed(scene, null, ...quotes.slice(1)).all('OrderRested').length, 50)
  const outcome = signed(scene, proofOf(), ...quotes.slice(1))
  assert.equal(outcome.all('OrderRested').length, 50)
  assert.equal(outcome.all('BatchActionStarted').at(-1)?.index, 49)
})

test('the text of a batch serves once, whatever becomes of it (ORDER-16, CORE-6)', () => {
  const scene = given(free)
  const proof = proofOf()
  signed(scene, proof, bidOf(0, 59_000))
  signed(scene, proof, bidOf(100, 59_000)).refused('REPLAYED')
  const refused = proofOf()
  signed(scene, refused).refused('LIMIT_REACHED', 50)
  signed(scene, refused, bidOf(100, 59_000)).refused('REPLAYED')
})

test('an agent signs for all actions, or for none (ORDER-16, CORE-6)', () => {
  const scene = given(free)
  const by = (agent: string, ip: string | null = null) => proofOf({ agent, ip })
  signed(scene, by('stranger'), bidOf(100, 59_000)).refused('AGENT_NOT_ALLOWED', 1)
  scene.own('A', 'BindAgent', { agent: 'm', scopes: ['margin'] })
  signed(scene, by('m'), bidOf(100, 59_000)).refused('AGENT_NOT_ALLOWED', 3)
  scene.own('A', 'BindAgent', { agent: 't', scopes: ['trade'] })
  scene.own('A', 'AllowAgentIp', { agent: 't', ip: '10.0.0.1' })
  scene.own('A', 'SetAgentIpFilter', { agent: 't', enabled: true })
  const elsewhere = by('t', '10.0.0.2')
  signed(scene, elsewhere, bidOf(100, 59_000)).refused('AGENT_NOT_ALLOWED', 5)
  // It was not carried out, so the text serves from where the agent may be.
  const outcome = signed(scene, { ...elsewhere, ip: '10.0.0.1' }, bidOf(100, 59_000), cancelOf(1))
  outcome
    .accepted()
    .includes({ type: 'OrderRested', order: 1 }, { type: 'OrderCancelled', order: 1 })
})

test('no agent can use up the text of a batch that only cancels (ORDER-16, CORE-6)', () => {
  const scene = given(free)
  scene.own('A', 'BindAgent', { agent: 't', scopes: ['trade'] })
  const guessed = proofOf()
  signed(scene, { ...guessed, agent: 't' }, bidOf(100, 59_000)).accepted()
  signed(scene, guessed).refused('REPLAYED')
  signed(scene, guessed, cancelOf(1), bidOf(100, 59_000)).refused('REPLAYED')
  signed(scene, guessed, cancelOf(1), allOf()).accepted()
  signed(scene, guessed, allOf()).refused('REPLAYED')
})

test('a batch cancels all orders of one or all markets, except reducing ones (ORDER-10)', () => {
  const scene = given(free)
  scene.bid('A', 100, 59_000)
  scene.bid('A', 100, 29_000, { market: ETH })
  signed(scene, proofOf(), bidOf(10, 58_000), allOf({ market: BTC }), allOf({ market: 9 })).emits(
    { type: 'BatchActionStarted', index: 0 },
    { type: 'OrderPlaced', order: 3 },
    { type: 'OrderRested', order: 3 },
    { type: 'BatchActionStarted', index: 1 },
    { type: 'OrderCancelled', order: 1, reason: 'owner' },
    { type: 'OrderCancelled', order: 3, reason: 'owner' },
    { type: 'AllOrdersCancelled', account: scene.id('A'), count: 2 },
    { type: 'BatchActionStarted', index: 2 },
    { type: 'CommandRejected', rejection: 'BOOK_NOT_FOUND', first: 9 },
  )
  const stop = stopOf({ reduceOnly: true })
  signed(scene, proofOf(), stop, allOf({ excludeReduceOnly: true })).emits(
    { type: 'BatchActionStarted', index: 0 },
    { type: 'StopPlaced', order: 4 },
    { type: 'BatchActionStarted', index: 1 },
    { type: 'OrderCancelled', order: 2, reason: 'owner' },
    { type: 'AllOrdersCancelled', account: scene.id('A'), count: 1 },
  )
})

test('a delayed batch cancels earlier orders, and keeps its own stops (ORDER-10)', () => {
  const scene = given(bumped)
  scene.bid('A', 100, 58_000, { tif: 'ALO' })
  const actions = [bidOf(100, 59_000), stopOf({ expireTime: scene.now + 5_000 }), allOf()]
  signed(scene, proofOf(), ...actions).emits(
    { type: 'BatchActionStarted', index: 0 },
    { type: 'OrderPlaced', order: 2, waiting: true },
    { type: 'BatchActionStarted', index: 1 },
    { type: 'ActionDeferred', action: 3, account: scene.id('A') },
    { type: 'BatchActionStarted', index: 2 },
    { type: 'OrderCancelled', order: 1 },
    { type: 'AllOrdersCancelled', account: scene.id('A'), count: 1 },
  )
  scene
    .wait(200)
    .emits(
      { type: 'OrderRested', order: 2 },
      { type: 'ExpirySet', order: 4, time: scene.now - 200 + 5_000 },
      { type: 'StopPlaced', order: 4, stopPrice: 61_000 },
    )
})

test('a stop that cannot be kept for the release is refused immediately (ORDER-10)', () => {
  const scene = given(bumped)
  const wrong = [
    stopOf({ side: 'long' }),
    stopOf({ level: levelAt(60_000.5, { size: 10 }) }),
    stopOf({ level: levelAt(61_000, { size: 10, clientOrderId: '' }) }),
    stopOf({ expireTime: 0.5 }),
  ]
  const outcome = signed(scene, proofOf(), bidOf(100, 59_100), ...wrong, stopOf())
  const refusals = outcome.all('CommandRejected').map(({ rejection, first }) => [rejection, first])
  assert.deepEqual(refusals, Array(wrong.length).fill(['INVALID_PARAMETER', 0]))
  assert.equal(outcome.all('ActionDeferred').length, 1)
})

test('cancelling all also removes kept actions that would become orders (ORDER-10, TRIG-7)', () => {
  const stopsAfter = (end: (scene: Scene) => unknown) => {
    const scene = given(bumped)
    scene.sells('A', 'B', 100, 60_000)
    scene.wait(200)
    signed(scene, proofOf(), bidOf(100, 59_000), stopOf(), stopOf({ reduceOnly: true }))
    end(scene)
    return scene.wait(200).all('StopPlaced').length
  }
  const all = (scene: Scene, more: Fields = {}) => scene.own('A', 'CancelAllOrders', allOf(more))
  const reducing = { excludeReduceOnly: true }
  const counts = [() => null, (scene: Scene) => all(scene, reducing), all].map((end) =>
    stopsAfter((scene) => end(scene)),
  )
  assert.deepEqual(counts, [2, 1, 0])
  const later = (keepProtective: boolean) => {
    const scene = given({ ...free, market: { speedBumpMs: 5_000 } })
    scene.sells('A', 'B', 100, 60_000)
    scene.wait(5_000)
    const time = scene.now + 5_000
    scene.own('A', 'ScheduleCancel', { time, keepProtective }).accepted()
    scene.wait(1_000)
    signed(scene, proofOf(), bidOf(100, 59_000), stopOf(), stopOf({ reduceOnly: true }))
    scene.wait(4_000).includes({ type: 'AllOrdersCancelled', count: 1 })
    return scene.wait(1_000).all('StopPlaced').length
  }
  assert.deepEqual([later(true), later(false)], [1, 0])
})
