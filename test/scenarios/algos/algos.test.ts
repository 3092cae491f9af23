// docs/rules/algos.md, ALGO-1, through both engines: what algos of every kind have in common.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, EventLog } from '../../../src/core/engine.ts'
import { firstRules } from '../../../src/core/rules/first-rules.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { tradingHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { KEY, KeyScene } from '../../support/key-scene.ts'
import { BTC, freeTiers, given, type Scene } from '../../support/scene.ts'
import { setLimits } from '../../support/trial-rules.ts'

const funds = { A: 10 ** 12, B: 10 ** 12 }
const free = { tiers: freeTiers, funds, markets: ['BTC'] }
const tick = { type: 'Tick' } as const

function twap(scene: Scene, who: string): void {
  const plan = { market: BTC, side: 'bid', size: 1_000, slippagePpm: 0, durationSeconds: 60 }
  scene.own(who, 'PlaceTwap', { ...plan, reduceOnly: false, clientOrderId: null }).accepted()
}

test('a command runs a limited number of steps, earliest first; a tick the rest (CORE-3)', () => {
  const { stepsPerCommand } = firstRules.limits
  setLimits({ stepsPerCommand: 2 })
  const scene = given(free)
  twap(scene, 'A')
  // The first of A runs with the next command, and the last two are left after the one behind it.
  scene.quietly(() => {
    twap(scene, 'B')
    twap(scene, 'B')
    twap(scene, 'A')
  })
  const stepped = (scene: Scene) => {
    return scene
      .run(tick)
      .all('AlgoStepped')
      .map(({ algo, step }) => [algo, step])
  }
  assert.deepEqual(stepped(scene), [[4, 1]])
  scene.now += 30_001
  assert.deepEqual(stepped(scene), [
    [1, 2],
    [2, 2],
  ])
  assert.equal(scene.view.hasWorkLeft, true)
  const again = decodeState(encodeState(scene.state))
  assert.deepEqual(stepped(scene), [
    [3, 2],
    [4, 2],
  ])
  assert.equal(scene.view.hasWorkLeft, false)
  apply(again, { seq: again.seq + 1, atMs: scene.now as never, command: tick }, new EventLog())
  assert.equal(tradingHash(again), tradingHash(scene.state))
  setLimits({ stepsPerCommand })
})

test('read back from a snapshot, algos of all kinds end by id (ALGO-1, ACCT-9)', () => {
  const key = new KeyScene({})
  const { scene } = key
  const wish = { market: BTC, side: 'bid', size: 1_000, display: 300, price: 59_000 }
  const none = { reduceOnly: false, expireTime: null, clientOrderId: null }
  key.own('PlaceIceberg', { ...wish, ...none }).accepted()
  key.twap(300).accepted()
  const again = decodeState(encodeState(scene.state))
  const log = new EventLog()
  const revoke = { type: 'RevokeAgent', account: scene.id('A'), proof: null, agent: KEY } as const
  const ended = scene.run(revoke).all('AlgoEnded')
  const sequenced = { seq: again.seq + 1, atMs: scene.now, command: revoke }
  apply(again, sequenced as never, log)
  const outcome = log.readAll().filter(({ type }) => type === 'AlgoEnded')
  assert.deepEqual(outcome, ended)
  const ids = ended.map(({ algo }) => algo)
  assert.equal(ids.length, 2)
  assert.ok(ids[0]! < ids[1]!)
})
