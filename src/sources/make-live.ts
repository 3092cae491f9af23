import type { Command } from '../core/index.ts'
import { LIVE, type Market } from '../core/markets/market.ts'
import type { MicroTicks } from '../units/units.ts'
import type { SourceExchange } from './exchange-port.ts'
import type { Oracle } from './prices/oracle.ts'

/** Runs what fell due while nobody was there. A feed that is stale by it is good: the simulation
 *  stood still with the exchange, its word is the last price, and the market trades at once. */
export async function makeLive(
  exchange: SourceExchange,
  oracle: Oracle,
  now: () => number,
): Promise<void> {
  await exchange.submit({ type: 'Tick' })
  const stale = exchange.state.markets.flatMap((market) =>
    market === undefined || market.settled || market.health === LIVE ? [] : [market],
  )
  const spoken = stale.filter((market) => !oracle.isSilent(market, now())).map(unchanged)
  const rounds = Array.from({ length: exchange.state.rules.prices.goodTicks }, () => spoken)
  await Promise.all(rounds.flat().map((tick) => exchange.submit(tick)))
}

function unchanged({ id, oracle }: Market): Command {
  const price = oracle as MicroTicks
  return { type: 'OracleTick', market: id as never, price, external: null, jump: false }
}
