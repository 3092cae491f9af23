// The raid on orders that wait: a stranger looks at everything that others may know of an account,
// while a market order of it waits, and would move its own quotes away.

import { type Edition, START_TICKS } from '../../../support/venue/edition.ts'
import { Stage } from './stage.ts'

/** In how many ways other accounts can see that an order waits, until its release. */
export function peekRaid(edition: Edition): number {
  const stage = new Stage(edition, { ring: 1_000_000 }, { trader: 1_000_000 })
  const { venue } = stage
  const trader = stage.ids.trader!
  stage.place('ring', { dollars: -70_000, price: START_TICKS })
  const known = () =>
    venue.view.accounts.withoutWaiting(trader, () => ({
      numbers: JSON.stringify(venue.view.accounts.numbersOf(trader)),
      orders: venue.view.orders.openOf(trader).filter(({ unreleased }) => !unreleased).length,
    }))
  const before = known()
  venue.take(trader, 1, 10_000)
  let seen = 0
  for (let ms = 0; ms < 200; ms += 20) {
    venue.now += 20
    venue.run({ type: 'Tick' })
    const now = known()
    if (now.numbers !== before.numbers) seen += 1
    if (now.orders !== before.orders) seen += 1
  }
  stage.tick(100, START_TICKS)
  const held = venue.view.positions.lotsOf(trader, 1)
  if (held !== 10_000) throw new Error(`the order traded ${held} of 10,000 lots`)
  return seen
}
