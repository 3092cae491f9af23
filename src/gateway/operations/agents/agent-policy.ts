// Converts the policy of an agent between the API and the core (ACCT-9).

import { type AgentPolicy, limits } from '../../../core/index.ts'
import { moneyText, parseMoney } from '../../../projections/market-text.ts'
import type { PolicyReply, PolicyRequest } from '../../../protocol/schemas/agent-requests.ts'
import { formatDecimal } from '../../../units/decimal.ts'
import type { Quote, TimeMs } from '../../../units/units.ts'
import { apiError } from '../../api-error.ts'
import type { Exchange } from '../../exchange.ts'
import { addressIn } from '../../known-address.ts'
import { signed } from '../../operation.ts'
import { refusal } from '../../refusal.ts'
import { percentOf } from '../order-fields.ts'
import { askRejections } from '../orders/rejects.ts'
import { ask, marketOf, ownerOf, type Principal } from '../principal.ts'

export const setAgentPolicy = signed({
  group: 'Agents',
  name: 'set_agent_policy',
  rejects: [
    ...askRejections,
    'BOOK_NOT_FOUND',
    'INVALID_AMOUNT',
    'AGENT_NOT_FOUND',
    'INVALID_PARAMETER',
  ],
  async handle(call) {
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    const { agent_wallet, policy: given, remove } = call.request
    const agent = addressIn('agent_wallet', agent_wallet)
    const removes = remove === true
    if (removes === (given != null))
      throw apiError('MALFORMED_REQUEST', 'give either policy or remove: true')
    const policy = given == null ? null : policyOf(principal, given)
    await ask(principal, { type: 'SetAgentPolicy', account, proof, agent, policy })
    return null
  },
})

export function policyOf(principal: Principal, body: PolicyRequest): AgentPolicy {
  const { symbols, max_slippage_percent: slippage, allow } = body
  return {
    markets: symbols == null ? null : marketsOf(principal, symbols),
    postOnly: body.post_only ?? false,
    reduceOnly: body.reduce_only ?? false,
    maxSlippagePpm:
      slippage == null
        ? null
        : percentOf(principal.refusals, 'policy.max_slippage_percent', slippage),
    maxOrderValue: most(principal, 'max_order_value', body.max_order_value),
    maxPositionValue: most(principal, 'max_position_value', body.max_position_value),
    maxDailyLoss: most(principal, 'max_daily_loss', body.max_daily_loss),
    expiresAt: endOf(principal, body.expires_at ?? null),
    allow: allow ?? [],
  }
}

function marketsOf(principal: Principal, symbols: readonly string[]) {
  const { policyMarkets } = principal.exchange.view.ruleLimits
  if (symbols.length > policyMarkets)
    throw refusal(
      'INVALID_PARAMETER',
      principal.refusals,
      `policy.symbols has ${symbols.length} markets, at most ${policyMarkets} are allowed`,
    )
  return symbols.map((symbol) => marketOf(principal, symbol).id)
}

function most(principal: Principal, field: string, text: string | null | undefined): Quote | null {
  if (text == null) return null
  const money = parseMoney(text)
  if (money.ok && money.value >= 1 && money.value <= limits.moneyMax) return money.value as Quote
  const range = `0.000001 to ${moneyText(limits.moneyMax)} USD with at most six decimals`
  throw refusal(
    money.ok ? 'INVALID_PARAMETER' : 'INVALID_AMOUNT',
    principal.refusals,
    `policy.${field} ${text} is not an amount from ${range}; leave it out for no limit`,
  )
}

/** The expiry by the engine's clock, which the core checks. */
function endOf({ exchange, refusals }: Principal, time: number | null): TimeMs | null {
  const now = exchange.view.atMs
  if (time === null || time > now) return time as TimeMs | null
  throw refusal(
    'INVALID_PARAMETER',
    refusals,
    `policy.expires_at ${time} is in the past: engine time is ${now}. Use a later time.`,
  )
}

export function policyText({ view }: Exchange, policy: AgentPolicy): PolicyReply {
  const money = (value: number | null) => (value === null ? null : moneyText(value))
  const { markets, maxSlippagePpm } = policy
  return {
    symbols: markets?.map((market) => view.markets.paramsOf(market).symbol) ?? null,
    post_only: policy.postOnly,
    reduce_only: policy.reduceOnly,
    max_slippage_percent: maxSlippagePpm === null ? null : formatDecimal(maxSlippagePpm, 4),
    max_order_value: money(policy.maxOrderValue),
    max_position_value: money(policy.maxPositionValue),
    max_daily_loss: money(policy.maxDailyLoss),
    expires_at: policy.expiresAt,
    allow: [...policy.allow],
  }
}
