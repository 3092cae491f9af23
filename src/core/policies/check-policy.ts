// The seven rules of a policy, for requests of a key and all orders made in its name (ACCT-9). A
// new command calls `policyRefusal` with its draft, or `plannedRefusal` if there is no order yet.

import { mulPpmFloor } from '../../units/rounding.ts'
import type { Side } from '../../words/order-words.ts'
import { EXPIRED_KEY } from '../admission/admit.ts'
import { isExpired, limitOf, lossToday, testedLoss } from '../admission/key-limit.ts'
import type { AgentPolicy, SetPositionTpsl } from '../commands/commands.ts'
import { nearestPrice } from '../commands/market-params.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { Draft, FROM_TRIGGER, FROM_USER, sideOf } from '../drafts/draft.ts'
import { timeInForceOf } from '../drafts/times-in-force.ts'
import { worstLots } from '../margin/margin.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

// Numbers of the rules.
const MARKET = 1
const POST_ONLY = 2
const REDUCE_ONLY = 3
const PRICE = 4
const ORDER_VALUE = 5
const POSITION_VALUE = 6
const DAILY_LOSS = 7

/** Checks an order. A reduce-only trigger is not rejected, because its price was already adjusted
 *  to the policy. */
export function policyRefusal(state: State, draft: Draft): Rejection | null {
  const fromTrigger = draft.origin === FROM_TRIGGER
  if (fromTrigger && draft.reduceOnly) return null
  return ruleRefusal(state, draft, timeInForceOf(draft.tif).takes, worthOf(draft))
}

const plan = new Draft()

/** A requested stop or algo. */
type Planned = Readonly<{
  agent: string | null
  account: number
  market: Market
  row: number
  side: Side
  /** `null`: the whole position. */
  size: number | null
  reduceOnly: boolean
  /** Lots of the same side that already count as open. */
  openLots?: number
  slippagePpm: number
  /** The slippage that a stop names, if it names one. */
  namedSlippagePpm?: number | null
  /** The price of its resting orders, if it has any. */
  price?: number
  takes: boolean
}>

/** Checks a plan, valued as a whole at the mark of its market. */
export function plannedRefusal(state: State, planned: Planned): Rejection | null {
  const { agent, account, market, row } = planned
  if (limitOf(state.exchange, account, agent) === null) return null
  plan.agent = agent
  plan.account = account
  plan.market = market
  plan.row = row
  plan.side = sideOf(planned.side)
  plan.sign = plan.side === 0 ? 1 : -1
  plan.size = planned.size ?? Math.max(0, -state.positions.lots[row]! * plan.sign)
  plan.isMarket = planned.price === undefined
  plan.price = planned.price ?? 0
  plan.slippagePpm = planned.slippagePpm
  plan.reduceOnly = planned.reduceOnly
  plan.origin = FROM_USER
  plan.freed = -(planned.openLots ?? 0)
  const worth = plan.size * market.mark * market.unitValue
  return ruleRefusal(state, plan, planned.takes, worth, planned.namedSlippagePpm ?? null)
}

/** Checks the levels of a position. They only reduce, so only the first rule applies. */
export function levelsRefusal(
  state: State,
  { account, proof, market }: SetPositionTpsl,
): Rejection | null {
  const limit = limitOf(state, account, proof?.agent ?? null)
  return limit === null ? null : marketRefusal(limit.policy, market)
}

/** Checks the slippage that a stop names. */
function namedRefusal({ maxSlippagePpm }: AgentPolicy, named: number | null): Rejection | null {
  return named === null ? null : overRefusal(PRICE, named, maxSlippagePpm)
}

/** Rejects orders made in the name of an expired key. */
export function expiredKeyRefusal(
  state: State,
  account: number,
  agent: string | null,
): Rejection | null {
  const limit = limitOf(state, account, agent)
  const expired = limit !== null && isExpired(state, limit.policy)
  return expired ? refuse('AGENT_NOT_ALLOWED', EXPIRED_KEY) : null
}

