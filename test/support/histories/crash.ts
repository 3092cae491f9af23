// A crash of a small crowd, drawn at random, through both engines: who is short of money by little,
// who wins and who loses, who has other positions, and what fell due meanwhile.

import type { EventType } from '../../../src/core/events/event-fields.ts'
import { Random } from '../../programs/differential/random.ts'
import { BTC, ETH, freeTiers, given, type Outcome, paidTiers, type Scene } from '../scene.ts'
import { knowRules, trialRules, trialVersion } from '../trial-rules.ts'
import { standingOf } from './borders.ts'

knowRules(trialRules)

/** Those of every day. */
export const crashSeeds = Array.from({ length: 100 }, (_, at) => at + 1)

const everyone = Array.from({ length: 16 }, (_, at) => `C${at + 1}`)
const rich = 10 ** 13
const hourMs = 3_600_000
const marks = { [BTC]: 60_000, [ETH]: 30_000 }
const unitValues = { [BTC]: 10, [ETH]: 100 }

/** What an order that was refused would have needed; 0: it was not refused for that. */
function lackOf(outcome: Outcome): number {
  const [refusal] = outcome.all('CommandRejected')
  return refusal?.rejection === 'INSUFFICIENT_BALANCE' ? refusal.first - refusal.second : 0
}

type Traded = typeof BTC | typeof ETH

class Crash {
  readonly counts = new Map<EventType, number>()
  private readonly random: Random
  private readonly scene: Scene
  private readonly crowd: readonly string[]
  private readonly buyers: number

  constructor(seed: number) {
    const random = new Random(seed)
    this.random = random
    const backstopValueMax = random.pick([1, 10 ** 9, 10 ** 13, 10 ** 13])
    const backstopDailyLossMax = random.pick([10 ** 6, 10 ** 8, 10 ** 12])
    const limits = { backstopValueMax, backstopDailyLossMax }
    const market = { ...limits, leverageMax: random.pick([3, 7, 20, 30, 50]) }
    const tiers = random.chance(0.5) ? freeTiers : paidTiers
    const insurance = random.pick([1, 1, 30_000_000, 10 ** 9])
    this.scene = given({ market, tiers, funds: { R: rich, insurance } })
    if (random.chance(0.4)) this.scene.run({ type: 'SetRulesVersion', version: trialVersion })
    this.crowd = everyone.slice(0, random.pick([4, 8, 16]))
    // In most crowds nearly all are on one side, so that a few bankrupts have many counterparties.
    this.buyers = random.pick([0.2, 0.5, 0.8])
    for (const name of this.crowd) this.enter(name, market.leverageMax)
  }

  /** A trader with one position or two, and little more money than they need. */
  private enter(name: string, leverage: number): void {
    const { random, scene } = this
    const markets = random.pick([[BTC], [BTC, ETH], [BTC, ETH], [ETH]] as const)
    const wanted = markets.map((market) => {
      const size = random.pick([1, 2, random.between(1, 300), random.between(100, 3_000)])
      return { market, size, side: random.chance(this.buyers) ? 'buys' : 'sells' } as const
    })
    const value = wanted.reduce((sum, { market, size }) => {
      return sum + size * marks[market] * unitValues[market]
    }, 0)
    const most = random.pick([0.8, 1.02, 1.1, 1.5, 4])
    scene.deposit(name, Math.ceil((value / leverage) * most) + 1_000_000).accepted()
    for (const { market, size, side } of wanted) {
      const isolated = random.chance(0.25)
      if (isolated) scene.own(name, 'SetMarginMode', { market, isolated }).accepted()
      const price = Math.round(marks[market] * random.pick([0.998, 1, 1, 1.002]))
      this.trade(name, market, { size, price, side })
    }
  }

  private trade(
    name: string,
    market: Traded,
    { size, price, side }: Readonly<{ size: number; price: number; side: 'buys' | 'sells' }>,
  ): void {
    const [rests, takes] = side === 'buys' ? (['ask', 'bid'] as const) : (['bid', 'ask'] as const)
    this.scene.place('R', rests, size, price, { market })
    const take = () => this.scene.place(name, takes, size, price, { market, tif: 'IOC' })
    let lacks = lackOf(take())
    if (lacks > 0) {
      // All but a micro-dollar of what is missing, and then that.
      if (lacks > 1) this.scene.deposit(name, lacks - 1)
      lacks = lackOf(take())
      if (lacks > 0) this.scene.deposit(name, lacks)
      take()
    }
    this.scene.own('R', 'CancelAllOrders', { market: null, excludeReduceOnly: false })
  }

