// Refuses to start a venue with a market whose leverage its prices do not allow, unless an operator
// has overridden it with a reason.

import type { Logger } from 'pino'
import { type Config, ConfigError } from '../../config.ts'
import type { ExchangeView } from '../../core/index.ts'
import { leverageFault } from '../../protocol/admin/leverage-limits.ts'

export function requireLeverage(
  { mode, leverageOverrides }: Pick<Config, 'mode' | 'leverageOverrides'>,
  view: ExchangeView,
  log: Logger,
): void {
  if (mode !== 'venue') return
  for (const { params, settled } of view.markets.all()) {
    // The latency of prices is unknown before the first prices arrive.
    const fault = settled ? null : leverageFault(params, null)
    if (fault === null) continue
    const reason = leverageOverrides[params.symbol]
    if (reason === undefined) throw new ConfigError(fault)
    const { symbol } = params
    const text = `${symbol} exceeds the leverage limit of its price sources`
    log.warn({ market: symbol, reason }, `${text} (allowed by leverageOverrides)`)
  }
}
