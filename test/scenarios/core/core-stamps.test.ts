// docs/rules/core.md, CORE-6, through both engines: the stamp by which signed texts are forgotten.

import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { given, orderOf, proofOf, type Scene, START } from '../../support/scene.ts'
import { textLimitsFor } from '../../support/trial-rules.ts'

const funds = { A: 10 ** 11, B: 10 ** 11 }

function cancelWith(scene: Scene, hash: string, change: Record<string, unknown> = {}) {
  return scene.cancel('A', 9, { proof: proofOf(hash, scene.now, change) })
}

test('texts are forgotten by the stamp alone: engine time may jump by days (CORE-6)', () => {
  const scene = given({ funds })
  const times = { expiresAtMs: scene.now + 30_000 }
  scene.stampMs = scene.now
  cancelWith(scene, 'one', times).refused('ORDER_NOT_FOUND', 9)
  scene.now += 7 * 24 * 3_600_000
  cancelWith(scene, 'two', times).refused('ORDER_NOT_FOUND', 9)
  cancelWith(scene, 'one', times).refused('REPLAYED')
})

test('the mark of an account rises only with its own texts (CORE-6)', () => {
  const scene = given({ funds })
  const until = (expiresAtMs: number) => ({ expiresAtMs })
  scene.stampMs = START + 20_000
  const proof = proofOf('of B', START, until(START + 30_000))
  scene.cancel('B', 9, { proof }).refused('ORDER_NOT_FOUND', 9)
  // The stamp counts for every account from now on, though this command has a smaller one.
  scene.stampMs = START
  const [expires, mark] = [START + 20_000, START + 20_000]
  cancelWith(scene, 'one', until(expires)).refused('EXPIRED', expires, mark)
  cancelWith(scene, 'one', until(expires + 1)).refused('ORDER_NOT_FOUND', 9)
})

test('a batch with an expired text does not run and remembers none (CORE-6)', () => {
  const scene = given({ funds })
  cancelWith(scene, 'known').refused('ORDER_NOT_FOUND', 9)
  const action = (hash: string, expiresAtMs: number) => ({
    ...{ type: 'PlaceOrder', account: scene.id('A'), ...orderOf('bid', 100, 59_000) },
    proof: proofOf(hash, scene.now, { expiresAtMs }),
  })
  const batch = (...actions: readonly unknown[]) => {
    return scene.run({ type: 'Batch', account: scene.id('A'), actions })
  }
  scene.stampMs = START + 5_000
  const open = START + 10_000
  const late = action('late', START + 5_000)
  batch(action('known', open), late).refused('EXPIRED', START + 5_000, START + 5_000)
  batch(action('known', open), action('new', open)).refused('REPLAYED')
  batch(action('new', open)).accepted()
})

test('case 341: a share that is full is emptied by the time of a new text (CORE-8)', (t) => {
  const row = worked('core', 341)
  const [room = 0, reserved = 0, stamp = 0, ...times] = row.given()
  const [one = 0, two = 0, three = 0, windowMs = 0, full = 0, later = 0] = times
  textLimitsFor(t, { textsPerAgent: room, textsReserved: reserved })
  const scene = given({ funds })
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  scene.stampMs = START + stamp
  const proof = (at: number) => {
    const signedAtMs = START + at
    const expiresAtMs = signedAtMs + windowMs
    return { proof: proofOf(`of ${at}`, signedAtMs, { expiresAtMs, agent: 'bot' }) }
  }
  const order = (at: number) => scene.bid('A', 100, 59_000, proof(at))
  for (const at of [one, two, three]) order(at).accepted()
  const refused = order(full).one('CommandRejected')
  scene.cancel('A', 9, proof(full)).refused('ORDER_NOT_FOUND', 9)
  order(later).accepted()
  const again = order(one).one('CommandRejected')
  row.names(refused.rejection, again.rejection)
  row.says(refused.first, refused.second - START, again.first - START, again.second - START)
})

test('in a batch each text empties the share of its signer, and its room counts (CORE-6)', (t) => {
  textLimitsFor(t, { textsPerAccount: 2, textsReserved: 1, textsPerAgent: 1, agentTextShares: 1 })
  const scene = given({ funds })
  for (const agent of ['bot', 'other']) scene.own('A', 'BindAgent', { agent, scopes: ['trade'] })
  scene.stampMs = START
  const action = (at: number, agent: string | null = null) => ({
    ...{ type: 'PlaceOrder', account: scene.id('A'), ...orderOf('bid', 100, 59_000) },
    proof: proofOf(`of ${at}`, START + at, { agent }),
  })
  const batch = (...actions: readonly unknown[]) => {
    return scene.run({ type: 'Batch', account: scene.id('A'), actions })
  }
  batch(action(0), action(1)).accepted()
  batch(action(10_000), action(20_000)).refused('TEXT_MEMORY_FULL', 2, START + 10_000)
  batch(action(20_000), action(20_001)).refused('TEXT_MEMORY_FULL', 2, START + 10_001)
  batch(action(20_001), action(20_002)).accepted()
  batch(action(20_000, 'bot')).accepted()
  batch(action(20_003, 'other')).refused('TEXT_MEMORY_FULL', 1, 0)
  batch(action(40_000, 'other')).accepted()
})
