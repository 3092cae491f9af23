// What the view answers, against what the core keeps and what the rules say of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ExchangeView, type Holding, viewOf } from '../../src/core/index.ts'
import { pictureOf } from '../support/picture.ts'
import { throughWorld } from '../support/random-world.ts'
import { BTC, given, levelAt } from '../support/scene.ts'

const ceilPpm = (value: number, ppm: number) =>
  Number((BigInt(value) * BigInt(ppm) + 999_999n) / 1_000_000n)

// Worlds with isolated and cross positions, orders of both sides and several leverages: a part that
// was taken from another row, or rounded the other way, differs in one of them.
test('a requirement is the sum of its parts, and what the engine requires', () => {
  let seen = 0
  for (const seed of [0, 3, 24])
    throughWorld(seed, 150, ({ state }) => {
      const { positions, markets } = viewOf(state)
      for (const { account, positions: held } of pictureOf(state).accounts)
        for (const { market, requirement } of held) {
          const parts = positions.requirementOf(account, market)!
          const { lotValue, tiers } = markets.get(market)!
          const { lots, buys, sells, isolated, fractionPpm, takerPpm } = parts
          const worst = Math.max(Math.abs(lots + buys), Math.abs(lots - sells))
          const held = isolated ? Math.abs(lots) : 0
          const tiered = tiers.length > 1 && worst * lotValue >= tiers[1]!.fromValue
          const fees = ceilPpm(Math.max(buys, sells) * lotValue, takerPpm)
          assert.equal(parts.worstValue, worst * lotValue)
          assert.equal(parts.heldValue, held * lotValue)
          assert.equal(parts.requirement, requirement)
          const linear = ceilPpm(worst * lotValue, fractionPpm)
          // The fraction of a higher tier counts for the part above its start alone.
          if (tiered) assert.ok(parts.worstMargin <= linear)
          else assert.equal(parts.worstMargin, linear)
          assert.equal(parts.fees, fees)
          const margin = parts.worstMargin - parts.heldMargin
          assert.equal(requirement, margin + fees + parts.entryLosses)
          seen += buys + sells > 0 && lots !== 0 ? 1 : 0
        }
      return undefined
    })
  assert.ok(seen > 200, `${seen}`)
})

test('all holdings belong to accounts, and their lots add up to zero in every market', () => {
  throughWorld(7, 200, ({ state }) => {
    const { positions, accounts, markets } = viewOf(state)
    const holdings = positions.holdings()
    const each: Holding[] = []
    for (let account = 1; account <= accounts.count; account++)
      for (const { id } of markets.all()) {
        const held = positions.holdingOf(account, id)
        assert.equal(positions.lotsOf(account, id), held?.lots ?? 0)
        if (held !== null) each.push(held)
      }
    const key = ({ account, market }: Holding) => account * 1_000 + market
    const sorted = (list: readonly Holding[]) => list.toSorted((a, b) => key(a) - key(b))
    assert.deepEqual(sorted(holdings), sorted(each))
    for (const { id, openInterest } of markets.all()) {
      const lots = holdings.filter(({ market }) => market === id).map((held) => held.lots)
      assert.equal(
        lots.reduce((sum: number, held) => sum + held, 0),
        0,
      )
      assert.equal(
        lots.reduce((sum: number, held) => sum + Math.max(0, held), 0),
        openInterest,
      )
    }
    return undefined
  })
})

/** profit·notional ÷ (|cost|·equity), exactly: above zero where the one comes first (LIQ-6). */
function compareRanks(view: ExchangeView, one: Holding, other: Holding): bigint {
  const numbers = (held: Holding) => {
    const position = view.positions.of(held.account).find(({ market }) => market === held.market)!
    const { lotValue } = view.markets.get(held.market)!
    const { crossEquity } = view.accounts.numbersOf(held.account)
    const equity = held.isolated ? position.wallet + position.unrealised : crossEquity
    const above = BigInt(position.unrealised) * BigInt(Math.abs(held.lots) * lotValue)
    return { above, below: BigInt(Math.abs(held.cost)) * BigInt(equity) }
  }
  const [a, b] = [numbers(one), numbers(other)]
  return a.above * b.below - b.above * a.below
}

