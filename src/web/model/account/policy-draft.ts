// The policy of a key as it is typed, the request that it becomes, and what a stolen key could cost
// then.

import { policyCost } from '../../../client/policy-cost.ts'
import type { PolicyReply, PolicyRequest } from '../../../protocol/schemas/agent-requests.ts'
import { cleaned, entryProblem } from '../number-entry.ts'

export type PolicyDraft = Readonly<{
  /** With spaces or commas between them; none: all markets. */
  symbols: string
  postOnly: boolean
  reduceOnly: boolean
  slippage: string
  order: string
  position: string
  loss: string
  /** In days; empty: it does not end. */
  days: string
}>

export const emptyPolicy: PolicyDraft = {
  symbols: '',
  postOnly: false,
  reduceOnly: false,
  slippage: '2',
  order: '',
  position: '5000',
  loss: '100',
  days: '30',
}

const dayMs = 86_400_000

export function draftOf(policy: PolicyReply | null, now: number): PolicyDraft {
  if (policy === null) return emptyPolicy
  const { expires_at } = policy
  return {
    symbols: policy.symbols?.join(' ') ?? '',
    postOnly: policy.post_only,
    reduceOnly: policy.reduce_only,
    slippage: policy.max_slippage_percent ?? '',
    order: policy.max_order_value ?? '',
    position: policy.max_position_value ?? '',
    loss: policy.max_daily_loss ?? '',
    days: expires_at === null ? '' : String(Math.max(1, Math.ceil((expires_at - now) / dayMs))),
  }
}

const numbers = [
  ['slippage', 'How far from the mark'],
  ['order', 'The value of an order'],
  ['position', 'The value of a position'],
  ['loss', 'The loss of a day'],
  ['days', 'The number of days'],
] as const

/** What is typed and is no number; null: nothing. */
export function policyProblem(draft: PolicyDraft): string | null {
  for (const [name, what] of numbers) {
    const wrong = draft[name] === '' ? null : entryProblem(draft[name])
    if (wrong !== null) return `${what} ${wrong}`
  }
  return null
}

/** `now`: on the clock of the exchange. `allow` is kept from the policy that was. */
export function policyOf(
  draft: PolicyDraft,
  now: number,
  before: PolicyReply | null = null,
): PolicyRequest & PolicyReply {
  const number = (text: string) => (text === '' ? null : cleaned(text))
  const symbols = draft.symbols.split(/[\s,]+/).filter((word) => word !== '')
  const days = number(draft.days)
  return {
    symbols: symbols.length === 0 ? null : symbols,
    post_only: draft.postOnly,
    reduce_only: draft.reduceOnly,
    max_slippage_percent: number(draft.slippage),
    max_order_value: number(draft.order),
    max_position_value: number(draft.position),
    max_daily_loss: number(draft.loss),
    expires_at: days === null ? null : now + Math.round(Number(days) * dayMs),
    allow: before === null ? [] : [...before.allow],
  }
}

/** The sum in words; null policy: a key that may do all that agents may. */
export function costText(policy: PolicyReply | null): string {
  if (policy === null) return 'A stolen one could cost all of the account: it has no limits.'
  const cost = policyCost(policy)
  if (cost === null)
    return 'No bound of what a stolen one could cost: that takes distance, position and loss.'
  const each = `${cost} USD a day in ${whereOf(policy)}`
  return `A stolen one could cost about ${each}, and what the market moves.`
}

function whereOf({ symbols }: PolicyReply): string {
  if (symbols === null) return 'each market'
  return symbols.length === 1 ? symbols[0]! : `each of ${symbols.join(', ')}`
}
