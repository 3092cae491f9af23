// A preview returns the result of placing the order, and leaves no trace.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throughWorld } from '../../../test/support/random-world.ts'
import { BTC, given, orderOf, type Scene } from '../../../test/support/scene.ts'
import type { TimeMs } from '../../units/units.ts'
import type { EditOrder } from '../commands/commands.ts'
import { apply } from '../engine.ts'
import { EventLog } from '../events/event-log.ts'
import { decodeState } from '../snapshot/decode.ts'
import { encodeState } from '../snapshot/encode.ts'
import { largestEdit, type OrderWish, previewOrder } from './preview-order.ts'

const isWish = (command: { type: string }): command is OrderWish =>
  command.type === 'PlaceOrder' || command.type === 'PlaceMarketOrder'

// The worlds of the differential test: few accounts on narrow books, cross and isolated, tiers,
// limits, speed bumps, frozen accounts, malformed commands. Nothing is due or queued when the order
// arrives, so the preview had the same state, and its rejection must be the same to the number.
test('a preview and the placed order are rejected alike, with the same numbers', () => {
  let accepted = 0
  let rejected = 0
  const refusals = new Map<string, number>()
  for (const seed of [1, 2, 4, 7, 10, 13, 15, 16])
    throughWorld(seed, 400, ({ state, command }) => {
      if (!isWish(command)) return undefined
      const { refusal, after } = previewOrder(state, command)
      return (events) => {
        const ends = events.find((event) => event.type === 'OrderCancelled')
        const isRejected = ends?.reason === 'post_only_rejected'
        assert.equal(refusal === null && after?.meets !== 0, isRejected)
        if (isRejected) rejected += 1
        const refused = events.find((event) => event.type === 'CommandRejected')
        if (refusal === null) accepted += 1
        else refusals.set(refusal.name, (refusals.get(refusal.name) ?? 0) + 1)
        const [first = 0, second = 0, third = 0] = refusal?.numbers ?? []
        const expected = refusal && { rejection: refusal.name, first, second, third }
        assert.deepEqual(refused === undefined ? null : withoutType(refused), expected)
      }
    })
  assert.ok(accepted > 100, `only ${accepted} were accepted`)
  assert.ok(rejected > 10, `only ${rejected} would have crossed`)
  for (const name of ['INSUFFICIENT_BALANCE', 'PRICE_TOO_FAR_FROM_MARK', 'NO_REASONABLE_PRICE'])
    assert.ok((refusals.get(name) ?? 0) > 0, `${name} did not occur`)
})

function withoutType<T extends { type: string }>({ type: _, ...rest }: T) {
  return rest
}

// Two previews: one with the leverage as a parameter, and one after setting it in a copy of the
// world. If the copy rejects the leverage there is nothing to compare.
test('a preview with a leverage equals the preview after setting it', () => {
  let compared = 0
  for (const seed of [1, 4, 9])
    throughWorld(seed, 250, ({ state, command, atMs }) => {
      if (!isWish(command) || !state.markets[command.market]) return undefined
      const before = encodeState(state)
      const preview = previewOrder(state, command, 2)
      assert.deepEqual(encodeState(state), before)
      const { account, market } = command
      const set = { type: 'SetLeverage', account, market, leverage: 2, proof: null } as const
      const copy = decodeState(encodeState(state))
      const log = new EventLog()
      apply(copy, { seq: copy.seq + 1, atMs: atMs as TimeMs, command: set }, log)
      if (log.readAll().some(({ type }) => type === 'CommandRejected')) return undefined
      assert.deepEqual(preview, previewOrder(copy, command))
      compared += 1
      return undefined
    })
  assert.ok(compared > 50, `only ${compared} were compared`)
})

test('a preview changes nothing', () => {
  let compared = 0
  for (const seed of [3, 5, 8])
    throughWorld(seed, 250, ({ state, command }) => {
      if (!isWish(command)) return undefined
      const rows = state.positions.count
      const before = [encodeState(state), state.dirtyCount, state.counters.marginChecks, rows]
      previewOrder(state, { ...command, tif: 'FOK', type: 'PlaceOrder' } as OrderWish)
      previewOrder(state, command)
      const { dirtyCount, positions, counters } = state
      const after = [encodeState(state), dirtyCount, counters.marginChecks, positions.count]
      assert.deepEqual(after, before)
      compared += 1
      return undefined
    })
  assert.ok(compared > 50)
})

