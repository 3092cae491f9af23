// The crash of 20 %: 600 longs on a book of one of two depths, a price that falls within two
// minutes and stays, and perhaps a sniper whose bids wait for whatever liquidation brings. Seeds
// draw the crowd and the noise of the price.

import { type Edition, type MarketPlan, START_TICKS } from '../venue/edition.ts'
import { btc, Day, type Figures, lotsFor } from './day.ts'

const depths = {
  thin: { halfPpm: 300, levels: 5, stepPpm: 800, lots: lotsFor(10_000) },
  deep: { halfPpm: 200, levels: 5, stepPpm: 800, lots: lotsFor(30_000) },
} as const
export type Depth = keyof typeof depths
export const crashNames = Object.keys(depths) as Depth[]

export type CrashFigures = Figures & Readonly<{ loss: number; sniper: number }>

const PPM = 1_000_000
const longs = 600
const fallMs = 120_000
const afterMs = 300_000
const stepMs = 500
const sniperDollars = 5_000_000

/** How far below the mark a sniper's bids wait: a patient one's near the bankruptcy price. */
export const snipers: Readonly<Record<string, readonly number[]>> = {
  none: [],
  patient: [30_000, 40_000],
  near: [10_000, 20_000],
}

export function crashFigures(
  edition: Edition,
  depth: Depth,
  seed: number,
  bids: readonly number[],
  listing: Partial<MarketPlan> = {},
): CrashFigures {
  const crash = { leverageMax: 10, tiers: [], backstopDollars: 20_000_000 }
  const market = { ...btc, ...crash, ...listing }
  const day = new Day({ edition, seed, markets: [market], fund: 10_000_000, reserve: 5_000_000 })
  const { venue, random } = day
  const house = day.maker(200_000_000)
  for (let at = 0; at < 3; at++) day.maker(5_000_000)
  for (let at = 0; at < longs; at++) {
    const dollars = random.between(2_000, 40_000)
    const trader = day.trader(`long-${at}`, dollars)
    day.open(1, trader, house, dollars * random.between(30, 97) * 0.1)
  }
  const sniper = venue.deposit('sniper', sniperDollars)
  const feed = day.feed(1)
  day.begin()
  const play = (part: number) => {
    const noise = 1 + (random.next() - 0.5) / 400
    feed.raw = Math.round(START_TICKS * (1 - 0.2 * part) * noise)
    day.quoteAll(1, depths[depth])
    snipe(day, sniper, bids)
  }
  day.during(fallMs, stepMs, play)
  day.during(afterMs, 2 * stepMs, () => play(1))
  feed.raw = START_TICKS * 0.8
  day.during(10_000, stepMs, () => {})
  const figures = day.figures()
  const before = figures.fundBefore + figures.backstopBefore
  return {
    ...figures,
    loss: before - figures.fundAfter - figures.backstopAfter + figures.deficit,
    sniper: venue.equityOf(sniper) - sniperDollars * PPM,
  }
}

/** Bids far below the mark; what they brought is sold again. */
function snipe({ venue }: Day, sniper: number, bids: readonly number[]): void {
  const mark = venue.markOf(1)
  venue.cancelAll(sniper, 1)
  for (const away of bids) {
    const price = Math.floor((mark * (PPM - away)) / PPM)
    venue.place(sniper, { market: 1, lots: lotsFor(400_000), price, tif: 'ALO' })
  }
  const held = venue.view.positions.lotsOf(sniper, 1)
  if (held > 0) venue.take(sniper, 1, -held, true)
}
