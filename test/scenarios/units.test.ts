// docs/rules/units.md through both engines: what numbers mean, positions, entry price, bounds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryPriceText } from '../../src/units/entry-price.ts'
import { type Lots, type Quote, quote } from '../../src/units/units.ts'
import { ruleText, worked } from '../support/rule-table.ts'
import { BTC, ETH, freeTiers, given, paramsOf, type Scene } from '../support/scene.ts'
import { entryPriceText as naiveEntryPrice } from '../twin/units/entry-price.ts'

/** As the two engines would show it; lots per unit is a power of ten here. */
function entryPrice(cost: number, lots: number, lotsPerUnit: number): string {
  const scale = String(lotsPerUnit).length - 1
  const text = entryPriceText(cost as Quote, lots as Lots, { value: 1, scale })
  assert.equal(text, naiveEntryPrice(BigInt(cost), BigInt(lots), BigInt(lotsPerUnit)))
  return text
}

function btcEntry(scene: Scene, name: string): string {
  const [lots, cost] = scene.held(name)
  return entryPrice(cost, lots, 100_000)
}

test('case 50: n lots at p ticks are worth n·p·K, exactly (UNITS-1)', () => {
  const row = worked('units', 50)
  const [lots = 0, price = 0, ethLots = 0, ethPrice = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 12, B: 10 ** 12 } })
  const btc = scene.buys('A', 'B', lots, price).fills()[0]
  const eth = scene.buys('A', 'B', ethLots, ethPrice, ETH).fills()[0]
  row.says(btc?.value, eth?.value)
})

test('a grid whose K is not a whole number of micro-dollars is not listed (UNITS-1)', () => {
  const scene = given({ markets: [] })
  const list = (tick: number, lot: number) => {
    const steps = { tickSize: { value: 1, scale: tick }, lotSize: { value: 1, scale: lot } }
    const params = paramsOf('BTC', { symbol: `S${tick}-${lot}`, ...steps })
    const backstopAddress = `backstop-${tick}-${lot}`
    const market = { ...params, backstopAddress }
    return scene.run({ type: 'ListMarket', params: market, oracle: 60_000_000_000 })
  }
  list(3, 3).emits({ type: 'AccountOpened' }, { type: 'MarketListed' }, { type: 'MarkUpdated' })
  list(3, 4).refused('INVALID_PARAMETER', 0)
})

test('no stored number is −0: a position that closed at cost leaves plain zeros (UNITS-1)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 11, B: 10 ** 11 } })
  scene.buys('A', 'B', 100, 60_000)
  const { pnl, fee } = scene.sells('A', 'B', 100, 60_000).fills()[0]!
  const { lots, cost } = scene.state.positions
  const stored = [pnl, fee, ...lots, ...cost, ...scene.state.accounts.balance]
  assert.ok(stored.every((value) => !Object.is(value, -0)))
})

test('a fill of more than the position is two parts, close then open (UNITS-2)', () => {
  const scene = given({ funds: { A: 10 ** 11, B: 10 ** 11 } })
  scene.sells('A', 'B', 100, 60_000)
  const [close, open] = scene.buys('A', 'B', 130, 60_100).fills()
  assert.deepEqual([close?.kind, close?.lots, close?.value], ['close_short', 100, 60_100_000])
  assert.deepEqual([open?.kind, open?.lots, open?.value], ['open_long', 30, 18_030_000])
  assert.deepEqual([close?.fee, open?.fee], [24_040, 7_212])
  assert.equal(close?.pnl, -100_000 - 24_040)
})

test('a closing part takes its share of the cost, cut towards zero (UNITS-2)', () => {
  const market = { orderValueMin: 1 }
  const scene = given({ market, tiers: freeTiers, funds: { A: 10 ** 11, B: 10 ** 11 } })
  scene.sells('A', 'B', 2, 60_000)
  scene.sells('A', 'B', 1, 60_001)
  // cost −1,800,010 over 3 lots: a third is −600,003.33…
  const close = scene.buys('A', 'B', 2, 60_000).fills()[0]
  assert.deepEqual([close?.entryCost, close?.pnl], [-1_200_006, 6])
  assert.deepEqual(scene.held('A'), [-1, -600_004])
})

test('the entry price ends within 28 digits or is rounded half-even at the 28th (UNITS-3)', () => {
  assert.equal(entryPrice(15, 1, 1), '0.000015')
  assert.equal(entryPrice(2, 3, 1), '0.0000006666666666666666666666666667')
})

