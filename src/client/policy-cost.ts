// What a stolen key could cost, from the limits of its policy (ACCT-9, docs/api/keys.md).

import { formatDecimal, parseDecimal } from '../units/decimal.ts'

type Limits = Readonly<{
  max_daily_loss: string | null
  max_slippage_percent: string | null
  max_position_value: string | null
}>

/** USD a market and day: maxDailyLoss + 2 × maxSlippage × maxPositionValue. Null: a limit of the
 *  three is missing, and there is no bound. */
export function policyCost(limits: Limits): string | null {
  const { max_daily_loss, max_slippage_percent, max_position_value } = limits
  if (max_daily_loss === null || max_slippage_percent === null || max_position_value === null)
    return null
  const scaled = (text: string, scale: number) => {
    const parsed = parseDecimal(text, scale)
    return BigInt(parsed.ok ? parsed.value : 0)
  }
  const slips = (2n * scaled(max_slippage_percent, 4) * scaled(max_position_value, 6)) / 1_000_000n
  return formatDecimal(Number(scaled(max_daily_loss, 6) + slips), 6)
}
