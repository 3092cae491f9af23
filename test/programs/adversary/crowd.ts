// The other traders of a world: makers that quote around the outside price, every third of them
// protected, momentum traders, gamblers at high leverage, farmers of funding, and traders with the
// order kinds of professionals. None of them is clever; together they are a market.

import { DOLLAR, UNIT_VALUE } from '../../support/venue/edition.ts'
import { quote } from '../../support/venue/quoting.ts'
import type { Venue } from '../../support/venue/venue.ts'
import type { Random } from '../differential/random.ts'
import { professionally, protectedQuotes, protection } from './professionals.ts'

type Kind = 'maker' | 'momentum' | 'gambler' | 'farmer' | 'professional'
type Agent = { readonly kind: Kind; readonly account: number; market: number; seen: number }

const hourMs = 3_600_000
/** A maker takes up to this much of what is in the way of its quotes in one step. */
const clearedDollars = 50_000
/** Makers who know that the index is wrong quote this many times as much. */
const surePart = 10
const dollarsOf: Readonly<Record<Kind, readonly [number, number]>> = {
  maker: [200_000, 1_000_000],
  momentum: [5_000, 50_000],
  gambler: [500, 20_000],
  farmer: [10_000, 100_000],
  professional: [5_000, 50_000],
}

/** Of those after the first makers. */
const shares = { maker: 3, momentum: 30, gambler: 45, farmer: 12, professional: 10 }

export class Crowd {
  private readonly venue: Venue
  private readonly random: Random
  private readonly agents: readonly Agent[]
  /** It is in this many markets, from the first on. */
  private readonly markets: number

  /** `desert`: a market without makers; 0: none. */
  constructor(
    venue: Venue,
    random: Random,
    { count, desert, markets }: Readonly<{ count: number; desert: number; markets: number }>,
  ) {
    this.venue = venue
    this.random = random
    this.markets = markets
    this.agents = Array.from({ length: count }, (_, at) => {
      const kind = this.kindOf(at)
      const [least, most] = dollarsOf[kind]
      const account = venue.deposit(`${kind}-${at}`, random.between(least, most))
      const market = 1 + (random.chance(0.5) ? 0 : random.below(markets))
      const own = 1 + (at % markets) === desert ? 1 : 1 + (at % markets)
      return { kind, account, market: kind === 'maker' ? own : market, seen: 0 }
    })
  }

  /** The first nine are makers, as many for each market. */
  private kindOf(at: number): Kind {
    if (at < 9) return 'maker'
    return this.random.weighted(shares) as Kind
  }

  /** A few of them act. */
  act(count: number): void {
    for (let at = 0; at < count; at++) {
      const agent = this.random.pick(this.agents)
      if (agent.kind === 'maker') this.quote(agent)
      else if (agent.kind === 'momentum') this.follow(agent)
      else if (agent.kind === 'gambler') this.gamble(agent)
      else if (agent.kind === 'professional') this.plan(agent)
      else this.farm(agent)
    }
    // Makers look at the price more often than others.
    this.quote(this.agents[this.random.below(9)]!)
  }

  private rawOf(agent: Agent): number {
    return this.venue.feeds[agent.market - 1]!.fair
  }

  /** Whether a market has makers. */
  isMade(market: number): boolean {
    return this.makersOf(market).length > 0
  }

  /** All makers of a market quote again, around the price that they know, and take what is left of
   *  others beyond it. */
  requote(market: number): void {
    const makers = this.makersOf(market)
    for (const { account } of makers) this.venue.cancelAll(account, market)
    const { fair: price, away } = this.venue.feeds[market - 1]!
    const lots = Math.sign(away) * Math.floor((clearedDollars * DOLLAR) / (price * UNIT_VALUE))
    for (const maker of makers) {
      maker.seen = 0
      this.quote(maker)
      if (lots !== 0) this.venue.place(maker.account, { market, lots, price, tif: 'IOC' })
    }
  }

  private makersOf(market: number): readonly Agent[] {
    return this.agents.filter((agent) => agent.kind === 'maker' && agent.market === market)
  }

  /** A share of what it can carry at full leverage. */
  private lots({ account, market }: Agent, share: number): number {
    const { view } = this.venue
    const { spendable } = view.accounts.numbersOf(account)
    const { params, lotValue } = view.markets.get(market)!
    return Math.floor(Math.min(spendable * params.leverageMax, 1e12) * share) / lotValue
  }

