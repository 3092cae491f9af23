// A ring buys below the mark from honest makers who are right: the index comes to them later. What
// its lots are worth more at the mark was margin once, which it lost to a friend; the reserves paid
// up to 247,263 dollars for it. The market keeps the gap, so that the ring makes nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given } from '../../support/scene.ts'

const dollars = 1_000_000
/** One lot at one tick. */
const K = 10
const reserves = 2_000_000
const all = { market: BTC, excludeReduceOnly: false }

test('case 139: a gap is kept when the book is empty, and follows the mark (MARGIN-9)', () => {
  const row = worked('margin', 139)
  const [mark = 0, ask = 0, higher = 0, lower = 0, last = 0, keptMs = 0, overMs = 0] = row.given()
  const funds = { B: 10 ** 12, C: 10 ** 12 }
  const scene = given({ tiers: freeTiers, funds, market: { staleAfterMs: 60_000 } })
  const size = lotsFor(100_000, ask)
  const begin = scene.now
  const longAt = (price: number, ms = 0) => {
    scene.later(begin + ms - scene.now).mark(BTC, price)
    return (scene.view.markets.get(BTC)?.guardedPrice(1) ?? 0) as number
  }
  scene.ask('C', size, ask, { tif: 'ALO' }).accepted()
  const found = longAt(mark)
  scene.bid('B', size, ask, { tif: 'IOC' }).includes({ type: 'Traded', lots: size })
  row.says(
    ...[found, longAt(higher), longAt(lower)],
    ...[longAt(last, keptMs), longAt(last, overMs)],
  )
})

test('case 142: a larger gap does not hide a smaller one (MARGIN-3)', () => {
  const row = worked('margin', 142)
  const [mark = 0, ask = 0, later = 0, lower = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { C: 10 ** 12 } })
  const longAt = (price: number, offered: number) => {
    scene.own('C', 'CancelAllOrders', all).accepted()
    scene.ask('C', lotsFor(100_000, offered), offered, { tif: 'ALO' }).accepted()
    scene.mark(BTC, price)
    return (scene.view.markets.get(BTC)?.guardedPrice(1) ?? 0) as number
  }
  row.says(longAt(mark, ask), longAt(later, lower))
})

test('a gap counts for a period more than the one in which a tick found it (MARGIN-3)', () => {
  const scene = given({
    tiers: freeTiers,
    funds: { C: 10 ** 12 },
    market: { staleAfterMs: 60_000 },
  })
  const period = 60_000
  const begin = Math.ceil(scene.now / period) * period
  const longAt = (ms: number) => {
    scene.later(begin + ms - scene.now).mark(BTC, 60_000)
    return scene.view.markets.get(BTC)?.guardedPrice(1)
  }
  const ask = (price: number) =>
    scene.ask('C', lotsFor(100_000, price), price, { tif: 'ALO' }).accepted()
  ask(57_000)
  assert.equal(longAt(0), 57_000)
  scene.own('C', 'CancelAllOrders', all).accepted()
  ask(57_100)
  // A little smaller, and found until a moment ago: it counts when the larger one is over.
  assert.equal(longAt(59_999), 57_000)
  assert.equal(longAt(60_001), 57_000)
  scene.own('C', 'CancelAllOrders', all).accepted()
  assert.equal(longAt(119_999), 57_000)
  assert.equal(longAt(120_000), 57_100)
  assert.equal(longAt(179_999), 57_100)
  assert.equal(longAt(180_000), 60_000)
})

test('shorts keep the gap of a book above the mark (MARGIN-3)', () => {
  const scene = given({ tiers: freeTiers, funds: { B: 10 ** 12, C: 10 ** 12 } })
  const shortAt = (price: number) => {
    scene.mark(BTC, price)
    return scene.view.markets.get(BTC)?.guardedPrice(-1)
  }
  const size = lotsFor(100_000, 63_000)
  scene.bid('C', size, 63_000, { tif: 'ALO' }).accepted()
  assert.equal(shortAt(60_000), 63_000)
  scene.ask('B', size, 63_000, { tif: 'IOC' }).includes({ type: 'Traded', lots: size })
  assert.equal(shortAt(59_000), 62_000)
  assert.equal(shortAt(62_000), 63_000)
  // A friend's bid nearer to the mark does not replace it.
  scene.bid('B', size, 62_100, { tif: 'ALO' }).accepted()
  assert.equal(shortAt(62_000), 63_000)
})

/** Lots of this many dollars. */
function lotsFor(value: number, price: number): number {
  return Math.floor((value * dollars) / (price * K))
}

/** One market whose ticks say when their price was observed. Funds in dollars; H is honest. */
function staged(ring: Readonly<Record<string, number>>) {
  const all = Object.entries({ insurance: reserves, H: 20_000_000, ...ring })
  const scene = given({
    market: {
      ...{ speedBumpMs: 200, bandNearPpm: 300_000, bandFarPpm: 900_000, staleAfterMs: 4_500 },
      orderValueMax: 5_000_000 * dollars,
    },
    markets: ['BTC'],
    pricesMayStand: false,
    funds: Object.fromEntries(all.map(([name, amount]) => [name, amount * dollars])),
  })
  scene.reserve((reserves / 2) * dollars)
  scene.ids.backstop = scene.state.markets[BTC]!.backstop
  const tick = (afterMs: number, price: number, age = 50) =>
    scene.later(afterMs).tick(BTC, price, { observedAtMs: scene.now - age })
  const wealth = (names: readonly string[]) => {
    const each = names.map((name) => {
      const [lots, cost] = scene.held(name)
      return scene.balance(name) + lots * 57_000 * K - cost
    })
    return each.reduce((sum, money) => sum + money, 0) / dollars
  }
  const had = wealth(Object.keys(ring))
  tick(0, 60_000, 0)
  /** The index comes to the book: then neither does the ring gain nor do the reserves pay. */
  const paysNothing = (move: (price: number) => unknown = (price) => tick(3_000, price)) => {
    for (let price = 59_700; price >= 57_000; price -= 300) move(price)
    for (let more = 0; more < 4; more++) move(57_000)
    const gained = wealth(Object.keys(ring)) - had
    assert.ok(gained <= 0, `the ring gained ${gained}`)
    const paid = reserves - wealth(['backstop', 'insurance'])
    assert.ok(paid <= 0, `the reserves paid ${paid}`)
  }
  return { scene, tick, paysNothing }
}