test('case 51: the worst case of an account over all markets is at most 2^52 (UNITS-4)', () => {
  const row = worked('units', 51)
  const [tickMax, price = 0, btcLots = 0, much = 0, fits = 0] = row.given()
  const scene = given({ market: { orderValueMax: 2 ** 52, tickMax }, funds: { A: 2 ** 50 } })
  scene.bid('A', btcLots, price).emits({ type: 'OrderPlaced' }, { type: 'OrderRested' })
  const refusal = scene.bid('A', much, price, { market: ETH }).one('CommandRejected')
  row.names(refusal.rejection)
  row.says(refusal.first, refusal.second)
  assert.equal(refusal.second, 2 ** 52)
  scene.bid('A', fits, price, { market: ETH }).accepted()
})

test('total deposits are at most 2^52 (UNITS-4)', () => {
  const scene = given({ markets: [], funds: { A: 2 ** 52 - 1 } })
  scene.deposit('B', 2).refused('LIMIT_REACHED', 2 ** 52)
  scene.deposit('B', 1).includes({ type: 'Deposited', balance: 1 })
})

test('at listing the oracle is between 1,000 and 10^9 ticks (UNITS-4)', () => {
  const scene = given({ markets: [] })
  const list = (symbol: string, oracle: number) => {
    const params = paramsOf(symbol, { tickMax: 2_000_000_000 })
    return scene.run({ type: 'ListMarket', params, oracle })
  }
  list('BTC', 999_999_999).refused('INVALID_PARAMETER', 0)
  list('BTC', 1_000_000_000).accepted()
  list('ETH', 10 ** 15 + 1).refused('INVALID_PARAMETER', 0)
  list('ETH', 10 ** 15).accepted()
})

test('cases 1 to 4: open, add, close in part, flip (UNITS-5)', () => {
  const opening = worked('units', 1)
  const [fundsA = 0, lots = 0, price = 0, fundsB = 0] = opening.given()
  const scene = given({ funds: { A: fundsA, B: fundsB } })
  const fees = () => scene.balance('fees')
  const [a, b] = scene.buys('A', 'B', lots, price).fills()
  const [heldA, heldB] = [scene.held('A'), scene.held('B')]
  const balances = () => [scene.balance('A'), scene.balance('B')] as const
  const [afterA, afterB] = balances()
  opening.says(a?.value, a?.fee, b?.fee, ...heldA, afterA, ...heldB, afterB, fees())

  const adding = worked('units', 2)
  const [lots2 = 0, price2 = 0] = adding.given()
  const [b2, a2] = scene.sells('B', 'A', lots2, price2).fills()
  const entry = btcEntry(scene, 'A')
  adding.says(a2?.value, a2?.fee, b2?.fee, ...scene.held('A'), ...balances(), entry)

  closeAndFlip(scene)
})

function closeAndFlip(scene: Scene): void {
  const closing = worked('units', 3)
  const [lots = 0, price = 0] = closing.given()
  const [b, a] = scene.buys('B', 'A', lots, price).fills()
  const realised = [a!.pnl + a!.fee, b!.pnl + b!.fee]
  const paid = [a!.fee, b!.fee, a!.pnl, b!.pnl]
  const [left, cost] = scene.held('A')
  assert.deepEqual(scene.held('B'), [-left, -cost])
  const balances = () => [scene.balance('A'), scene.balance('B')]
  closing.says(a!.entryCost, ...realised, ...paid, left, cost, ...balances(), btcEntry(scene, 'A'))

  const flipping = worked('units', 4)
  const [lots2 = 0, price2 = 0] = flipping.given()
  const [close, open, makerClose, makerOpen] = scene.sells('A', 'B', lots2, price2).fills()
  flipping.says(
    close!.lots,
    close!.pnl + close!.fee,
    close!.fee,
    close!.pnl,
    ...scene.held('A'),
    open!.fee,
    makerClose!.fee,
    makerOpen!.fee,
    ...balances(),
    scene.balance('fees'),
  )
}

test('case 11: entry price texts (UNITS-5)', () => {
  const row = worked('units', 11)
  const found = row.results()
  const texts = found.flatMap((_, at) => {
    if (at % 4 !== 0) return []
    const [cost, lots, perUnit] = found.slice(at, at + 3).map(Number)
    return [cost!, lots!, perUnit!, entryPrice(quote(cost!), lots!, perUnit!)]
  })
  row.says(...texts)
})

test('the markets of the worked numbers have K 10, 100 and 100 (UNITS-5)', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 12, B: 10 ** 12 } })
  const values = [BTC, ETH, 3].map((market) => {
    const price = market === BTC ? 60_000 : 30_000
    return scene.buys('A', 'B', 2, price, market).fills()[0]!.value / (2 * price)
  })
  const stated = [...ruleText('units').matchAll(/^\| (?:BTC|ETH|SOL) \|.*\| (\d+) \|$/gm)]
  assert.deepEqual(
    values,
    stated.map(([, unit]) => Number(unit)),
  )
})
