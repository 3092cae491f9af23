// Explains why an agent key is refused: it may not act for the account, its policy has a limit, or
// the maximum number of its signed requests is remembered (CORE-6, ACCT-9).

import { limits, type MarketParams, type NeededScope } from '../core/index.ts'
import { moneyText, priceText } from '../projections/market-text.ts'

/** Indexed by the number of the cause, starting at 1. */
const causes = [
  'the agent is not bound to the account (bind it with POST /api/v1/agent/bind)',
  'the account itself must sign this request',
  'the agent lacks the permission trade',
  'the agent lacks the permission margin',
  'the request comes from an address outside the allow-list of the agent',
  'the policy of the agent has expired (the account sets another with POST /api/v1/agent/policy)',
  'the policy of the agent does not allow it (see `allow` of POST /api/v1/agent/policy)',
]

const NOT_IN_POLICY = 7

/** The permission that the policy lacks; `null` if the kind of request is unknown. */
export function notInPolicyText(cause: number, needs: NeededScope): string | null {
  if (cause !== NOT_IN_POLICY) return null
  if (needs === 'mmp')
    return (
      'this agent may not do this: maker protection is set and reset by the account alone, or by ' +
      'an agent without a policy'
    )
  if (needs !== 'margin' && needs !== 'api_keys') return null
  return (
    'this agent may not do this: the policy of the agent does not allow it, because ' +
    `${needs} is missing (in \`allow\` of POST /api/v1/agent/policy)`
  )
}

export function agentText(cause: number): string {
  return `this agent may not do this: ${causes[cause - 1]}`
}

const usd = (microDollars: number) => `${moneyText(microDollars)} USD`

/** The policy rule that refused the request, its limit, and what would be accepted. */
export function policyText(
  params: MarketParams | null,
  rule: number,
  value: number,
  max: number,
): string {
  const price = (ticks: number) => (params === null ? `${ticks} ticks` : priceText(params, ticks))
  const symbol = params?.symbol ?? 'this market'
  const texts = [
    `${symbol} is not one of the allowed markets`,
    'the agent may only post: use tif ALO or TOB',
    'the agent may only reduce: send reduce_only true',
    `price ${price(value)} is further from the mark than ${price(max)}, the last that it allows`,
    `the order is worth ${usd(value)}, at most ${usd(max)} are allowed`,
    `the position could be worth ${usd(value)}, at most ${usd(max)} are allowed; reduce-only ` +
      'orders are accepted',
    `the account is ${usd(value)} below its highest equity of this UTC day, the limit is ` +
      `${usd(max)}; reduce-only orders are accepted`,
  ]
  return `rule ${rule} of this agent's policy: ${texts[rule - 1]}`
}

/** `until`: when the oldest remembered request of the key expires; 0 if the key has none with a
 *  timestamp. */
export function textMemoryText(max: number, until: number): string {
  if (until > 0)
    return (
      `${max} texts that this key signed for the account have not expired; a text with a ` +
      `timestamp of ${until + limits.textAheadMs} or later makes room. ` +
      (max === limits.textsPerAgent || max === limits.textsPerAccount
        ? `Now ${limits.textsReserved} cancels and revocations more are accepted. `
        : '') +
      'With a shorter expiry_window more texts fit'
    )
  if (max === limits.agentTextShares)
    return (
      `texts of ${max} agents of the account have not expired, also of agents that were revoked; ` +
      'texts of these agents and of the account itself are accepted, and of another agent when ' +
      'all texts of one of them have expired'
    )
  return (
    `${max} texts without a timestamp that this key signed are remembered until the position is ` +
    'flat; a text with a timestamp is accepted'
  )
}