/** H offers this many dollars at 57,010, and the sweeper has bought all of it. */
function swept(ring: Readonly<Record<string, number>>, sweeper: string, value: number) {
  const stage = staged(ring)
  const { scene, tick } = stage
  const size = lotsFor(value, 57_010)
  const quote = () => scene.ask('H', size, 57_010, { tif: 'ALO' }).accepted()
  scene.bid('H', size, 56_990, { tif: 'ALO' }).accepted()
  quote()
  tick(3_000, 60_000)
  scene.bid(sweeper, size, 57_010, { tif: 'IOC' }).accepted()
  tick(300, 60_000).includes({ type: 'Traded' })
  /** A buys from F, if it may. */
  const deal = (dealt: number, price: number) => {
    const lots = lotsFor(dealt, price)
    scene.ask('F', lots, price, { tif: 'ALO' }).accepted()
    scene.bid('A', lots, price, { tif: 'IOC' })
  }
  return { ...stage, size, quote, deal }
}

for (const backMs of [50, 500])
  test(`a swept book still guards, with makers back after ${backMs} ms (MARGIN-3)`, () => {
    const ring = { A: 60_000, F: 60_000 }
    const { scene, tick, size, quote, deal, paysNothing } = swept(ring, 'A', 2_500_000)
    const isBack = backMs < 100
    if (isBack) {
      scene.later(backMs)
      quote()
    }
    tick(isBack ? 100 - backMs : 100, 60_000)
    if (isBack) scene.bid('A', size, 57_010, { tif: 'IOC' })
    deal(isBack ? 1_150_000 : 2_000_000, 62_900)
    tick(250, 60_000)
    if (!isBack) quote()
    paysNothing()
  })

test('quotes that are renewed every 300 ms guard (MARGIN-3)', () => {
  const { scene, tick, paysNothing } = staged({ A: 60_000, F: 60_000 })
  const size = lotsFor(1_000_000, 57_010)
  const renew = (by: number) => {
    scene.own('H', 'CancelAllOrders', all).accepted()
    scene.ask('H', size, 57_010 + by, { tif: 'ALO' }).accepted()
    scene.bid('H', size, 56_990 - by, { tif: 'ALO' }).accepted()
  }
  const renewed = (times: number, price: number) => {
    for (let time = 0; time < times; time++) {
      renew(time % 2)
      scene.later(300)
    }
    return tick(0, price)
  }
  renewed(10, 60_000)
  // A buys most of what is shown, three times; then all of it, and its friend's ask.
  for (let time = 0; time < 3; time++) {
    scene.bid('A', Math.floor(0.9 * size), 57_011, { tif: 'IOC' })
    renewed(3, 60_000)
  }
  const lots = lotsFor(1_400_000, 62_900)
  renew(0)
  scene.ask('F', lots, 62_900, { tif: 'ALO' }).accepted()
  scene.bid('A', size, 57_011, { tif: 'IOC' })
  scene.bid('A', lots, 62_900, { tif: 'IOC' })
  tick(250, 60_000)
  paysNothing((price) => renewed(10, price))
})

test('nor does a ring gain that sweeps and then buys at the mark (MARGIN-3)', () => {
  for (const [funds, value] of [
    [150_000, 4_000_000],
    [270_000, 10_000_000],
  ] as const) {
    const raid = swept({ A: funds, F: funds }, 'A', 2_500_000)
    raid.tick(100, 60_000)
    for (let left: number = value; left > 0; left -= 4_000_000)
      raid.deal(Math.min(left, 4_000_000), 60_000)
    raid.tick(250, 60_000)
    raid.quote()
    raid.paysNothing()
  }
})

test('nor one whose sweeper keeps its profit while another account buys (MARGIN-3)', () => {
  for (const [price, value] of [
    [60_000, 2_900_000],
    [60_600, 1_900_000],
    [61_000, 1_500_000],
  ] as const) {
    const raid = swept({ S: 60_000, A: 60_000, F: 100_000 }, 'S', 2_500_000)
    raid.tick(100, 60_000)
    raid.deal(value, price)
    raid.tick(250, 60_000)
    raid.quote()
    raid.paysNothing()
  }
})

test('nor one that buys below and above the mark, on average at it (MARGIN-3)', () => {
  for (const [book, price, value] of [
    [1_350_000, 62_900, 1_300_000],
    [1_200_000, 62_500, 1_450_000],
    [800_000, 61_200, 1_900_000],
  ] as const) {
    const raid = swept({ A: 60_000, F: 60_000 }, 'A', book)
    raid.tick(100, 60_000)
    for (let piece = 0; piece < 30; piece++) {
      raid.deal(value / 30, price)
      raid.tick(250, 60_000)
    }
    raid.quote()
    raid.paysNothing()
  }
})
