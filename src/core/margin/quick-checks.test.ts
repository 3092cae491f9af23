// A quick yes must be a yes of the exact check. For each random account the tests find the least
// money with which the quick check says yes, and run the exact one with exactly that amount, where
// a term missing in the quick check shows. Prices, values and rates are such that almost every
// product is rounded; tiers start within the range of the sizes, and some lots are so expensive
// that products exceed 2^53.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { paramsOf } from '../../../test/twin/scenario.ts'
import { EventLog } from '../events/event-log.ts'
import { mayFill } from '../matching/check-fill.ts'
import { settleSide } from '../matching/settle-fill.ts'
import { entryLoss, uncountOpen } from '../orders/order-life.ts'
import type { Genesis } from '../state/genesis.ts'
import { Market, STANDS } from '../state/market.ts'
import { createState, type State } from '../state/state.ts'
import { Fill } from './fill.ts'
import { AccountSums, sumAccount } from './margin.ts'
import { Change, Close, carryRefusal, reducingLimit } from './margin-checks.ts'
import { rowOf } from './position-row.ts'
import { AMPLE, FLIPS, OPENS, REDUCES, surelyCarries, surelyFills, UNSURE } from './quick-checks.ts'

type Scale = Readonly<{ mark: number; unitValue: number; lots: number }>

/** Few small lots, usual ones, one of a billion dollars, and a billion dollars of small ones. */
const scales: readonly Scale[] = [
  { mark: 61, unitValue: 1, lots: 9 },
  { mark: 1_003, unitValue: 7, lots: 9 },
  { mark: 60_001, unitValue: 13, lots: 100 },
  { mark: 999_983, unitValue: 999_999_937, lots: 1 },
  { mark: 61, unitValue: 1, lots: 2 ** 44 },
]
const part = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)
/** Nothing and one lot as often as more: a missing term shows where little else counts. */
const some = fc.oneof(fc.constant(0), fc.constant(10 ** -15), part)
const drawn = fc.record({
  scale: fc.constantFrom(...scales),
  makerPpm: fc.constantFrom(-100, 0, 151, 333, 10_000),
  takerPpm: fc.constantFrom(0, 1, 453, 777, 10_000),
  tiers: fc.constantFrom([], [0.3], [0.1, 0.6]),
  leverage: fc.constantFrom(1, 3, 7, 30, 50),
  /** From all short to all long; prices from half of mark to one and a half times mark. */
  lots: fc.tuple(fc.constantFrom(-1, 1), some).map(([sign, share]) => sign * share),
  bought: part,
  buys: some,
  sells: some,
  losses: some,
  side: fc.constantFrom(0, 1),
  size: some,
  price: fc.oneof(fc.constantFrom(0.495, 0.5, 0.505), part),
  /** Impact prices of a tick; 0: none. */
  impactBid: fc.oneof(fc.constant(0), part),
  impactAsk: fc.oneof(fc.constant(0), part),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer D> ? D : never

/** The same in units. */
function numbersOf(of: Drawn) {
  const { mark, unitValue, lots: most } = of.scale
  const lots = (share: number) => Math.sign(share) * Math.ceil(Math.abs(share) * most)
  const price = (share: number) => Math.round(mark * (0.5 + share))
  return {
    ...of,
    mark,
    unitValue,
    lots: lots(of.lots),
    cost: lots(of.lots) * price(of.bought) * unitValue,
    buys: lots(of.buys),
    sells: lots(of.sells),
    losses: lots(of.losses) * Math.round(mark / 3),
    sign: of.side === 0 ? 1 : -1,
    size: Math.max(1, lots(of.size)),
    price: price(of.price),
    impactBid: of.impactBid === 0 ? 0 : price(of.impactBid),
    impactAsk: of.impactAsk === 0 ? 0 : price(of.impactAsk),
    tiers: of.tiers.map((from, at) => ({
      fromValue: Math.round(from * most * mark * unitValue),
      maxLeverage: [21, 2][at],
    })),
  }
}
type Numbers = ReturnType<typeof numbersOf>

class Account {
  readonly state: State
  readonly market: Market
  readonly row: number
  readonly number: number

  /** With a row in another market no quick check says yes, and nothing else changes. */
  constructor(of: Numbers, alone: boolean) {
    const feeTiers = [{ volumeDollars: 0, makerPpm: of.makerPpm, takerPpm: of.takerPpm }]
    const names = { feesAddress: 'f', insuranceAddress: 'i', deficitAddress: 'd' }
    this.state = createState({ ...names, feeTiers } as unknown as Genesis)
    const { accounts, positions, markets, rules } = this.state
    const tickSize = { value: of.unitValue, scale: 6 }
    const [market, other] = ['BTC', 'ETH'].map((symbol, at) => {
      const grid = { tickSize, lotSize: { value: 1, scale: 0 }, tickMax: 2 * of.mark }
      const params = paramsOf(symbol, { ...grid, riskTiers: of.tiers })
      const oracle = of.mark * 1_000_000
      const listing = { id: at + 1, backstop: 0, params, oracle, atMs: 0, observedAt: STANDS }
      markets.push(new Market({ ...listing, rules }))
      return markets[at + 1]!
    })
    this.market = market!
    this.market.keepGaps(of.impactAsk, of.impactBid, 0)
    this.number = accounts.open('trader', 0, 0)
    this.row = rowOf(this.state, market!, this.number)
    if (!alone) rowOf(this.state, other!, this.number)
    accounts.tierDay[this.number] = this.state.day + 1
    accounts.makerPpm[this.number] = of.makerPpm
    accounts.takerPpm[this.number] = of.takerPpm
    positions.lots[this.row] = of.lots
    positions.cost[this.row] = of.cost
    positions.buys[this.row] = of.buys
    positions.sells[this.row] = of.sells
    positions.losses[this.row] = of.losses
    positions.leverage[this.row] = of.leverage
  }

  has(balance: number): void {
    this.state.accounts.balance[this.number] = balance
  }
}

const far = 2 ** 52

/** The least balance with which it says yes; null if it never does, because the sum of worst cases
 *  is too large (UNITS-4). */
function leastOf(account: Account, saysYes: () => boolean): number | null {
  let no = -far
  let yes = far
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2)
    account.has(middle)
    if (saysYes()) yes = middle
    else no = middle
  }
  return yes === far ? null : yes
}

