// What a ring does in a book that is away from the mark: it takes what honest traders offer there,
// and loses to a friend what that made it worth at mark. And reduce-only orders that are larger
// together than their position.

import { type OrderPlan, orderCommand, type Plain } from '../../../support/venue/commands.ts'
import type { Venue } from '../../../support/venue/venue.ts'
import { awayOf, type Move } from '../script.ts'

const levelsSeen = 50

type Offer = Readonly<{ sign: 1 | -1; part: number }>

/** The side on which the book is better than the mark for a taker, and by which part of the
 *  mark. */
export function offerOf(venue: Venue, market: number): Offer {
  const { books } = venue.view
  const mark = venue.markOf(market)
  const ask = mark - (books.bestPrice(market, 'ask') || mark)
  const bid = books.bestPrice(market, 'bid') - mark
  return ask >= bid ? { sign: 1, part: ask / mark } : { sign: -1, part: bid / mark }
}

/** All that is offered as far as half of the way to the mark. */
export function sweep(venue: Venue, account: number, { market, lots }: OrderPlan): Plain {
  const { sign, part } = offerOf(venue, market)
  const price = Math.round(venue.markOf(market) * (1 - (sign * part) / 2))
  const { asks, bids } = venue.view.books.depth(market, levelsSeen, 1)
  const offered = (sign > 0 ? asks : bids)
    .filter((level) => (price - level.price) * sign >= 0)
    .reduce((sum, level) => sum + level.lots, 1)
  return orderCommand(account, { market, lots: sign * Math.min(lots, offered), price, tif: 'IOC' })
}

/** The same way, but far beyond the mark: of its equity above all requirements, for the loss and
 *  for the margin. */
export function spend(venue: Venue, move: Move, account: number, { market }: OrderPlan): Plain[] {
  const { accounts, markets } = venue.view
  const { spendable } = accounts.numbersOf(account)
  const { params, lotValue, mark } = markets.get(market)!
  const far = Math.abs(awayOf(move))
  const each = (far + 1 / params.leverageMax + 0.002) * lotValue
  const lots = Math.floor((spendable * (move.size + 1)) / (100 * each))
  if (lots <= 0) return []
  const { sign } = offerOf(venue, market)
  const price = Math.round(mark * (1 + sign * far))
  return [orderCommand(account, { market, lots: sign * lots, price, tif: 'IOC' })]
}

export function cover(venue: Venue, account: number, market: number): Plain[] {
  const held = venue.view.positions.lotsOf(account, market)
  if (held === 0) return []
  const mark = venue.markOf(market)
  const sign = Math.sign(held)
  const lots = -sign * Math.ceil(Math.abs(held) * 0.6)
  return [1, 2, 3].map((far) => {
    const order = { market, lots, price: mark + sign * far, tif: 'ALO' }
    return { ...orderCommand(account, order), reduceOnly: true }
  })
}
