// Every fault of a source, of every kind of source, against a server that speaks as the real one
// documents it. None was tried against the real ones.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { priceSourceKindNames } from '../../src/protocol/admin/price-source-kinds.ts'
import type { Fault } from '../support/price-sources/fault.ts'
import { PriceScene } from '../support/price-sources/price-scene.ts'
import { spokenFaults } from '../support/price-sources/spoken-faults.ts'
import { wireFaults } from '../support/price-sources/wire-faults.ts'

async function play(scene: PriceScene, fault: Fault): Promise<void> {
  if (fault.fromTheStart !== true) await scene.becomesLive(20)
  const before = scene.health
  for (let second = 0; second < fault.seconds; second++)
    await scene.second(() => fault.act(scene, second))
  assert.deepEqual(scene.markets, [fault.market, 'live'])
  const ethereum = scene.priceOf(2)
  assert.equal(ethereum, 3_500.25)
  fault.seen?.(scene, before)
  if (fault.mend === null) return
  scene.server.manners = 'good'
  fault.mend?.(scene)
  await scene.becomesLive(90)
  assert.deepEqual([scene.priceOf(1), scene.priceOf(2)], [105_000.5, 3_500.25])
}

for (const kind of priceSourceKindNames)
  describe(kind, () => {
    for (const fault of [...spokenFaults, ...wireFaults])
      test(`${kind}: ${fault.name}`, async () => {
        const scene = new PriceScene(kind, fault.options)
        await scene.open()
        try {
          await play(scene, fault)
        } finally {
          await scene.close()
        }
      })
  })
