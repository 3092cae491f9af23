// Limits of money that have no effect as things are, in the log of a start.

import type { Logger } from 'pino'
import type { ExchangeView } from '../../core/index.ts'
import type { TokenHolder } from '../../gateway/admin/access/tokens.ts'
import { limitWarnings } from '../../gateway/admin/money/limit-warnings.ts'

export function warnOfLimits(
  { money, ruleLimits }: ExchangeView,
  tokens: readonly TokenHolder[],
  log: Logger,
): void {
  const found = limitWarnings(money.withdrawalLimits, tokens, ruleLimits.withdrawalDailyMax)
  for (const warning of found) log.warn(`limits of money: ${warning}`)
}
