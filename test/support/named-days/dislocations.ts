// Days on which the book leaves the price outside: for half an hour it is 3 % lower here. Then one
// of the two comes to the other.

import { type Edition, START_TICKS } from '../venue/edition.ts'
import { btc, crowdOf, Day, type Figures, minute, usual } from './day.ts'

const awayPart = 0.03
const shorts = 60

/** Longs from before, and shorts that are opened in the book while it is away. */
function begin(edition: Edition, seed: number): Day {
  const day = new Day({ edition, seed, markets: [btc], fund: 1_000_000, reserve: 1_000_000 })
  for (let at = 0; at < 3; at++) day.maker(2_000_000)
  crowdOf(day, 150, 1, (at) => (at % 2 === 0 ? 50 : day.random.between(3, 15)))
  const house = day.maker(50_000_000)
  const sellers = Array.from({ length: shorts }, (_, at) => day.trader(`short-${at}`, 5_000))
  day.begin()
  const feed = day.feed(1)
  day.during(5 * minute, 1_000, (part) => day.quoteAll(1, usual, feed.raw * (1 - awayPart * part)))
  const book = Math.round(feed.raw * (1 - awayPart))
  for (const maker of day.makers) day.venue.cancelAll(maker, 1)
  // At 10x to 30x; an edition may refuse the highest.
  for (const [at, seller] of sellers.entries())
    day.open(1, seller, house, -5_000 * (10 + (20 * at) / shorts), book)
  day.during(30 * minute, 1_000, () => day.quoteAll(1, usual, book))
  return day
}

export function indexComesToBook(edition: Edition): Figures {
  const day = begin(edition, 9)
  const feed = day.feed(1)
  const book = START_TICKS * (1 - awayPart)
  day.during(2 * minute, 500, (part) => {
    feed.raw = Math.round(START_TICKS * (1 - awayPart * part))
    day.quoteAll(1, usual, book)
  })
  feed.raw = book
  day.during(5 * minute, 1_000, () => day.quoteAll(1, usual))
  return day.figures()
}

/** Then both rise by 1.5 %. */
export function bookComesToIndex(edition: Edition): Figures {
  const day = begin(edition, 10)
  const feed = day.feed(1)
  day.during(2 * minute, 500, (part) => {
    day.quoteAll(1, usual, feed.raw * (1 - awayPart * (1 - part)))
  })
  day.during(5 * minute, 1_000, (part) => {
    feed.raw = Math.round(START_TICKS * (1 + 0.015 * part))
    day.quoteAll(1, usual)
  })
  day.during(2 * minute, 1_000, () => day.quoteAll(1, usual))
  return day.figures()
}