const change = new Change()
const close = new Close()

function mayRest({ state, market, row }: Account, of: Numbers): boolean {
  const open = of.side === 0 ? of.buys : of.sells
  if (of.lots * of.sign < 0 && open + of.size <= Math.abs(of.lots))
    return reducingLimit(state, market, row, of.sign, of.size, of.price, close) === of.price
  Object.assign(change, new Change())
  change.sign = of.sign
  change.rest = of.size
  change.restLosses = of.size * entryLoss(market, of.side, of.price)
  return carryRefusal(state, market, row, change) === null
}

test('an order that the quick check accepts may rest', () => {
  const check = (drawn: Drawn) => {
    const of = numbersOf(drawn)
    const quick = new Account(of, true)
    const { state, market, row } = quick
    const { side, price, size } = of
    const isSure = () => surelyCarries(state, market, row, side, price, size, 0) !== UNSURE
    const least = leastOf(quick, isSure)
    if (least === null) return
    const exact = new Account(of, false)
    exact.has(least)
    assert.ok(mayRest(exact, of))
  }
  fc.assert(fc.property(drawn, check), { numRuns: 3_000 })
})

const fill = new Fill()

const unread = new EventLog()

function settle({ state, market, row }: Account, sign: number): void {
  settleSide(state, unread, market, row, sign, fill)
  unread.clear()
}

const sums = new AccountSums()

/** It has the required margin of all its positions and orders (LIQ-8). */
function isCovered({ state, number }: Account): boolean {
  sumAccount(state, number, 0, sums)
  return sums.equity >= sums.requirement
}

