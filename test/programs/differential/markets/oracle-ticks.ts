// What a price feed sends.

import type { KnownMarket } from '../known.ts'
import { drawMarket, type Made, type Making, marketId } from '../making.ts'

/** A step of the oracle: sometimes too far, sometimes a jump, never for long away from home. */
export function oracleTick(making: Making, given?: KnownMarket): Made {
  const { random, world } = making
  const market = given ?? drawMarket(making)
  if (market === undefined) return { type: 'Tick' }
  const { oracle, home } = market
  if (market.catchingUp && random.chance(0.6)) return chasing(making, market)
  const rough = world.profile === 'crash' || world.profile === 'isolated'
  const kind = random.weighted({
    walk: 70,
    push: rough ? 6 : 4,
    hop: rough ? 16 : 4,
    gap: rough ? 5 : 1,
    still: 6,
    edge: 1,
  })
  if (kind === 'edge') return edgeOfGrid(making, market)
  const reach = { walk: 0.0015, push: 0.08, hop: 0.02, gap: 0.25, still: 0 }[kind]
  const away = oracle > home * 1.7 || oracle < home * 0.55
  const move = 1 + reach * (random.next() * 2 - 1)
  const jump = away || kind === 'hop' || kind === 'gap'
  const price = Math.max(1, Math.floor((away ? home : oracle) * move))
  return { type: 'OracleTick', market: marketId(making, market), price, observedAtMs: null, jump }
}

/** The last price that rounds to a tick of the grid, or the next one, which does not. */
function edgeOfGrid({ random }: Making, { id, params }: KnownMarket): Made {
  const above = params.tickMax * 1_000_000 + random.pick([499_999, 500_000])
  const below = params.tickMin * 1_000_000 - random.pick([500_000, 500_001])
  const price = random.chance(0.5) ? above : below
  return { type: 'OracleTick', market: id, price, observedAtMs: null, jump: random.chance(0.1) }
}

/** The price stays about where it was when the oracle was held back. */
function chasing({ random }: Making, { id, raw }: KnownMarket): Made {
  const price = Math.max(1, Math.floor(raw * (1 + (random.next() - 0.5) / 500)))
  return { type: 'OracleTick', market: id, price, observedAtMs: null, jump: false }
}