test('the maximum of a preview is accepted, and one lot more is not', () => {
  let bounded = 0
  for (const seed of [1, 4, 9, 16])
    throughWorld(seed, 300, ({ state, command }) => {
      if (!isWish(command) || (command.type === 'PlaceOrder' && command.tif === 'FOK'))
        return undefined
      const { most, refusal } = previewOrder(state, command)
      if (refusal === null) assert.ok(most >= command.size)
      if (most === 0) return undefined
      const sized = (size: number) => previewOrder(state, { ...command, size } as OrderWish).refusal
      assert.equal(sized(most), null)
      assert.notEqual(sized(most + 1), null)
      bounded += 1
      return undefined
    })
  assert.ok(bounded > 50, `${bounded}`)
})

// Applied to a copy, because only the command itself proves the preview right.
test('the maximum of an edit is accepted, and one lot more is not', () => {
  let bounded = 0
  for (const seed of [1, 4, 9, 16, 25, 36, 49, 64])
    throughWorld(seed, 300, ({ state, command, atMs }) => {
      if (command.type !== 'EditOrder' || !isOnGrid(command)) return undefined
      const before = [encodeState(state), state.counters.marginChecks]
      const most = largestEdit(state, command)
      assert.deepEqual([encodeState(state), state.counters.marginChecks], before)
      if (most === 0) return undefined
      const answerTo = (size: number) => {
        const copy = decodeState(encodeState(state))
        const log = new EventLog()
        const sized = { ...command, size } as EditOrder
        apply(copy, { seq: copy.seq + 1, atMs: atMs as TimeMs, command: sized }, log)
        return log.readAll().find((event) => event.type === 'CommandRejected')?.rejection
      }
      assert.equal(answerTo(most), undefined)
      assert.notEqual(answerTo(most + 1), undefined)
      bounded += 1
      return undefined
    })
  assert.ok(bounded > 20, `${bounded}`)
})

const isOnGrid = ({ price, size }: EditOrder) =>
  Number.isSafeInteger(price) && price > 0 && Number.isSafeInteger(size) && size > 0

function preview(scene: Scene, name: string, more: Record<string, unknown>) {
  const order = { ...orderOf('bid', 100, 60_000), type: 'PlaceOrder', proof: null, ...more }
  return previewOrder(scene.state, { ...order, account: scene.id(name) } as unknown as OrderWish)
}

test('crossing lots are valued at the prices of the book, resting ones at their own', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 1_000_000_000, B: 10 ** 12 } })
  scene.ask('B', 40, 60_010)
  const { after } = preview(scene, 'A', { size: 100, price: 60_020 })
  // 40 at 60,010 with 400 ppm, 60 at 60,020 with 150 ppm.
  const fee = Math.ceil((40 * 600_100 * 400) / 10 ** 6) + Math.ceil((60 * 600_200 * 150) / 10 ** 6)
  const cost = 40 * 600_100 + 60 * 600_200
  assert.deepEqual([after?.lots, after?.cost, after?.fee], [100, cost, fee])
  assert.equal(after?.value, 100 * 600_200)
  assert.equal(after?.balance, 1_000_000_000 - fee)
  const before = scene.account('A')
  scene.bid('A', 100, 60_020).accepted()
  const bound = scene.position('A')!.requirement - (before.positions[0]?.requirement ?? 0)
  assert.equal(after?.margin, bound)
})

test('a preview of a crossing post-only order shows no effect', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 1_000_000_000, B: 10 ** 12 } })
  scene.ask('B', 40, 60_010)
  const { after, refusal } = preview(scene, 'A', { tif: 'ALO', price: 60_020 })
  const { meets, lots, fee, margin, balance } = after!
  assert.deepEqual([refusal, meets, lots, fee, margin, balance], [null, 60_010, 0, 0, 0, 10 ** 9])
  const steps = preview(scene, 'A', { tif: 'TOB', price: 60_020 }).after
  assert.deepEqual([steps?.meets, steps?.lots], [0, 100])
  assert.equal(preview(scene, 'A', { tif: 'ALO', price: 60_009 }).after?.meets, 0)
})

