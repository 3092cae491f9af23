// Keys with a policy: setting one, its seven rules, and what is left when such a key goes (ACCT-9).

import type { AgentPolicy, CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import type { Side, Tif } from '../../../src/words/order-words.ts'
import { dayOf, emit, isIsolated } from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import { equityOf, exposureOf, worstOf } from '../margin/margin.ts'
import { mayTake } from '../orders/times-in-force.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Agent, Market, Naive, Stop } from '../state.ts'
import { ceilDiv, clamp, floorDiv, isIntIn, MILLION, max, min, shown } from '../units/numbers.ts'
import { agentOf } from './bindings.ts'

/** Fields of a policy that are numbers, and from where to where they go. */
function isGoodNumber(naive: Naive, field: keyof AgentPolicy, value: unknown): boolean {
  if (value === null) return true
  if (field === 'maxSlippagePpm') return isIntIn(value, 0, 1_000_000)
  if (field === 'expiresAt') return isIntIn(value, naive.now + 1, Number.MAX_SAFE_INTEGER)
  return isIntIn(value, 1, limits.moneyMax)
}

export function isBadPolicy(naive: Naive, policy: AgentPolicy): boolean {
  const { markets, postOnly, reduceOnly, allow } = policy
  const numbers = [
    'maxSlippagePpm',
    'maxOrderValue',
    'maxPositionValue',
    'maxDailyLoss',
    'expiresAt',
  ] as const
  const flags = [postOnly, reduceOnly].every((flag) => flag === true || flag === false)
  const listed = (id: number) => naive.markets.some((market) => market.id === id)
  const fits = markets === null || isIntIn(markets.length, 1, bookOf(naive).limits.policyMarkets)
  return !(
    flags &&
    fits &&
    (markets ?? []).every(listed) &&
    allow.every((word) => ['margin', 'api_keys'].includes(word)) &&
    numbers.every((field) => isGoodNumber(naive, field, policy[field]))
  )
}

export function setAgentPolicy(
  naive: Naive,
  command: CommandOf<'SetAgentPolicy'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const agent = agentOf(account, command.agent)
  if (!agent) return refuse('AGENT_NOT_FOUND')
  const { policy } = command
  if (policy !== null && isBadPolicy(naive, policy)) return refuse('INVALID_PARAMETER', 0)
  givePolicy(naive, account, agent, policy)
  return null
}

export function givePolicy(
  naive: Naive,
  account: Account,
  agent: Agent,
  policy: AgentPolicy | null,
): void {
  const moments = agent.limit?.moments ?? []
  agent.limit = policy && { policy: structuredClone(policy), moments }
  const isListed = (id: number) => policy?.markets?.some((listed) => listed === id)
  const ids = naive.markets.map(({ id }) => id).filter(isListed)
  emit(naive, {
    type: 'AgentPolicySet',
    account: account.id,
    agent: agent.address,
    removed: policy === null,
    postOnly: policy?.postOnly === true,
    reduceOnly: policy?.reduceOnly === true,
    margin: policy?.allow.includes('margin') === true,
    apiKeys: policy?.allow.includes('api_keys') === true,
    maxSlippagePpm: policy?.maxSlippagePpm ?? -1,
    maxOrderValue: policy?.maxOrderValue ?? -1,
    maxPositionValue: policy?.maxPositionValue ?? -1,
    maxDailyLoss: policy?.maxDailyLoss ?? -1,
    expiresAt: policy?.expiresAt ?? -1,
    markets: policy?.markets ? ids.join(',') : null,
  })
}

export function isOver(naive: Naive, agent: Agent): boolean {
  const end = agent.limit?.policy.expiresAt ?? null
  return end !== null && naive.now >= end
}

/** For what is made in the name of a key that is over. */
export function overRefusal(
  naive: Naive,
  account: Account,
  key: string | null | undefined,
): Rejection | null {
  const agent = agentOf(account, key)
  return agent && isOver(naive, agent) ? refuse('AGENT_NOT_ALLOWED', 6) : null
}

/** What the rules ask of whatever becomes an order. */
export type Wish = Readonly<{
  side: Side
  size: bigint
  reduceOnly: boolean
  /** It may take from the book. */
  takes: boolean
  /** Null: there is none to look at; else a limit, or a slippage in ppm. */
  price: bigint | null
  slippage: bigint | null
  /** The slippage that a stop was given. */
  stopSlip?: number | null | undefined
  /** What it is worth for ORDER-1. */
  value: bigint
}>

/** The first rule that it breaks. */
export function limitRefusal(
  naive: Naive,
  account: Account,
  market: Market,
  key: string | null | undefined,
  wish: Wish,
): Rejection | null {
  const limit = agentOf(account, key)?.limit
  if (!limit) return null
  const { policy } = limit
  limit.moments.push(momentOf(naive, account))
  const elsewhere = marketRefusal(account, market, key)
  if (elsewhere) return elsewhere
  if (policy.postOnly && wish.takes) return refuse('AGENT_LIMIT', 2)
  if (policy.reduceOnly && !wish.reduceOnly) return refuse('AGENT_LIMIT', 3)
  const { maxSlippagePpm: slip } = policy
  const ofStop = slipRefusal(account, key, wish.stopSlip)
  if (ofStop) return ofStop
  if (slip !== null && wish.slippage !== null && wish.slippage > BigInt(slip)) {
    const worst = borderOf(market, wish.side, Number(wish.slippage))
    return refuse('AGENT_LIMIT', 4, shown(worst), shown(borderOf(market, wish.side, slip)))
  }
  if (slip !== null && wish.price !== null) {
    const border = borderOf(market, wish.side, slip)
    if (isBeyond(wish.side, wish.price, border)) {
      return refuse('AGENT_LIMIT', 4, shown(wish.price), shown(border))
    }
  }
  const tooMuch = above(5, wish.value, policy.maxOrderValue)
  if (tooMuch || wish.reduceOnly) return tooMuch
  const exposure = exposureOf(naive, account, market)
  if (wish.side === 'bid') exposure.buys += wish.size
  else exposure.sells += wish.size
  const value = worstOf(exposure) * market.mark * market.K
  const tooLarge = above(6, value, policy.maxPositionValue)
  if (tooLarge) return tooLarge
  const most = policy.maxDailyLoss
  const lost = lossOf(naive, account, limit.moments)
  return most !== null && lost >= BigInt(most) ? refuse('AGENT_LIMIT', 7, shown(lost), most) : null
}

/** Of an order on its way in. A reduce-only trigger is not held up. */
export function policyRefusal(naive: Naive, d: Entering): Rejection | null {
  if (d.stage === 'trigger' && d.reduceOnly) return null
  const bySlippage = d.isMarket && d.stage !== 'trigger'
  return limitRefusal(naive, d.account, d.market, d.agent, {
    ...d,
    takes: mayTake(d.tif),
    price: bySlippage ? null : d.price,
    slippage: bySlippage ? d.slippage : null,
    value: (d.isMarket ? d.market.mark : d.price) * d.size * d.market.K,
  })
}

type Entering = Pick<Wish, 'side' | 'size' | 'reduceOnly'> &
  Readonly<{
    account: Account
    market: Market
    price: bigint
    slippage: bigint
    tif: Tif
    isMarket: boolean
    stage: string
    agent: string | null
  }>

/** Rule 1, the only one for levels of a position. */
export function marketRefusal(
  account: Account,
  market: Market,
  key: string | null | undefined,
): Rejection | null {
  const allowed = agentOf(account, key)?.limit?.policy.markets ?? [market.id]
  return allowed.some((id) => id === market.id) ? null : refuse('AGENT_LIMIT', 1, market.id)
}

/** Rule 4, of a stop that was given a slippage. */
function slipRefusal(
  account: Account,
  key: string | null | undefined,
  slip: number | null | undefined,
): Rejection | null {
  const most = agentOf(account, key)?.limit?.policy.maxSlippagePpm ?? null
  if (most === null || slip == null || slip <= most) return null
  return refuse('AGENT_LIMIT', 4, slip, most)
}

function above(rule: number, value: bigint, most: number | null): Rejection | null {
  if (most === null || value <= BigInt(most)) return null
  return refuse('AGENT_LIMIT', rule, shown(value), most)
}

/** Rule 4: the furthest price. */
function borderOf(market: Market, side: Side, slip: number): bigint {
  return side === 'bid'
    ? floorDiv(market.mark * (MILLION + BigInt(slip)), MILLION)
    : ceilDiv(market.mark * (MILLION - BigInt(slip)), MILLION)
}

function isBeyond(side: Side, price: bigint, border: bigint): boolean {
  return side === 'bid' ? price > border : price < border
}

/** Of a reduce-only trigger: its price, or the nearest that rule 4 allows; that of a key without a
 *  policy has the distance it had before, if any. */
export function mildPrice(
  account: Account,
  market: Market,
  { agent, lastSlip }: Pick<Stop, 'agent' | 'lastSlip'>,
  order: { side: Side; price: bigint },
): bigint {
  const limit = agentOf(account, agent)?.limit ?? null
  const slip = limit ? limit.policy.maxSlippagePpm : lastSlip
  if (slip === null) return order.price
  const border = borderOf(market, order.side, slip)
  const { tickMin, tickMax } = market.rules
  const inside = order.side === 'bid' ? min(order.price, border) : max(order.price, border)
  return clamp(inside, tickMin, tickMax)
}

function momentOf(naive: Naive, account: Account) {
  let equity = equityOf(naive, account, 0)
  for (const market of naive.markets) {
    if (isIsolated(account, market)) equity += equityOf(naive, account, market.id)
  }
  return { day: dayOf(naive.now), equity, broughtIn: account.broughtIn }
}

function lossOf(naive: Naive, account: Account, moments: readonly ReturnType<typeof momentOf>[]) {
  const now = momentOf(naive, account)
  return moments
    .filter(({ day }) => day === now.day)
    .map(({ equity, broughtIn }) => equity + now.broughtIn - broughtIn - now.equity)
    .reduce(max, 0n)
}
