// Logs at a start which limits on deposits and withdrawals currently have no effect.

import type { ExchangeView } from '../../core/index.ts'
import { limitWarnings } from '../../gateway/admin/money/limit-warnings.ts'
import type { RunOptions } from '../run-options.ts'

export function warnOfLimits(
  { money, ruleLimits }: ExchangeView,
  { tokens, log, config }: Pick<RunOptions, 'tokens' | 'log' | 'config'>,
): void {
  // A sandbox has only test money.
  if (config.mode === 'sandbox') return
  const found = limitWarnings(money.withdrawalLimits, tokens, ruleLimits.withdrawalDailyMax)
  for (const warning of found) log.warn(`limits of money: ${warning}`)
}