test('closing and flipping an isolated position is previewed as it is settled', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 1_000_000_000, B: 10 ** 12 } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.own('A', 'SetLeverage', { market: BTC, leverage: 20 })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.bid('B', 1_500, 59_990)
  const wish = { side: 'ask', tif: 'IOC', price: 59_990 }
  for (const size of [400, 600, 900]) {
    const { after, refusal } = preview(scene, 'A', { ...wish, size })
    assert.equal(refusal, null)
    scene.ask('A', size, 59_990, { tif: 'IOC' }).accepted()
    const { wallet, lots, cost } = scene.position('A') ?? { wallet: 0, lots: 0, cost: 0 }
    assert.deepEqual([after?.lots, after?.cost, after?.wallet], [lots, cost, wallet])
    assert.equal(after?.balance, scene.balance('A'))
    scene.bid('B', size, 59_990)
  }
})

// Half of the position frees most of its maintenance, which the second tier requires.
test('a loss beyond the share of an isolated wallet stays in the wallet', () => {
  const riskTiers = [{ fromValue: 300_000_000, maxLeverage: 5 }]
  const market = { riskTiers, bandNearPpm: 300_000 }
  const scene = given({ markets: ['BTC'], market, funds: { A: 1_000_000_000, B: 10 ** 12 } })
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true })
  scene.buys('A', 'B', 1_000, 60_000)
  assert.equal(scene.position('A')?.wallet, 66_000_000)
  scene.bid('B', 500, 53_000)
  const { after } = preview(scene, 'A', { side: 'ask', tif: 'IOC', price: 53_000, size: 500 })
  scene.ask('A', 500, 53_000, { tif: 'IOC' }).accepted()
  const { wallet } = scene.position('A')!
  // Half of it, minus the excess of 35,000,000 of loss and 106,000 of fee.
  assert.deepEqual([after?.wallet, wallet], [30_894_000, 30_894_000])
})

test('open interest limits the maximum too, and the crossing lots that of a FOK order', () => {
  const scene = given({ market: { openInterestMax: 700 }, funds: { A: 10 ** 12, B: 10 ** 12 } })
  scene.ask('B', 1_000, 60_000)
  assert.equal(preview(scene, 'A', { tif: 'IOC' }).most, 700)
  scene.ask('B', 1_000, 30_000, { market: 2, size: 250 })
  assert.equal(preview(scene, 'A', { market: 2, price: 30_000, tif: 'FOK' }).most, 250)
  assert.equal(preview(scene, 'A', { market: 2, price: 29_999, tif: 'FOK' }).after?.lots, 0)
})

test('an account without any row in the market has the same preview', () => {
  const scene = given({ markets: ['BTC', 'ETH'], funds: { A: 10_000_000_000 } })
  scene.bid('A', 100, 59_000)
  const rows = scene.state.positions.count
  const { refusal, most } = preview(scene, 'A', { market: 2, price: 30_000 })
  assert.equal(refusal, null)
  assert.equal(scene.state.positions.count, rows)
  assert.notEqual(preview(scene, 'A', { market: 2, price: 30_000, size: most + 1 }).refusal, null)
  assert.ok(scene.bid('A', most, 30_000, { market: 2 }).accepted())
})

test('reserved accounts, unknown accounts and unknown markets have no preview', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 10 ** 10 } })
  const name = (account: number, market: number) =>
    previewOrder(scene.state, {
      ...orderOf('bid', 100, 60_000),
      type: 'PlaceOrder',
      proof: null,
      account,
      market,
    } as unknown as OrderWish).refusal?.name
  assert.equal(name(1, BTC), 'UNSUPPORTED_OPERATION')
  assert.equal(name(99, BTC), 'ACCOUNT_NOT_FOUND')
  assert.equal(name(scene.id('A'), 9), 'BOOK_NOT_FOUND')
})