type Priced = Pick<Draft, 'market' | 'account' | 'agent' | 'sign' | 'price'>

/** The price of a reduce-only trigger of a key, limited to the distance from the mark that its
 *  policy allows, or allowed when the key was unbound. */
export function broughtWithin(state: State, draft: Priced, last: number | null): number {
  const { market, price, sign } = draft
  const limit = limitOf(state, draft.account, draft.agent)
  const most = limit === null ? last : limit.policy.maxSlippagePpm
  if (most === null) return price
  const furthest = furthestPrice(market, sign, most)
  return (price - furthest) * sign > 0 ? nearestPrice(market.params, furthest) : price
}

function furthestPrice({ mark }: Market, sign: number, maxSlippagePpm: number): number {
  return mark + sign * mulPpmFloor(mark, maxSlippagePpm)
}

function ruleRefusal(
  state: State,
  draft: Draft,
  takes: boolean,
  worth: number,
  namedSlippagePpm: number | null = null,
): Rejection | null {
  const limit = limitOf(state.exchange, draft.account, draft.agent)
  if (limit === null) return null
  const { policy } = limit
  // A preview must not update the day's high.
  const lossOf = state === state.exchange ? testedLoss : lossToday
  const loss = lossOf(state, state.positions.account[draft.row]!, limit)
  return (
    marketRefusal(policy, draft.market.id) ??
    (policy.postOnly && takes ? refuse('AGENT_LIMIT', POST_ONLY) : null) ??
    (policy.reduceOnly && !draft.reduceOnly ? refuse('AGENT_LIMIT', REDUCE_ONLY) : null) ??
    priceRefusal(policy, draft) ??
    namedRefusal(policy, namedSlippagePpm) ??
    overRefusal(ORDER_VALUE, worth, policy.maxOrderValue) ??
    // Only orders flagged reduce-only skip this check. Any other order, even one that would only
    // shrink the position now, could open a new one if the position closes first.
    (draft.reduceOnly ? null : openingRefusal(state, draft, policy, loss))
  )
}

function marketRefusal({ markets }: AgentPolicy, market: number): Rejection | null {
  if (markets === null || markets.some((each) => each === market)) return null
  return refuse('AGENT_LIMIT', MARKET, market)
}

/** Checks the slippage of a market order, or the worst price of a trigger's order. */
function priceRefusal({ maxSlippagePpm: most }: AgentPolicy, draft: Draft): Rejection | null {
  const { market, sign, slippagePpm } = draft
  if (most === null) return null
  const furthest = furthestPrice(market, sign, most)
  const slips = draft.isMarket && draft.origin !== FROM_TRIGGER
  const price = slips ? furthestPrice(market, sign, slippagePpm) : draft.price
  const beyond = slips ? slippagePpm > most : (price - furthest) * sign > 0
  return beyond ? refuse('AGENT_LIMIT', PRICE, price, furthest) : null
}

function overRefusal(rule: number, value: number, most: number | null): Rejection | null {
  if (most === null || value <= most) return null
  return refuse('AGENT_LIMIT', rule, Math.min(value, Number.MAX_SAFE_INTEGER), most)
}

function worthOf({ market, isMarket, price, size }: Draft): number {
  return size * (isMarket ? market.mark : price) * market.unitValue
}

/** Checks the resulting order and position values and the daily loss of the account. */
function openingRefusal(
  { positions }: State,
  { market, row, side, size, freed }: Draft,
  policy: AgentPolicy,
  loss: number,
): Rejection | null {
  const extra = size - freed
  const worst = worstLots(
    positions.lots[row]!,
    positions.buys[row]! + (side === 0 ? extra : 0),
    positions.sells[row]! + (side === 0 ? 0 : extra),
  )
  const over = overRefusal(POSITION_VALUE, worst * market.lotValue, policy.maxPositionValue)
  if (over !== null) return over
  const { maxDailyLoss: most } = policy
  return most === null || loss < most ? null : refuse('AGENT_LIMIT', DAILY_LOSS, loss, most)
}
