import type { Command, MarketView } from '../core/index.ts'
import type { SourceExchange } from './exchange-port.ts'
import type { Oracle } from './prices/oracle.ts'

/** Runs work that fell due while the exchange was stopped. Prices do not become stale, because the
 *  simulation stopped together with the exchange: the last price holds, and the market trades
 *  immediately. */
export async function makeLive(
  exchange: SourceExchange,
  oracle: Oracle,
  now: () => number,
): Promise<void> {
  await exchange.submit({ type: 'Tick' })
  const { markets, priceRules } = exchange.view
  const stale = markets.all().filter(({ settled, hasLivePrice }) => !settled && !hasLivePrice)
  const confirmed = stale.filter((market) => !oracle.isMuted(market, now())).map(unchanged)
  const rounds = Array.from({ length: priceRules.goodTicks }, () => confirmed)
  await Promise.all(rounds.flat().map((tick) => exchange.submit(tick)))
}

function unchanged({ id, oracle }: MarketView): Command {
  return { type: 'OracleTick', market: id, price: oracle, observedAtMs: null, jump: false }
}
