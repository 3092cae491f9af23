// Why a key may not do this: it may not act at all, or its policy has a limit (CORE-6, ACCT-9).

import type { MarketParams, NeededScope } from '../core/index.ts'
import { moneyText, priceText } from './market-text.ts'

/** By the number of the cause, from 1. */
const causes = [
  'it is not bound to the account (bind it with POST /api/v1/agent/bind)',
  'the account itself must sign this',
  'it lacks the permission trade',
  'it lacks the permission margin',
  'it asks from an address outside its allow-list',
  'its policy has expired (the account sets another with POST /api/v1/agent/policy)',
  'its policy does not allow it (see `allow` of POST /api/v1/agent/policy)',
]

const NOT_IN_POLICY = 7

/** The word that the policy lacks, where it is known what was asked for. */
export function notInPolicyText(cause: number, needs: NeededScope): string | null {
  if (cause !== NOT_IN_POLICY) return null
  if (needs === 'mmp')
    return (
      'this agent may not do this: maker protection is set and reset by the account alone, or by ' +
      'an agent without a policy'
    )
  if (needs !== 'margin' && needs !== 'api_keys') return null
  return (
    `this agent may not do this: its policy does not allow it, the word ${needs} is missing ` +
    '(in `allow` of POST /api/v1/agent/policy)'
  )
}

export function agentText(cause: number): string {
  return `this agent may not do this: ${causes[cause - 1]}`
}

const usd = (microDollars: number) => `${moneyText(microDollars)} USD`

/** The rule of the policy that is in the way, its number, and what would be accepted. */
export function policyText(
  params: MarketParams | null,
  rule: number,
  value: number,
  max: number,
): string {
  const price = (ticks: number) => (params === null ? `${ticks} ticks` : priceText(params, ticks))
  const symbol = params?.symbol ?? 'this market'
  const texts = [
    `${symbol} is not among its markets`,
    'it may only post: use tif ALO or TOB',
    'it may only reduce: send reduce_only true',
    `price ${price(value)} is further from the mark than ${price(max)}, the last that it allows`,
    `the order is worth ${usd(value)}, at most ${usd(max)} are allowed`,
    `the position could be worth ${usd(value)}, at most ${usd(max)} are allowed; reduce-only ` +
      'orders are accepted',
    `the account is ${usd(value)} below its highest equity of this UTC day, the limit is ` +
      `${usd(max)}; reduce-only orders are accepted`,
  ]
  return `rule ${rule} of this agent's policy: ${texts[rule - 1]}`
}
