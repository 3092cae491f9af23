// Members of the crowd that trade with professional order kinds, so that rings find accounts whose
// stops they can drag, whose pairs they can strip, and whose protection they can trip.

import type { Plain } from '../../support/venue/commands.ts'
import type { Ladder } from '../../support/venue/quoting.ts'
import type { Venue } from '../../support/venue/venue.ts'
import type { Random } from '../differential/random.ts'

const PPM = 1_000_000

/** The next command of an account that wants this many lots, or holds some. */
export function professionally(
  venue: Venue,
  random: Random,
  wish: Readonly<{ account: number; market: number; lots: number }>,
): Plain | null {
  const { account, market } = wish
  const held = venue.view.positions.lotsOf(account, market)
  const own = { account, proof: null, market }
  const mark = venue.markOf(market)
  if (held !== 0) {
    const size = Math.abs(held)
    const side = held > 0 ? 'ask' : 'bid'
    return random.chance(0.5)
      ? pairOf({ own, side, size, mark })
      : trailOf({ own, side, size, mark })
  }
  if (wish.lots === 0) return null
  const side = random.chance(0.5) ? 'bid' : 'ask'
  const { books } = venue.view
  const best = books.bestPrice(market, side) || mark
  const plan = { side, size: wish.lots, reduceOnly: false, clientOrderId: null }
  const expireTime = venue.now + 60_000
  if (random.chance(0.5)) {
    const bound = Math.round(mark * (side === 'bid' ? 1.003 : 0.997))
    return { type: 'PlaceChase', ...own, ...plan, price: bound, expireTime }
  }
  const display = Math.ceil(wish.lots / random.between(2, 10))
  return {
    type: 'PlaceIceberg',
    ...own,
    ...plan,
    display,
    price: best,
    expireTime,
  }
}

type Exit = Readonly<{
  own: Readonly<{ account: number; proof: null; market: number }>
  side: 'bid' | 'ask'
  size: number
  mark: number
}>

const plain = { limitPrice: null, triggerBy: 'mark', clientOrderId: null }

/** A resting take-profit and a stop, of which one happens. */
function pairOf({ own, side, size, mark }: Exit): Plain {
  const way = side === 'ask' ? 1 : -1
  const same = { side, reduceOnly: true }
  const price = Math.round(mark * (1 + way * 0.004))
  const stop = { stopPrice: Math.round(mark * (1 - way * 0.006)), size, ...plain }
  const legs = [
    { ...same, size, price, clientOrderId: null },
    { ...same, level: stop },
  ]
  return { type: 'PlaceOco', ...own, legs }
}

function trailOf({ own, side, size, mark }: Exit): Plain {
  const trail = { distance: Math.ceil(mark / 300), ppm: null, activation: null }
  const level = { stopPrice: 0, size, trail, ...plain }
  return { type: 'PlaceStop', ...own, side, reduceOnly: true, level }
}

/** A ladder of quotes under one signature, which goes when it is filled too fast. */
export function protectedQuotes(
  own: Readonly<{ account: number; market: number }>,
  at: number,
  { halfPpm, levels, stepPpm, lots }: Ladder,
): Plain {
  const actions = Array.from({ length: levels }, (_, level) => level).flatMap((level) =>
    (['bid', 'ask'] as const).map((side) => {
      const away = (halfPpm + level * stepPpm) * (side === 'bid' ? -1 : 1)
      const price = Math.round((at * (PPM + away)) / PPM)
      const clientOrderId = `${side}-${level}`
      const wanted = { side, price, size: lots, clientOrderId, mmp: true }
      return { type: 'Quote', ...own, proof: null, ...wanted }
    }),
  )
  return { type: 'Batch', account: own.account, actions }
}

/** Twice a ladder's side within a second trips it. */
export function protection(
  own: Readonly<{ account: number; market: number }>,
  { lots, levels }: Ladder,
): Plain {
  const limits = { windowMs: 1_000, frozenMs: 2_000, maxLots: null, maxNet: 2 * lots * levels }
  return { type: 'SetMmp', ...own, proof: null, limits }
}
