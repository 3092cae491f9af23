// A preview by a key returns the result of placing the order with that key, and leaves no trace.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY, KeyScene } from '../../../test/support/key-scene.ts'
import { BTC, orderOf, type Scene } from '../../../test/support/scene.ts'
import { apply } from '../engine.ts'
import { EventLog } from '../events/event-log.ts'
import { decodeState } from '../snapshot/decode.ts'
import { encodeState } from '../snapshot/encode.ts'
import { type OrderWish, previewOrder } from './preview-order.ts'

const by = { agent: KEY, ip: null }
const million = 10 ** 6

/** One policy for each rule, and an account that is long, has open bids and a loss. */
const policies = [
  { markets: [2] },
  { postOnly: true },
  { reduceOnly: true },
  { maxSlippagePpm: 5_000 },
  { maxOrderValue: 100 * million },
  { maxPositionValue: 1_000 * million },
  { maxDailyLoss: million / 2 },
  { maxSlippagePpm: 20_000, maxPositionValue: 2_000 * million, maxDailyLoss: 500 * million },
]

function prepared(policy: Readonly<Record<string, unknown>>): KeyScene {
  const key = new KeyScene(null)
  key.scene.buys('A', 'B', 1_000, 60_000)
  key.scene.bid('A', 300, 59_500)
  key.scene.ask('B', 500, 60_100)
  key.limit(policy).accepted()
  key.bid(1, 59_000, { size: 100 })
  key.scene.mark(BTC, 59_900)
  return key
}

const placed = { type: 'PlaceOrder', proof: null } as const
const atMarket = { type: 'PlaceMarketOrder', slippagePpm: 10_000 } as const

const wishes = (['bid', 'ask'] as const).flatMap((side) =>
  [20, 200, 900, 5_000].flatMap((size) => [
    ...[58_000, 59_700, 60_100, 61_000].flatMap((price) =>
      ['GTC', 'ALO', 'IOC'].map((tif) => ({ ...placed, ...orderOf(side, size, price), tif })),
    ),
    { ...placed, ...orderOf(side, size, 60_000), reduceOnly: true },
    { ...placed, ...orderOf(side, size, 60_000), ...atMarket },
  ]),
) as unknown as readonly OrderWish[]

/** Placed by the key in a copy of the exchange. */
function answerTo({ scene, signed }: KeyScene, wish: OrderWish) {
  const copy = decodeState(encodeState(scene.state))
  const log = new EventLog()
  const command = { ...wish, ...signed } as OrderWish
  apply(copy, { seq: copy.seq + 1, atMs: scene.now as never, command }, log)
  const rejected = log.readAll().find((event) => event.type === 'CommandRejected')
  return rejected === undefined
    ? null
    : { name: rejected.rejection, numbers: [rejected.first, rejected.second, rejected.third] }
}

const ofA = (scene: Scene, wish: OrderWish): OrderWish =>
  ({ ...wish, account: scene.id('A') }) as OrderWish

test('a preview by a key and placing by it are rejected alike, with the same numbers', () => {
  const rules = new Map<number, number>()
  for (const policy of policies) {
    const key = prepared(policy)
    const before = encodeState(key.scene.state)
    for (const each of wishes) {
      const wish = ofA(key.scene, each)
      const { refusal } = previewOrder(key.scene.state, wish, 0, by)
      const [first = 0, second = 0, third = 0] = refusal?.numbers ?? []
      const expected = refusal && { name: refusal.name, numbers: [first, second, third] }
      assert.deepEqual(answerTo(key, wish), expected, JSON.stringify([policy, wish]))
      if (refusal?.name === 'AGENT_LIMIT') rules.set(first, (rules.get(first) ?? 0) + 1)
    }
    assert.deepEqual(encodeState(key.scene.state), before)
  }
  assert.deepEqual([...rules.keys()].sort(), [1, 2, 3, 4, 5, 6, 7])
})

test('the maximum of a key is accepted, and one lot more is not', () => {
  let bounded = 0
  for (const policy of policies) {
    const key = prepared(policy)
    for (const each of wishes) {
      const wish = ofA(key.scene, each)
      const { most } = previewOrder(key.scene.state, wish, 0, by)
      if (most === 0) continue
      bounded += 1
      assert.equal(answerTo(key, { ...wish, size: most } as OrderWish), null)
      assert.notEqual(answerTo(key, { ...wish, size: most + 1 } as OrderWish), null)
    }
  }
  assert.ok(bounded > 100, `${bounded}`)
})

test('a preview by an unknown or expired key returns that error', () => {
  const key = prepared({ expiresAt: 10 ** 14 })
  const wish = ofA(key.scene, wishes[0]!)
  const previewBy = (agent: string) => previewOrder(key.scene.state, wish, 0, { agent, ip: null })
  assert.deepEqual(previewBy('stranger').refusal?.name, 'AGENT_NOT_ALLOWED')
  assert.equal(previewBy(KEY).refusal, null)
})