  /** Prices move, time passes, and an account bids for a part of what is sold. */
  step(): void {
    const { random, scene } = this
    const market = random.pick([BTC, BTC, ETH] as const)
    const other = market === BTC ? ETH : BTC
    const { mark } = scene.book(market)
    const moved = this.movedFrom(mark)
    const act = random.weighted({
      ...{ border: 5, closed: 1, hour: 2, mark: 8, mode: 2, pass: 1, quote: 6 },
    })
    if (act === 'hour') this.fillHour(market, moved)
    if (act === 'border') this.comeToBorders(market, mark, moved)
    if (act === 'closed') {
      this.setMode(other, 'cancel_only')
      for (const price of [moved, moved]) this.count(scene.mark(market, price))
      this.setMode(other, 'open')
    }
    if (act === 'pass') this.count(scene.wait(random.pick([1_000, 20_000, 70_000])))
    if (act === 'mode') {
      const mode = random.pick(['cancel_only', 'halted'])
      this.setMode(market, mode)
      this.count(scene.mark(market, moved))
      this.setMode(market, 'open')
      // The effect of this market on the health of accounts shows at a price of the other one.
      this.count(scene.mark(other, this.movedFrom(scene.book(other).mark)))
    }
    if (act === 'quote') {
      const side = random.pick(['bid', 'ask'] as const)
      const name = random.pick(['R', ...this.crowd])
      const off = random.pick([0, 0.001, 0.005, 0.02]) * (side === 'bid' ? -1 : 1)
      const price = Math.round(mark * (1 + off))
      this.count(scene.place(name, side, random.between(1, 2_000), price, { market }))
    }
    if (act === 'mark') this.count(scene.mark(market, moved))
    for (const each of [BTC, ETH]) if (scene.book(each).health !== 'live') scene.revive(each)
  }

  private movedFrom(mark: number): number {
    const most = this.random.pick([5, 20, 60, 150])
    return Math.round(mark * (1 + this.random.between(-most, most) / 1_000))
  }

  /** A price comes, perhaps from afar, at which some have exactly what makes a difference, or one
   *  micro-dollar more or less: they got it while the market was closed, and nothing happened. */
  private comeToBorders(market: Traded, mark: number, moved: number): void {
    const { random, scene } = this
    const other = market === BTC ? ETH : BTC
    if (random.chance(0.2)) this.setMode(other, 'cancel_only')
    this.setMode(market, 'cancel_only')
    scene.mark(market, moved)
    for (const name of this.crowd) if (random.chance(0.6)) this.moveToBorder(name, market)
    if (random.chance(0.6)) scene.mark(market, mark)
    this.setMode(market, 'open')
    if (scene.book(market).mark !== moved) this.count(scene.mark(market, mark))
    this.count(scene.mark(market, moved))
    this.setMode(other, 'open')
  }

  /** The price that moves is the first command of an hour: what all owe for the hour before is not
   *  paid yet when they fall. */
  private fillHour(market: Traded, moved: number): void {
    const { scene } = this
    const hour = Math.ceil((scene.now + 1) / hourMs) * hourMs
    for (const before of [6_000, 1_000]) {
      scene.now = hour - before
      for (const each of [BTC, ETH]) scene.revive(each)
    }
    scene.now = hour + this.random.pick([0, 500])
    this.count(scene.mark(market, moved))
  }

  private moveToBorder(name: string, market: Traded): void {
    const { random, scene } = this
    const { scope, equity, borders } = standingOf(scene.naive, scene.id(name), market)
    const wanted = random.pick(borders) + BigInt(random.pick([-1, 0, 0, 1]))
    const amount = Number(wanted - equity)
    if (amount <= 0) return
    scene.deposit(name, amount)
    if (scope !== 0) scene.own(name, 'MoveIsolatedMargin', { market, amount })
  }

  private setMode(market: Traded, mode: string): void {
    this.count(this.scene.run({ type: 'SetMarketMode', market, mode }))
  }

  private count({ events }: Readonly<{ events: readonly { type: EventType }[] }>): void {
    for (const { type } of events) this.counts.set(type, (this.counts.get(type) ?? 0) + 1)
  }
}

/** A crash from its beginning to its end. */
export function crashed(seed: number): Crash {
  const crash = new Crash(seed)
  for (let step = 0; step < 12; step++) crash.step()
  return crash
}
