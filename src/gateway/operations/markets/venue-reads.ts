// Public reads of the venue as a whole.

import { pricesRow } from '../../../feeds/markets/prices-row.ts'
import { ppmText } from '../../../projections/market-text.ts'
import { unsigned } from '../../operation.ts'

export const getVenue = unsigned({
  name: 'get_venue',
  group: 'markets',
  handle({ exchange }) {
    const { mode, venue } = exchange.settings
    return { venue: venue.id, sandbox: mode === 'sandbox', required: venue.required }
  },
})

export const getTime = unsigned({
  name: 'get_time',
  group: 'markets',
  async handle({ exchange }) {
    const now = exchange.wallNow()
    // In a venue, engine time is the machine's clock made monotonic. A sandbox has its own clock.
    const venueNow = Math.max(now, exchange.view.atMs)
    const clock = await exchange.sandbox?.clock()
    return { now, engine_now: clock?.engineNow ?? venueNow }
  },
})

export const getFees = unsigned({
  name: 'get_fees',
  group: 'markets',
  handle: ({ exchange }) =>
    exchange.view.money.feeTiers.map(({ makerPpm, takerPpm }, level) => ({
      level,
      maker_fee_rate: ppmText(makerPpm),
      taker_fee_rate: ppmText(takerPpm),
    })),
})

export const getPrices = unsigned({
  name: 'get_prices',
  group: 'markets',
  handle: ({ exchange }) =>
    exchange.view.markets
      .all()
      .filter(({ status }) => status !== 'settled')
      .map((market) => pricesRow(exchange, market)),
})
