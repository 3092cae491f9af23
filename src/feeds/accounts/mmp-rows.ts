// Market maker protection of an account, one row per market, for replies and streams.

import type { ExchangeView } from '../../core/index.ts'
import { sizeText } from '../../projections/market-text.ts'

export function mmpRows(view: ExchangeView, account: number) {
  if (account === 0) return []
  return view.accounts.mmpOf(account).map(({ market, ...limits }) => {
    const params = view.markets.paramsOf(market)
    const amount = (lots: number | null) => (lots === null ? null : sizeText(params, lots))
    return {
      symbol: params.symbol,
      window_ms: limits.windowMs,
      frozen_ms: limits.frozenMs,
      max_amount: amount(limits.maxLots),
      max_net_amount: amount(limits.maxNet),
      frozen_until: limits.until,
    }
  })
}
