// The named days: bad days that every venue meets once, each played the same way on any edition.

import { type Edition, type MarketPlan, START_TICKS } from '../venue/edition.ts'
import { btc, crowdOf, Day, type Figures, lotsFor, minute, usual } from './day.ts'
import { bookComesToIndex, indexComesToBook } from './dislocations.ts'

export type NamedDay = Readonly<{ name: string; play(edition: Edition): Figures }>

const small: MarketPlan = {
  ...btc,
  symbol: 'WIF',
  leverageMax: 10,
  tiers: [[1_000_000, 5]],
  interestDollars: 20_000_000,
  impactDollars: 6_000,
}
const gold: MarketPlan = { ...btc, symbol: 'XAU', leverageMax: 20, tiers: [[5_000_000, 10]] }

const thin = { halfPpm: 300, levels: 4, stepPpm: 700, lots: lotsFor(6_000) }

function crash30(edition: Edition): Figures {
  const day = new Day({ edition, seed: 1, markets: [btc], fund: 1_000_000, reserve: 1_000_000 })
  for (let at = 0; at < 3; at++) day.maker(2_000_000)
  crowdOf(day, 200, 1, (at) => (at % 2 === 0 ? 50 : day.random.between(2, 10)))
  const feed = day.feed(1)
  day.begin()
  day.during(10 * minute, 500, (part) => {
    const noise = 1 + (day.random.next() - 0.5) / 500
    feed.raw = START_TICKS * (1 - 0.3 * part) * noise
    day.quoteAll(1, thin)
  })
  day.during(5 * minute, 1_000, () => day.quoteAll(1, thin))
  return day.figures()
}

function squeeze(edition: Edition): Figures {
  const day = new Day({ edition, seed: 2, markets: [small], fund: 500_000, reserve: 200_000 })
  for (let at = 0; at < 2; at++) day.maker(1_000_000)
  crowdOf(day, 60, -1, (at) => (at % 3 === 0 ? 10 : day.random.between(2, 8)))
  const feed = day.feed(1)
  day.begin()
  day.during(5 * minute, 500, (part) => {
    feed.raw = START_TICKS * (1 + 0.6 * part)
    // Who would sell into a squeeze? Fewer and fewer.
    day.quoteAll(1, { ...thin, lots: Math.ceil(thin.lots * (1 - 0.9 * part)) })
  })
  day.during(5 * minute, 1_000, () => day.quoteAll(1, thin))
  return day.figures()
}

function weekend(edition: Edition): Figures {
  const markets = [btc, gold]
  const day = new Day({ edition, seed: 3, markets, fund: 1_000_000, reserve: 1_000_000 })
  const house = day.maker(50_000_000)
  day.maker(2_000_000)
  for (let at = 0; at < 80; at++) {
    const trader = day.trader(`gold-${at}`, 10_000)
    day.open(2, trader, house, at % 4 === 0 ? 100 : 60_000)
    day.open(1, trader, house, at % 4 === 0 ? 450_000 : 60_000)
  }
  day.begin()
  day.feed(2).isStale = true
  day.during(20 * 60 * minute, 60_000, () => day.quoteAll(1, usual))
  // Sunday: bitcoin falls by 8 % while gold stands.
  day.during(10 * minute, 500, (part) => {
    day.feed(1).raw = START_TICKS * (1 - 0.08 * part)
    day.quoteAll(1, usual)
  })
  day.during(20 * 60 * minute, 60_000, () => day.quoteAll(1, usual))
  day.feed(2).isStale = false
  day.feed(2).raw = START_TICKS * 0.96
  day.during(10 * minute, 500, () => {
    day.quoteAll(1, usual)
    day.quoteAll(2, usual)
  })
  return day.figures()
}

function frozenFeed(edition: Edition): Figures {
  const day = new Day({ edition, seed: 4, markets: [btc], fund: 2_000_000, reserve: 1_000_000 })
  for (let at = 0; at < 3; at++) day.maker(2_000_000)
  crowdOf(day, 150, 1, (at) => (at % 2 === 0 ? 40 : day.random.between(3, 15)))
  const feed = day.feed(1)
  day.begin()
  feed.isStale = true
  day.during(25_000, 500, () => {})
  feed.isStale = false
  feed.raw = START_TICKS * 0.88
  day.during(5 * minute, 500, () => day.quoteAll(1, usual))
  return day.figures()
}