// Few prices and few accounts: positions of one side that gain differently much are common.
test('positions are shown in the order in which they would be deleveraged (LIQ-6)', () => {
  let compared = 0
  for (const seed of [2, 4, 11, 13, 19])
    throughWorld(seed, 300, ({ state }) => {
      const view = viewOf(state)
      const gaining = view.positions
        .holdings()
        .filter(({ account, market }) => {
          const score = view.positions.deleverageScore(account, market)
          return score > 0 && score < Number.MAX_VALUE
        })
        .slice(0, 12)
      for (const one of gaining)
        for (const other of gaining) {
          const scores = [one, other].map(({ account, market }) =>
            view.positions.deleverageScore(account, market),
          ) as [number, number]
          // Scores that are nearly equal are told apart by the engine alone.
          if (Math.abs(scores[0] - scores[1]) < 1e-9 * scores[0]) continue
          assert.equal(scores[0] > scores[1], compareRanks(view, one, other) > 0n)
          compared += 1
        }
      return undefined
    })
  assert.ok(compared > 500, `${compared}`)
})

test('a sample of the scores of a market is of its positions alone, by side', () => {
  const scene = given({ markets: ['BTC', 'ETH'], funds: { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 } })
  scene.buys('A', 'B', 100, 60_000)
  scene.buys('C', 'B', 50, 60_000)
  scene.sells('A', 'C', 10, 30_000, 2)
  scene.mark(BTC, 60_600)
  const { long, short } = scene.view.positions.deleverageScores(BTC, 100)
  const score = (name: string) => scene.view.positions.deleverageScore(scene.id(name), BTC)
  assert.deepEqual(long, [score('A'), score('C')])
  assert.deepEqual(short, [score('B')])
  assert.ok(score('A') > score('C') && score('C') > 0 && score('B') < 0)
  const one = scene.view.positions.deleverageScores(BTC, 1)
  assert.ok(one.long.length + one.short.length <= 1)
})

test('the best offer of others looks behind one’s own, and only so far', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 10 ** 12, B: 10 ** 12 } })
  scene.bid('A', 10, 59_999)
  scene.bid('A', 20, 59_998)
  scene.bid('B', 30, 59_998)
  const { books, orders } = scene.view
  const own = new Set([scene.id('A')])
  assert.deepEqual(books.bestOffer(BTC, 'bid', own, 3), { price: 59_998, lots: 30 })
  assert.equal(books.bestOffer(BTC, 'bid', own, 2), null)
  assert.equal(books.bestOffer(BTC, 'ask', own, 3), null)
  assert.deepEqual([books.bestPrice(BTC, 'bid'), books.bestLots(BTC, 'bid')], [59_999, 10])
  assert.deepEqual([books.bestPrice(BTC, 'ask'), books.bestLots(BTC, 'ask')], [0, 0])
  assert.deepEqual([books.bestPrice(9, 'bid'), books.bestLots(9, 'bid')], [0, 0])
  const seen = orders.quotationsOf(scene.id('A'), BTC, 'bid').map((each) => each.price)
  assert.deepEqual(seen, [59_999, 59_998])
})

test('levels are read into the arrays of the reader, best first, as many as fit', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 10 ** 12 } })
  for (const price of [60_003, 60_001, 60_002]) scene.ask('A', 10 * (price - 60_000), price)
  const into = {
    prices: new Int32Array(2),
    lots: new Float64Array(2),
    orders: new Int32Array(2),
  }
  assert.equal(scene.view.books.readLevels(BTC, 'ask', into), 2)
  assert.deepEqual([...into.prices, ...into.lots, ...into.orders], [60_001, 60_002, 10, 20, 1, 1])
  assert.equal(scene.view.books.readLevels(BTC, 'bid', into), 0)
  assert.equal(scene.view.books.readLevels(9, 'bid', into), 0)
})

test('one view sees all that happens to its state', () => {
  const scene = given({ markets: ['BTC'], funds: { A: 10 ** 12, B: 10 ** 12 } })
  const { view } = scene
  const market = view.markets.named('BTC')!
  assert.equal(view.markets.get(BTC), market)
  assert.equal(view.markets.named('ETH'), undefined)
  scene.mark(BTC, 60_100)
  assert.equal(market.mark, 60_100)
  scene.buys('A', 'B', 100, 60_100)
  assert.equal(market.openInterest, 100)
  assert.ok(market.bandOf('bid').most >= market.mark)
  scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', stopLoss: levelAt(57_000) })
  assert.equal(view.orders.openOf(scene.id('A'))[0]?.isWhole, true)
  assert.deepEqual([...view.symbols], [['BTC', BTC]])
  assert.equal(view.accounts.isReserved(view.money.insurance.account), true)
  assert.equal(view.accounts.isReserved(market.backstop), true)
  assert.equal(view.accounts.isReserved(scene.id('A')), false)
})
