// docs/rules/orders.md, ORDER-1: how far an order may go that names no price, when it has waited.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, EventLog } from '../../../src/core/engine.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { tradingHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, levelAt, type Scene } from '../../support/scene.ts'

const funds = { A: 10 ** 11, B: 10 ** 11, M: 10 ** 11 }
const venue = {
  ...{ tiers: freeTiers, funds, markets: ['BTC'], market: { speedBumpMs: 200 } },
  pricesMayStand: false,
}
type Side = 'bid' | 'ask'
const otherOf = { bid: 'ask', ask: 'bid' } as const

/** M's quote, and A's order that would take it, whose speed bump is over. */
function waiting(side: Side, quote: number, take: (scene: Scene) => void): Scene {
  const scene = given(venue)
  scene.seen(BTC, 60_000).accepted()
  scene.place('M', otherOf[side], 300, quote, { tif: 'ALO' }).accepted()
  take(scene)
  return scene
}

test('case 145: the worst price of a market order that waited (ORDER-1, ORDER-11)', () => {
  const row = worked('orders', 145)
  const [slippagePpm, , next = 0] = row.given()
  const limitOf = (side: Side, near: number) => {
    const sign = side === 'ask' ? 1 : -1
    const isTaken = (price: number) => {
      const scene = given(venue)
      scene.seen(BTC, 60_000)
      // So that it finds a price on arrival.
      scene.place('M', otherOf[side], 100, 60_000, { tif: 'ALO' }).accepted()
      scene.take('A', side, 100, { slippagePpm }).accepted()
      scene.own('M', 'CancelAllOrders', { market: null, excludeReduceOnly: false })
      scene.place('B', otherOf[side], 100, price, { tif: 'ALO' }).accepted()
      scene.wait(200)
      return scene.seen(BTC, next).all('Traded').length > 0
    }
    let price = near
    while (isTaken(price)) price -= sign
    return price + sign
  }
  row.says(limitOf('ask', 60_697), limitOf('bid', 60_298))
})

test('after a jump no order takes it at the earlier price (ORDER-1, TRIG-6, TRIG-3)', () => {
  for (const [side, quote, mark, back] of [
    ['ask', 59_800, 64_800, 60_000],
    ['bid', 60_200, 55_200, 60_000],
  ] as const) {
    const market = (scene: Scene) => scene.take('A', side, 300, { slippagePpm: 5_000 }).accepted()
    const slice = (scene: Scene) => {
      const plan = { slippagePpm: 5_000, durationSeconds: 60, clientOrderId: null }
      scene.own('A', 'PlaceTwap', { market: BTC, side, size: 900, reduceOnly: false, ...plan })
      assert.equal(scene.wait(1).one('AlgoStepped').rejection, 0)
    }
    const stop = (scene: Scene) => {
      scene.stop('A', side, levelAt(side === 'ask' ? 59_999 : 60_001, { size: 300 })).accepted()
      const fires = scene.later(1).seen(BTC, side === 'ask' ? 59_999 : 60_001)
      fires.includes({ type: 'StopTriggered' })
    }
    for (const take of [market, slice, stop]) {
      const jumped = waiting(side, quote, take)
      jumped.wait(200).emits()
      jumped.seen(BTC, mark).includes({ type: 'OrderCancelled', reason: 'expired' }).lacks('Traded')
      // Where the price stays, or goes the other way, it trades.
      for (const price of [back, 2 * back - mark]) {
        const same = waiting(side, quote, take)
        same.wait(200).emits()
        same.seen(BTC, price).includes({ type: 'Traded', lots: 300 })
      }
    }
  }
})

test('its slippage outlives a snapshot (ORDER-1)', () => {
  const take = (scene: Scene) => scene.take('A', 'ask', 300, { slippagePpm: 5_000 }).accepted()
  const scene = waiting('ask', 59_800, take)
  scene.wait(200)
  const again = decodeState(encodeState(scene.state))
  scene.seen(BTC, 60_300).includes({ type: 'OrderCancelled', reason: 'expired' }).lacks('Traded')
  const price = 60_300_000_000
  const command = { type: 'OracleTick', market: BTC, price, observedAtMs: scene.now, jump: true }
  const sequenced = { seq: again.seq + 1, atMs: scene.now as never, command: command as never }
  apply(again, sequenced, new EventLog())
  assert.equal(tradingHash(again), tradingHash(scene.state))
})