function restart(edition: Edition): Figures {
  const day = new Day({ edition, seed: 5, markets: [btc], fund: 2_000_000, reserve: 1_000_000 })
  for (let at = 0; at < 3; at++) day.maker(2_000_000)
  crowdOf(day, 150, 1, (at) => (at % 2 === 0 ? 40 : day.random.between(3, 15)))
  const feed = day.feed(1)
  day.begin()
  const fall = (from: number, to: number) =>
    day.during(30_000, 500, (part) => {
      feed.raw = START_TICKS * (1 - from - (to - from) * part)
      day.quoteAll(1, usual)
    })
  fall(0, 0.05)
  // Ten seconds without a process, in which the price goes on falling.
  day.venue.now += 10_000
  feed.raw = START_TICKS * 0.935
  day.venue.restart()
  fall(0.065, 0.1)
  day.during(5 * minute, 500, () => day.quoteAll(1, usual))
  return day.figures()
}

function fundingDay(edition: Edition): Figures {
  const day = new Day({ edition, seed: 6, markets: [btc], fund: 1_000_000, reserve: 1_000_000 })
  for (let at = 0; at < 2; at++) day.maker(5_000_000)
  crowdOf(day, 100, 1, (at) => [3, 5, 10, 20, 40][at % 5]!)
  const feed = day.feed(1)
  day.begin()
  // The book stands 5 % above the price outside, so the premium is at its bound all day.
  day.during(24 * 60 * minute, 3_000, (part) => {
    const due = Math.round(part * 28_800) % 100 === 0
    if (due) day.quoteAll(1, usual, feed.raw * 1.05)
  })
  return day.figures()
}

function whale(edition: Edition): Figures {
  const deep = { ...btc, backstopDollars: 40_000_000, backstopLossDollars: 5_000_000 }
  const day = new Day({ edition, seed: 7, markets: [deep], fund: 5_000_000, reserve: 1_000_000 })
  const house = day.maker(50_000_000)
  for (let at = 0; at < 3; at++) day.maker(2_000_000)
  const giant = day.trader('whale', 2_500_000)
  day.open(1, giant, house, 20_000_000)
  const feed = day.feed(1)
  day.begin()
  day.during(10 * minute, 500, (part) => {
    feed.raw = START_TICKS * (1 - 0.15 * part)
    day.quoteAll(1, thin)
  })
  // The price comes back half of the way; the whale has closed.
  day.during(10 * minute, 500, (part) => {
    feed.raw = START_TICKS * (0.85 + 0.07 * part)
    day.quoteAll(1, thin)
  })
  return day.figures()
}

function lastPosition(edition: Edition): Figures {
  const lonely = { ...btc, backstopDollars: 0, backstopLossDollars: 0 }
  const day = new Day({ edition, seed: 8, markets: [lonely], fund: 1_000, reserve: 0 })
  const short = day.trader('short', 100_000)
  const long = day.trader('long', 10_000)
  day.open(1, long, short, 400_000)
  const feed = day.feed(1)
  day.begin()
  day.during(1 * minute, 500, (part) => {
    feed.raw = START_TICKS * (1 - 0.06 * part)
  })
  day.during(1 * minute, 500, () => {})
  return day.figures()
}

export const namedDays: readonly NamedDay[] = [
  { name: 'a crash of 30 % in ten minutes on a thin book', play: crash30 },
  { name: 'a squeeze in a small market', play: squeeze },
  { name: 'gold over a weekend', play: weekend },
  { name: 'a feed that freezes and jumps', play: frozenFeed },
  { name: 'a restart in the middle', play: restart },
  { name: 'funding at its cap for a day', play: fundingDay },
  { name: 'a whale that hands its loss to the backstop', play: whale },
  { name: 'the last position of a market', play: lastPosition },
  { name: 'the index comes to the book', play: indexComesToBook },
  { name: 'the book comes to the index', play: bookComesToIndex },
]
