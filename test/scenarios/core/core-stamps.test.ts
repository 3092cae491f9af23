// docs/rules/core.md, CORE-6, through both engines: the stamp by which signed texts are forgotten.

import { test } from 'node:test'
import { given, orderOf, proofOf, type Scene, START } from '../../support/scene.ts'

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
