// A preview of a stop, an OCO, a chase or an iceberg returns the result of placing it, and leaves
// no trace.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY, KeyScene } from '../../../test/support/key-scene.ts'
import { throughWorld } from '../../../test/support/random-world.ts'
import { BTC } from '../../../test/support/scene.ts'
import { apply } from '../engine.ts'
import { EventLog } from '../events/event-log.ts'
import { decodeState } from '../snapshot/decode.ts'
import { encodeState } from '../snapshot/encode.ts'
import { type Plan, planRefusal, restingOrderOf } from './preview-plan.ts'

const kinds = ['PlaceStop', 'PlaceOco', 'PlaceChase', 'PlaceIceberg'] as const

const isPlan = (command: { type: string }): command is Plan =>
  kinds.some((kind) => kind === command.type)

test('a plan and its preview are rejected alike, and the preview changes nothing', () => {
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  for (const seed of [1, 2, 4, 7, 10, 13])
    throughWorld(seed, 400, ({ state, command }) => {
      if (!isPlan(command)) return undefined
      const rows = state.positions.count
      const before = [encodeState(state), state.dirtyCount, rows]
      const refusal = planRefusal(state, command)
      assert.deepEqual([encodeState(state), state.dirtyCount, state.positions.count], before)
      return (events) => {
        const rejected = events.find((event) => event.type === 'CommandRejected')
        count(`${command.type} ${refusal === null ? 'accepted' : 'refused'}`)
        const [first = 0, second = 0, third = 0] = refusal?.numbers ?? []
        const expected = refusal && [refusal.name, first, second, third]
        const answer = rejected && [
          rejected.rejection,
          rejected.first,
          rejected.second,
          rejected.third,
        ]
        assert.deepEqual(answer ?? null, expected, JSON.stringify(command))
      }
    })
  for (const kind of kinds)
    for (const verdict of ['accepted', 'refused'])
      assert.ok((seen.get(`${kind} ${verdict}`) ?? 0) > 0, `${kind} was never ${verdict}`)
})

const level = {
  stopPrice: 61_000,
  limitPrice: null,
  size: 300,
  triggerBy: 'mark',
  clientOrderId: null,
}
const shape = { proof: null, market: BTC, side: 'bid', reduceOnly: false, clientOrderId: null }
const stop = { ...shape, type: 'PlaceStop', level }
const rests = { side: 'bid', price: 59_000, size: 300, reduceOnly: false, clientOrderId: null }
const stopLeg = { side: 'bid', reduceOnly: false, level }
const above = { ...rests, price: 60_200 }
const oco = (...legs: unknown[]) => ({ type: 'PlaceOco', proof: null, market: BTC, legs })
const chase = { ...shape, type: 'PlaceChase', size: 300, price: 59_500, expireTime: null }
const plans = [
  stop,
  { ...stop, takeProfit: { ...level, size: null, stopPrice: 62_000 } },
  { ...stop, takeProfit: { ...level, size: null, stopPrice: 60_500 } },
  { ...stop, level: { ...level, size: 900 } },
  oco(rests, stopLeg),
  oco(stopLeg, rests),
  oco(above, stopLeg),
  oco({ ...rests, clientOrderId: 'x' }, { ...stopLeg, level: { ...level, clientOrderId: 'X' } }),
  oco({ ...stopLeg, level: { ...level, clientOrderId: 'X' } }, { ...rests, clientOrderId: 'x' }),
  chase,
  { ...chase, size: 2_000 },
  { ...chase, type: 'PlaceIceberg', display: 100 },
  { ...chase, type: 'PlaceIceberg', display: 2 },
] as unknown as readonly Plan[]

const policies = [
  { markets: [2] },
  { postOnly: true },
  { reduceOnly: true },
  { maxOrderValue: 200 * 10 ** 6 },
  // 300 lots, but not 300 that rest and a stop for as many.
  { maxPositionValue: 300 * 10 ** 6 },
]

test('a preview by a key equals placing by it, also in a market without a row', () => {
  const refusals = new Set<string>()
  for (const policy of policies)
    for (const plan of plans) {
      const key = new KeyScene(policy)
      const { scene } = key
      scene.ask('B', 500, 60_100)
      const request = { ...plan, account: scene.id('A') } as Plan
      const before = encodeState(scene.state)
      const refusal = planRefusal(scene.state, request, 0, { agent: KEY, ip: null })
      assert.deepEqual(encodeState(scene.state), before)
      const copy = decodeState(before)
      const log = new EventLog()
      const command = { ...request, ...key.signed } as Plan
      apply(copy, { seq: copy.seq + 1, atMs: scene.now as never, command }, log)
      const rejected = log.readAll().find((event) => event.type === 'CommandRejected')
      const answer = rejected && [
        rejected.rejection,
        rejected.first,
        rejected.second,
        rejected.third,
      ]
      const [first = 0, second = 0, third = 0] = refusal?.numbers ?? []
      const expected = refusal && [refusal.name, first, second, third]
      assert.deepEqual(answer ?? null, expected, JSON.stringify([policy, plan]))
      refusals.add(refusal === null ? 'none' : `${plan.type} ${refusal.name} ${first}`)
    }
  const least = ['WOULD_TAKE 60200', 'DUPLICATE_CLIENT_ORDER_ID 0', 'AGENT_LIMIT 6']
  for (const each of ['none', ...least.map((refused) => `PlaceOco ${refused}`)])
    assert.ok(refusals.has(each), `${each} did not occur: ${[...refusals].join()}`)
})

test('the first resting part is an order by itself', () => {
  const [sized] = plans.filter(({ type }) => type === 'PlaceIceberg').map(restingOrderOf)
  assert.deepEqual([sized?.size, sized?.tif, sized?.price], [100, 'ALO', 59_500])
  assert.equal(restingOrderOf(plans[0]!), null)
  assert.equal(restingOrderOf(plans[5]!)?.price, 59_000)
})