test('a fill that the quick check accepts may happen, for the taker and for the maker', () => {
  const check = (drawn: Drawn, isMaker: boolean, wanted: number) => {
    const of = numbersOf(drawn)
    const { size, price, sign, side } = of
    fill.lots = size
    fill.price = price
    fill.value = size * price * of.unitValue
    fill.feePpm = isMaker ? of.makerPpm : of.takerPpm
    // A maker's lots are open until they are filled.
    const open = side === 0 ? { buys: of.buys + size } : { sells: of.sells + size }
    const loss = isMaker ? Math.round(of.mark / 7) : 0
    const counted = isMaker ? size : 0
    const held = isMaker ? { ...of, ...open, losses: of.losses + size * loss } : of
    const quick = new Account(held, true)
    const surely = () =>
      surelyFills(quick.state, quick.market, quick.row, sign, counted, loss, fill)
    const least = leastOf(quick, () => surely() >= wanted)
    if (least === null) return
    const exact = new Account(held, false)
    exact.has(least)
    const { orders } = exact.state
    let slot = 0
    if (isMaker) {
      slot = orders.enter(1, exact.row, exact.number, 1, side, 0, price, size)
      orders.setLossTicks(slot, loss)
    }
    assert.ok(mayFill(exact.state, exact.market, exact.row, sign, slot, fill))
    if (isMaker) uncountOpen(exact.state, slot, size)
    settle(exact, sign)
    assert.ok(wanted !== AMPLE || isCovered(exact))
  }
  const wanted = fc.constantFrom(OPENS, AMPLE)
  fc.assert(fc.property(drawn, fc.boolean(), wanted, check), { numRuns: 5_000 })
})

/** The order meets makers one after the other, at its limit or better. */
function fillsOf(of: Numbers, paid: number, shares: readonly number[]) {
  const parts: { lots: number; price: number }[] = []
  let left = of.size
  for (const [at, share] of shares.entries()) {
    if (left === 0) break
    const last = at === shares.length - 1
    const lots = last ? left : Math.min(left, 1 + Math.floor(share * 3))
    const better = Math.round(share * Math.abs(paid - of.price))
    // A bid pays its limit or less, an ask gets between its limit and the best bid.
    const price = of.side === 0 ? Math.max(1, of.price - better) : of.price + better
    parts.push({ lots, price })
    left -= lots
  }
  return parts
}

// The quick check runs once, before the first fill: its yes must hold for every fill, however many
// there are.
test('an order that the quick check accepts may fill, in fills of any size', () => {
  const check = (drawn: Drawn, above: number, shares: readonly number[], wanted: number) => {
    const of = numbersOf(drawn)
    const { side, price, size, sign } = of
    const best = price + Math.round(above * of.mark * 0.2)
    const paid = side === 0 ? price : best
    const quick = new Account(of, true)
    const { state, market, row } = quick
    const surely = () => surelyCarries(state, market, row, side, price, size, paid)
    const least = leastOf(quick, () => surely() >= wanted)
    if (least === null) return
    quick.has(least)
    const sure = surely()
    const exact = new Account(of, false)
    exact.has(least)
    assert.ok(isAccepted(exact, of, sure))
    if (sure === FLIPS) return
    for (const { lots, price: at } of fillsOf(of, side === 0 ? price * 0.9 : best, shares)) {
      fill.lots = lots
      fill.price = at
      fill.value = lots * at * of.unitValue
      fill.feePpm = of.takerPpm
      assert.ok(mayFill(exact.state, exact.market, exact.row, sign, 0, fill), `${lots} at ${at}`)
      settle(exact, sign)
      assert.ok(sure !== AMPLE || isCovered(exact), `after ${lots} at ${at}`)
    }
  }
  const shares = fc.array(part, { minLength: 1, maxLength: 12 })
  const wanted = fc.constantFrom(FLIPS, AMPLE)
  fc.assert(fc.property(drawn, part, shares, wanted, check), { numRuns: 5_000 })
})

/** MARGIN-4, or MARGIN-5 for one that only reduces, when all of it fills at its limit. */
function isAccepted({ state, market, row }: Account, of: Numbers, sure: number): boolean {
  const { sign, size, price, unitValue } = of
  if (sure === REDUCES) return reducingLimit(state, market, row, sign, size, price, close) === price
  const closing = Math.min(size, Math.max(0, -of.lots * sign))
  Object.assign(change, new Change())
  change.sign = sign
  change.lots = size
  change.value = size * price * unitValue
  change.openLots = size - closing
  change.openValue = change.openLots * price * unitValue
  change.feePpm = of.takerPpm
  return carryRefusal(state, market, row, change) === null
}