  private quote(agent: Agent): void {
    const raw = this.rawOf(agent)
    if (Math.abs(raw - agent.seen) * 2_000 < raw && this.random.chance(0.9)) return
    agent.seen = raw
    const held = this.venue.view.positions.lotsOf(agent.account, agent.market)
    const { away } = this.venue.feeds[agent.market - 1]!
    const dollars = this.random.between(2_000, 20_000) * (away === 0 ? 1 : surePart)
    const lots = Math.ceil((dollars * DOLLAR) / (raw * UNIT_VALUE))
    // A maker with too large a position leans its quotes, to get it taken.
    const lean = Math.round((-held / lots) * raw * 0.00004)
    const around = raw + Math.max(-raw / 400, Math.min(raw / 400, lean))
    const halfPpm = this.random.between(150, 500)
    const ladder = { halfPpm, levels: 3, stepPpm: 700, lots }
    if (agent.account % 3 !== 0)
      return quote(this.venue, agent.account, agent.market, Math.round(around), ladder)
    if (this.random.chance(0.1)) this.venue.run(protection(agent, ladder))
    this.venue.run(protectedQuotes(agent, Math.round(around), ladder))
  }

  private plan(agent: Agent): void {
    const { account, market } = agent
    const wish = { account, market, lots: this.whole(agent, 0.2) }
    const command = professionally(this.venue, this.random, wish)
    if (command !== null) this.venue.run(command)
  }

  private follow(agent: Agent): void {
    const raw = this.rawOf(agent)
    const up = raw > agent.seen
    agent.seen = raw
    const held = this.venue.view.positions.lotsOf(agent.account, agent.market)
    if (held !== 0 && held > 0 !== up) this.venue.take(agent.account, agent.market, -held, true)
    else this.venue.take(agent.account, agent.market, this.whole(agent, 0.1) * (up ? 1 : -1))
  }

  private whole(agent: Agent, share: number): number {
    const lots = Math.floor(this.lots(agent, share))
    const { lotValue } = this.venue.view.markets.get(agent.market)!
    return lots * lotValue < 10 * DOLLAR ? 0 : lots
  }

  private gamble(agent: Agent): void {
    const { venue, random } = this
    // What it holds elsewhere it keeps, and one account is in several markets.
    if (random.chance(0.15)) agent.market = 1 + random.below(this.markets)
    const { account, market } = agent
    const held = venue.view.positions.lotsOf(account, market)
    if (held !== 0) {
      if (random.chance(0.3)) venue.take(account, market, -held, true)
      else if (random.chance(0.2)) this.protect(agent, held)
      return
    }
    if (random.chance(0.1)) {
      const own = { account, proof: null, market }
      venue.run({ type: 'SetMarginMode', ...own, isolated: random.chance(0.5) })
    }
    venue.take(account, market, this.whole(agent, 0.3 + 0.6 * random.next()) * this.eitherWay())
  }

  private eitherWay(): number {
    return this.random.chance(0.5) ? 1 : -1
  }

  private protect({ account, market }: Agent, held: number): void {
    const mark = this.venue.markOf(market)
    const stopPrice = Math.round(mark * (held > 0 ? 0.99 : 1.01))
    const level = {
      stopPrice,
      limitPrice: null,
      size: null,
      triggerBy: this.random.pick(['mark', 'mark', 'last', 'mid']),
      clientOrderId: null,
    }
    const side = held > 0 ? 'ask' : 'bid'
    const own = { account, proof: null, market }
    this.venue.run({ type: 'PlaceStop', ...own, side, reduceOnly: true, level })
  }

  private farm(agent: Agent): void {
    const { venue } = this
    const { account, market } = agent
    const left = hourMs - (venue.now % hourMs)
    const held = venue.view.positions.lotsOf(account, market)
    const { nextFundingRate } = venue.view.markets.get(market)!
    if (held !== 0 && left > hourMs / 2) venue.take(account, market, -held, true)
    else if (held === 0 && left < hourMs / 4 && nextFundingRate !== 0)
      venue.take(account, market, this.whole(agent, 0.15) * (nextFundingRate > 0 ? -1 : 1))
  }
}
