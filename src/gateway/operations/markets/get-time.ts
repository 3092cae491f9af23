import { unsigned } from '../../operation.ts'

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
