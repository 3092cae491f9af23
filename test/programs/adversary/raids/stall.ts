// The raid on the time of the exchange: FOK orders that look at a long book and fail, again and
// again. Orders of others queue behind what each command takes, by the clock of this machine.

import { lotsFor } from '../../../support/named-days/day.ts'
import { type Edition, START_TICKS } from '../../../support/venue/edition.ts'
import { Stage } from './stage.ts'

const bidders = 10
const bidsEach = 1_000
const orders = 3_000
/** The periods of honest and attacking orders, in ms, and the number of orders of the attack. */
const apartMs = 1
const attackMs = 500
const attackOrders = 256
/** More lots than all bids together. */
const tooMany = 210_000

/** How much longer the median order of others takes than without the attack. */
export function stallRatio(edition: Edition): number {
  const passes = [0, 1, 2].map(() => medianMs(edition, true) / medianMs(edition, false))
  return Math.min(...passes)
}

function medianMs(edition: Edition, attacks: boolean): number {
  const names = Array.from({ length: bidders }, (_, n) => `bidder-${n}`)
  const honest = Object.fromEntries(names.map((name) => [name, 1_000_000]))
  const stage = new Stage(edition, { ring: 10_000_000 }, { ...honest, trader: 10_000_000 })
  const { venue, ids } = stage
  for (const name of names)
    for (let n = 0; n < bidsEach; n++) {
      const price = START_TICKS - 1 - n
      venue.place(ids[name]!, { market: 1, lots: lotsFor(12), price, tif: 'ALO' })
    }
  stage.deal('ring', 'trader', 600_000, START_TICKS)
  stage.tick(3_000, START_TICKS)
  const begun = venue.now
  const waits: number[] = []
  let freeAt = 0
  const takes = (work: () => void): void => {
    const started = performance.now()
    work()
    freeAt = Math.max(freeAt, venue.now - begun) + performance.now() - started
  }
  for (let n = 0; n < orders; n++) {
    venue.now += apartMs
    if (n % attackMs === 0 && attacks)
      for (let at = 0; at < attackOrders; at++)
        takes(() => {
          const lots = -(tooMany + at)
          venue.place(ids.ring!, { market: 1, lots, price: START_TICKS - 2_000, tif: 'FOK' })
        })
    if (n % 100 === 99) takes(() => stage.tick(0, START_TICKS))
    takes(() => {
      const price = START_TICKS - 3_000 - (n % 1_000)
      venue.place(ids.trader!, { market: 1, lots: lotsFor(12), price, tif: 'ALO' })
    })
    waits.push(freeAt - (venue.now - begun))
    if (n % 1_000 === 999) takes(() => venue.cancelAll(ids.trader!, 1))
  }
  return waits.sort((one, other) => one - other)[orders / 2]!
}
