// What the policy of a key says, and what a stolen one could cost (ACCT-9, docs/api/keys.md).

import { formatDecimal, parseDecimal } from '../units/decimal.ts'

type Limits = Readonly<{
  max_daily_loss: string | null
  max_slippage_percent: string | null
  max_position_value: string | null
}>

/** USD a market and day: maxDailyLoss + 3 × maxSlippage × maxPositionValue. A position is closed at
 *  the worst price, turned round at it and closed again. `null` if one of the three limits is
 *  missing, so that there is no bound. */
export function policyCost(limits: Limits): string | null {
  const { max_daily_loss, max_slippage_percent, max_position_value } = limits
  if (max_daily_loss === null || max_slippage_percent === null || max_position_value === null)
    return null
  const scaled = (text: string, scale: number) => {
    const parsed = parseDecimal(text, scale)
    return BigInt(parsed.ok ? parsed.value : 0)
  }
  const slips = (3n * scaled(max_slippage_percent, 4) * scaled(max_position_value, 6)) / 1_000_000n
  return formatDecimal(Number(scaled(max_daily_loss, 6) + slips), 6)
}

/** What a key may do, as replies have it. */
type Policy = Limits &
  Readonly<{
    symbols: readonly string[] | null
    max_order_value: string | null
    post_only: boolean
    reduce_only: boolean
    expires_at: number | null
    allow: readonly string[]
  }>

/** A position of the account, in USD at mark. */
export type HeldPosition = Readonly<{ symbol: string; value: number }>

/** What is held beyond the largest position of the policy can be closed at the worst price, too:
 *  where, how much, and about what that costs. Null: nothing, or there is no bound anyway. */
export function heldBeyond(
  policy: Limits & Pick<Policy, 'symbols'>,
  positions: readonly HeldPosition[],
): Readonly<{ symbols: readonly string[]; value: number; cost: number }> | null {
  if (policyCost(policy) === null) return null
  const most = Number(policy.max_position_value)
  const larger = positions.filter(
    ({ symbol, value }) => value > most && (policy.symbols?.includes(symbol) ?? true),
  )
  if (larger.length === 0) return null
  const value = larger.reduce((sum, each) => sum + each.value - most, 0)
  const cost = (value * Number(policy.max_slippage_percent)) / 100
  return { symbols: larger.map(({ symbol }) => symbol), value, cost }
}

/** What it may do at most, as a list of words. */
export function policyWords(policy: Policy, expired = false): string {
  const { symbols, max_slippage_percent, max_order_value, max_position_value } = policy
  const said: readonly (string | null)[] = [
    symbols === null ? null : symbols.join(' '),
    policy.post_only ? 'post-only' : null,
    policy.reduce_only ? 'reduce-only' : null,
    max_slippage_percent && `slippage up to ${max_slippage_percent} % from the mark`,
    max_order_value && `orders to ${max_order_value}`,
    max_position_value && `positions to ${max_position_value}`,
    policy.max_daily_loss && `loses at most ${policy.max_daily_loss} a day`,
    policy.expires_at === null
      ? null
      : `${expired ? 'EXPIRED on' : 'until'} ${new Date(policy.expires_at).toISOString()}`,
    policy.allow.length === 0 ? null : `may handle ${policy.allow.join(' and ')}`,
  ]
  const words = said.filter((each) => each !== null)
  return words.length === 0 ? 'trades without limits' : words.join(', ')
}
