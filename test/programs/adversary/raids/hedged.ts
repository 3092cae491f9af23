// The raid on two markets with sources of different speed: A is long in the fast one and as much
// short in the slow one, and both prices jump. Before the slow market knows, A gives the gain of
// the fast one to a friend, by a close, by a flip or by an order that adds, far from the mark.

import { btc, lotsFor } from '../../../support/named-days/day.ts'
import { DOLLAR, type Edition, START_TICKS, UNIT_VALUE } from '../../../support/venue/edition.ts'
import { Venue } from '../../../support/venue/venue.ts'

const ringDollars = 350_000
/** Above it less leverage is allowed. */
const firstTier = 4_900_000
export const hedgedWays = ['close', 'flip', 'add'] as const
export type HedgedWay = (typeof hedgedWays)[number]

const [FAST, SLOW] = [1, 2]

function tiersOf(leverageMax: number) {
  return { tiers: btc.tiers.filter(([, leverage]) => leverage < leverageMax) }
}

class Hedge {
  readonly venue: Venue
  readonly a: number
  readonly friend: number
  private readonly had: number

  constructor(edition: Edition, leverageMax: number, part: number) {
    const venue = new Venue(edition)
    this.venue = venue
    for (const symbol of ['FAST', 'SLOW'])
      venue.list({ ...btc, ...tiersOf(leverageMax), symbol, leverageMax })
    venue.deposit('insurance', 3_000_000)
    for (const market of [FAST, SLOW]) venue.moveReserve(market, 1_000_000)
    const honest = venue.deposit('honest', 100_000_000)
    this.a = venue.deposit('a', ringDollars * part)
    this.friend = venue.deposit('friend', ringDollars * (1 - part))
    this.had = this.money
    this.tick(3_000, FAST, START_TICKS)
    this.tick(0, SLOW, START_TICKS)
    // Each side with half of what the account carries.
    const dollars = Math.min(0.48 * ringDollars * part * leverageMax, firstTier)
    const lots = lotsFor(dollars)
    this.deal(FAST, this.a, honest, lots, START_TICKS)
    this.deal(SLOW, honest, this.a, lots, START_TICKS)
    this.tick(3_000, FAST, START_TICKS)
    this.tick(0, SLOW, START_TICKS)
    if (this.lots(FAST) !== lots || this.lots(SLOW) !== -lots) throw new Error('not hedged')
  }

  tick(afterMs: number, market: number, price: number): void {
    const { venue } = this
    venue.now += afterMs
    const seen = { price: Math.round(price * 1_000_000), observedAtMs: venue.now - 50 }
    venue.run({ type: 'OracleTick', market, ...seen, jump: false })
  }

  /** In pieces, because an order has a largest value. */
  deal(market: number, buyer: number, seller: number, lots: number, price: number): void {
    const most = Math.floor((4_000_000 * DOLLAR) / (price * UNIT_VALUE))
    for (let left = lots; left > 0; left -= most) {
      const size = Math.min(left, most)
      this.venue.place(seller, { market, lots: -size, price, tif: 'ALO' })
      this.venue.place(buyer, { market, lots: size, price, tif: 'IOC' })
    }
  }

  lots(market: number): number {
    return this.venue.view.positions.lotsOf(this.a, market)
  }

  get money(): number {
    return this.venue.equityOf(this.a) + this.venue.equityOf(this.friend)
  }

  get gained(): number {
    return this.money - this.had
  }
}

export type HedgedPlan = Readonly<{
  way: HedgedWay
  jumpPart: number
  leverageMax: number
  /** How much of the money A has; how far from the mark the deal is; how large, of the position. */
  part: number
  away: number
  size: number
  /** The first tick of the new price comes so long after the one before it. */
  afterMs: number
}>

/** What the ring gains, in micro-dollars. */
export function hedgedRaid(edition: Edition, plan: HedgedPlan): number {
  const { way, jumpPart, leverageMax, part, away, size } = plan
  const hedge = new Hedge(edition, leverageMax, part)
  const world = Math.round(START_TICKS * (1 + jumpPart))
  hedge.tick(plan.afterMs, FAST, world)
  const mark = hedge.venue.markOf(FAST)
  const lots = Math.floor(hedge.lots(FAST) * size)
  if (way === 'add') hedge.deal(FAST, hedge.a, hedge.friend, lots, Math.round(mark * (1 + away)))
  else hedge.deal(FAST, hedge.friend, hedge.a, lots, Math.round(mark * (1 - away)))
  for (let ticks = 0; ticks < 4; ticks++) hedge.tick(200, FAST, world)
  for (let ticks = 0; ticks < 20; ticks++) {
    hedge.tick(1_000, FAST, world)
    hedge.tick(0, SLOW, world)
  }
  return hedge.gained
}

/** Of a jump of 5 % right after a tick: for chosen parts, distances and sizes. */
export function hedgedMost(edition: Edition, way: HedgedWay): readonly number[] {
  const sizes = { close: [0.5, 1], flip: [1.0001, 1.2], add: [0.1, 0.3] }[way]
  const fixed = { way, jumpPart: 0.05, leverageMax: 50, afterMs: 100 }
  return [0.5, 0.6, 0.7].flatMap((part) =>
    [0.004, 0.02, 0.04, 0.06].flatMap((away) =>
      sizes.map((size) => hedgedRaid(edition, { ...fixed, part, away, size })),
    ),
  )
}
