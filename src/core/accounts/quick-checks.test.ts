// A quick yes must be a yes of the exact check. Of each drawn account we look for the least money
// with which the quick check says yes, and ask the exact one about just that: there a quick check
// that forgets something shows. Tiers may ask for more than the initial margin, and fees count.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { paramsOf } from '../../../test/twin/scenario.ts'
import { Market } from '../markets/market.ts'
import { Fill } from '../matching/fill.ts'
import { mayFill } from '../matching/match.ts'
import { entryLoss } from '../orders/order-life.ts'
import type { Genesis } from '../state/genesis.ts'
import { createState, type State } from '../state/state.ts'
import { Change, carryRefusal, reducingLimit } from './margin-checks.ts'
import { rowOf } from './position-row.ts'
import { surelyCarries, surelyFills, UNSURE } from './quick-checks.ts'

const mark = 60_000
const K = 10
const lots = fc.integer({ min: 0, max: 100 })
const ticks = fc.integer({ min: -30_000, max: 30_000 })
const drawn = fc.record({
  makerPpm: fc.constantFrom(-100, 0, 150, 10_000),
  takerPpm: fc.constantFrom(0, 450, 10_000),
  tiers: fc.constantFrom(
    [],
    [{ fromValue: 2_000_000, fractionPpm: 500_000 }],
    [
      { fromValue: 9_000_000, fractionPpm: 60_000 },
      { fromValue: 18_000_000, fractionPpm: 900_000 },
    ],
  ),
  leverage: fc.constantFrom(1, 3, 10, 50),
  lots: fc.integer({ min: -100, max: 100 }),
  bought: ticks,
  buys: lots,
  sells: lots,
  losses: fc.integer({ min: 0, max: 1_000_000 }),
  side: fc.constantFrom(0, 1),
  size: fc.integer({ min: 1, max: 100 }),
  away: ticks,
})
type Drawn = typeof drawn extends fc.Arbitrary<infer D> ? D : never

class Account {
  readonly state: State
  readonly market: Market
  readonly row: number
  readonly number: number

  /** With a row in another market no quick check is sure, and nothing else changes. */
  constructor(of: Drawn, alone: boolean) {
    const feeTiers = [{ volumeDollars: 0, makerPpm: of.makerPpm, takerPpm: of.takerPpm }]
    this.state = createState({ feeTiers } as unknown as Genesis)
    const { accounts, positions, markets, rules } = this.state
    const [market, other] = ['BTC', 'ETH'].map((symbol, at) => {
      const params = paramsOf(symbol, { maintenanceTiers: of.tiers })
      markets.push(
        new Market({ id: at + 1, backstop: 0, params, oracle: mark * 1_000_000, atMs: 0, rules }),
      )
      return markets[at + 1]!
    })
    this.market = market!
    this.market.setMark(mark)
    this.number = accounts.open('trader', 0, 0)
    this.row = rowOf(this.state, market!, this.number)
    if (!alone) rowOf(this.state, other!, this.number)
    accounts.tierDay[this.number] = this.state.day + 1
    accounts.makerPpm[this.number] = of.makerPpm
    accounts.takerPpm[this.number] = of.takerPpm
    positions.lots[this.row] = of.lots
    positions.cost[this.row] = of.lots * (mark + of.bought) * K
    positions.buys[this.row] = of.buys
    positions.sells[this.row] = of.sells
    positions.losses[this.row] = of.losses
    positions.leverage[this.row] = of.leverage
  }

  has(balance: number): void {
    this.state.accounts.balance[this.number] = balance
  }
}

const far = 2 ** 40

/** The least balance with which it says yes. */
function leastOf(account: Account, saysYes: () => boolean): number {
  let no = -far
  let yes = far
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2)
    account.has(middle)
    if (saysYes()) yes = middle
    else no = middle
  }
  assert.ok(yes < far, 'no money suffices')
  return yes
}

const change = new Change()

function mayRest({ state, market, row }: Account, of: Drawn): boolean {
  const sign = of.side === 0 ? 1 : -1
  const price = mark + of.away
  const open = of.side === 0 ? of.buys : of.sells
  if (of.lots * sign < 0 && open + of.size <= Math.abs(of.lots))
    return reducingLimit(state, market, row, sign, of.size, price) === price
  change.sign = sign
  change.rest = of.size
  change.restLosses = of.size * entryLoss(market, of.side, price)
  return carryRefusal(state, market, row, change) === null
}

test('an order that surely may rest may rest', () => {
  const check = (of: Drawn) => {
    const quick = new Account(of, true)
    const price = mark + of.away
    const least = leastOf(quick, () => {
      const { state, market, row } = quick
      return surelyCarries(state, market, row, of.side, price, of.size, 0) !== UNSURE
    })
    const exact = new Account(of, false)
    exact.has(least)
    assert.ok(mayRest(exact, of))
  }
  fc.assert(fc.property(drawn, check), { numRuns: 2_000 })
})

const fill = new Fill()

test('a fill that surely may happen may happen, for the taker and for the maker', () => {
  const check = (of: Drawn, isMaker: boolean) => {
    const price = mark + of.away
    const sign = of.side === 0 ? 1 : -1
    fill.lots = of.size
    fill.price = price
    fill.value = of.size * price * K
    fill.feePpm = isMaker ? of.makerPpm : of.takerPpm
    // A maker's lots are open until they are filled.
    const open = of.side === 0 ? { buys: of.buys + of.size } : { sells: of.sells + of.size }
    const loss = isMaker ? 700 : 0
    const counted = isMaker ? of.size : 0
    const held = isMaker ? { ...of, ...open, losses: of.losses + of.size * loss } : of
    const quick = new Account(held, true)
    const least = leastOf(quick, () =>
      surelyFills(quick.state, quick.market, quick.row, sign, counted, loss, fill),
    )
    const exact = new Account(held, false)
    exact.has(least)
    const { orders } = exact.state
    let slot = 0
    if (isMaker) {
      slot = orders.enter(1, exact.row, exact.number, 1, of.side, 0, price, of.size)
      orders.setLossTicks(slot, loss)
    }
    assert.ok(mayFill(exact.state, exact.market, exact.row, sign, slot, fill))
  }
  fc.assert(fc.property(drawn, fc.boolean(), check), { numRuns: 2_000 })
})
