import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, ETH, freeTiers, given, type Scene } from '../../../test/support/scene.ts'
import { PPB } from '../../units/units.ts'
import { nearestScope } from './nearest-scope.ts'

const nearestOf = (scene: Scene, name: string) =>
  nearestScope(scene.state, scene.account(name).account)

test('the scope of an account with the least equity over maintenance is named', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 500_000_000, B: 10 ** 12 } })
  assert.equal(nearestOf(scene, 'A'), null)
  scene.own('A', 'SetMarginMode', { market: ETH, isolated: true }).accepted()
  scene.buys('A', 'B', 5_000, 60_000)
  scene.buys('A', 'B', 100, 30_000, ETH)
  const { balance } = scene.account('A')
  const wallet =
    scene.state.positions.wallet[scene.state.markets[ETH]!.rowOf[scene.account('A').account]!]!
  const cross = { scope: 0, equity: balance, maintenance: 30_000_000 }
  const alone = { scope: ETH, equity: wallet, maintenance: 3_000_000 }
  const ratioOf = (one: typeof cross) => Math.floor((one.equity * PPB) / one.maintenance)
  assert.ok(ratioOf(alone) < ratioOf(cross))
  assert.deepEqual(nearestOf(scene, 'A'), { ...alone, ratio: ratioOf(alone) })
  const fallen = { ...cross, equity: balance - 9_000 * 5_000 * 10, maintenance: 25_500_000 }
  scene.tick(BTC, 51_000, { jump: true })
  assert.deepEqual(nearestOf(scene, 'A'), { ...fallen, ratio: ratioOf(fallen) })
  // A closed position leaves a row behind.
  scene.sells('A', 'B', 5_000, 51_000)
  assert.deepEqual(nearestOf(scene, 'A'), { ...alone, ratio: ratioOf(alone) })
})

test('a ratio is limited to a million, in both directions', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 14, B: 10 ** 12 } })
  scene.buys('A', 'B', 10, 60_000)
  assert.equal(nearestOf(scene, 'A')!.ratio, 1_000_000 * PPB)
  const { account: id } = scene.account('A')
  scene.state.accounts.balance[id] = -(10 ** 14)
  assert.equal(nearestOf(scene, 'A')!.ratio, -1_000_000 * PPB)
  scene.state.accounts.balance[id] = 600_000_000
  assert.equal(nearestOf(scene, 'A')!.ratio, 10_000 * PPB)
})
