// What every named day needs: a venue with reserves, makers that quote around the outside price, a
// crowd with positions of chosen leverage, and at the end the figures of the page.

import { Random } from '../../programs/differential/random.ts'
import { DOLLAR, type Edition, type MarketPlan, START_TICKS, UNIT_VALUE } from '../venue/edition.ts'
import type { Feed } from '../venue/feed.ts'
import { type Ladder, quote } from '../venue/quoting.ts'
import { Tally } from '../venue/tally.ts'
import { Venue } from '../venue/venue.ts'

export const btc: MarketPlan = {
  symbol: 'BTC',
  leverageMax: 50,
  tiers: [
    [5_000_000, 20],
    [20_000_000, 10],
  ],
  speedBumpMs: 200,
  interestDollars: 400_000_000,
  impactDollars: 20_000,
  backstopDollars: 10_000_000,
  backstopLossDollars: 1_000_000,
}

export const minute = 60_000

export type Figures = Readonly<{
  liquidated: number
  /** What they brought, had when it began, and have. */
  brought: number
  hadThen: number
  kept: number
  fundBefore: number
  fundAfter: number
  backstopBefore: number
  backstopAfter: number
  deficit: number
  deleveragings: number
  deleveragedValue: number
  stepValue: number
  takenValue: number
}>

export type DayPlan = Readonly<{
  edition: Edition
  seed: number
  markets: readonly MarketPlan[]
  fund: number
  /** Of each backstop. */
  reserve: number
}>

export class Day {
  readonly venue: Venue
  readonly random: Random
  readonly tally: Tally
  private readonly brought = new Map<number, number>()
  readonly makers: number[] = []
  private fundBefore = 0
  private backstopBefore = 0

  constructor({ edition, seed, markets, fund, reserve }: DayPlan) {
    this.venue = new Venue(edition)
    this.random = new Random(seed)
    for (const plan of markets) this.venue.list(plan)
    this.venue.deposit('insurance', fund + reserve * markets.length)
    for (const feed of this.venue.feeds)
      if (reserve > 0) this.venue.moveReserve(feed.market, reserve)
    this.tally = new Tally(this.venue)
  }

  feed(market: number): Feed {
    return this.venue.feeds[market - 1]!
  }

  maker(dollars: number): number {
    const maker = this.venue.deposit(`maker-${this.makers.length}`, dollars)
    this.makers.push(maker)
    return maker
  }

  trader(name: string, dollars: number): number {
    const trader = this.venue.deposit(name, dollars)
    this.brought.set(trader, dollars * DOLLAR)
    return trader
  }

  /** Every maker quotes a new ladder around this price. */
  quoteAll(market: number, ladder: Ladder, around = this.feed(market).raw): void {
    for (const maker of this.makers) quote(this.venue, maker, market, Math.round(around), ladder)
  }

  /** The trader buys (sells, below zero) for this many dollars from the counterpart, at mark or at
   *  the given price. */
  open(
    market: number,
    trader: number,
    counterpart: number,
    dollars: number,
    mark = this.venue.markOf(market),
  ): void {
    const { venue } = this
    const lots = Math.trunc((dollars * DOLLAR) / (mark * UNIT_VALUE))
    // Pieces, because an order has a largest value.
    const most = Math.floor((4_000_000 * DOLLAR) / (mark * UNIT_VALUE))
    for (let left = lots; left !== 0; ) {
      const piece = Math.sign(left) * Math.min(Math.abs(left), most)
      venue.place(counterpart, { market, lots: -piece, price: mark, tif: 'ALO' })
      venue.place(trader, { market, lots: piece, price: mark, tif: 'IOC' })
      venue.step(250)
      left -= piece
    }
  }

  /** Counted from here on. */
  begin(): void {
    this.fundBefore = this.fund()
    this.backstopBefore = this.backstops()
  }

  /** Steps through this time; before each step the work is called with the part that has passed. */
  during(ms: number, stepMs: number, work: (part: number) => void): void {
    for (let passed = 0; passed < ms; passed += stepMs) {
      work(passed / ms)
      this.venue.step(stepMs)
    }
  }

  fund(): number {
    return this.venue.view.money.insurance.balance
  }

  /** At mark. */
  backstops(): number {
    const { view } = this.venue
    const equities = view.markets.all().map(({ backstop }) => this.venue.equityOf(backstop))
    return equities.reduce((sum, equity) => sum + equity, 0)
  }

  figures(): Figures {
    const { tally, venue } = this
    const accounts = [...tally.liquidated.keys()].filter((account) => this.brought.has(account))
    const sum = (of: (account: number) => number) => {
      return accounts.reduce((total, account) => total + of(account), 0)
    }
    return {
      liquidated: accounts.length,
      brought: sum((account) => this.brought.get(account)!),
      hadThen: sum((account) => Math.max(0, tally.liquidated.get(account)!)),
      kept: sum((account) => Math.max(0, venue.equityOf(account))),
      fundBefore: this.fundBefore,
      fundAfter: this.fund(),
      backstopBefore: this.backstopBefore,
      backstopAfter: this.backstops(),
      deficit: Math.abs(venue.view.money.deficit.balance),
      deleveragings: tally.deleveraged,
      deleveragedValue: tally.deleveragedValue,
      stepValue: tally.stepValue,
      takenValue: tally.takenValue,
    }
  }
}

/** The book of an ordinary day. */
export const usual = { halfPpm: 200, levels: 5, stepPpm: 500, lots: lotsFor(40_000) }

/** Lots for this many dollars at the price of listing. */
export function lotsFor(dollars: number): number {
  return Math.floor((dollars * DOLLAR) / (START_TICKS * UNIT_VALUE))
}

/** Longs (or, with −1, shorts) of a crowd, sold to them by one rich account. */
export function crowdOf(
  day: Day,
  count: number,
  sign: 1 | -1,
  leverageOf: (at: number) => number,
): void {
  const house = day.maker(50_000_000)
  for (let at = 0; at < count; at++) {
    const dollars = day.random.between(1_000, 20_000)
    const trader = day.trader(`crowd-${at}`, dollars)
    day.open(1, trader, house, sign * dollars * leverageOf(at) * 0.97)
  }
}
