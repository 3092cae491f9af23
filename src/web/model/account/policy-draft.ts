// The policy of a key as input, its request, and the possible loss if the key is stolen.

import { type HeldPosition, heldBeyond, policyCost } from '../../../client/policy-cost.ts'
import type { PolicyReply, PolicyRequest } from '../../../protocol/schemas/agent-requests.ts'
import { cleaned, entryProblem } from '../number-entry.ts'
import { dateText, fixed, wordsOf } from '../number-text.ts'
import { sentence } from '../words/sentence.ts'

export type PolicyDraft = Readonly<{
  /** Symbols, separated by spaces or commas; empty for all markets. */
  symbols: string
  postOnly: boolean
  reduceOnly: boolean
  slippage: string
  order: string
  position: string
  loss: string
  /** Days until the key expires; empty if it does not expire. */
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

/** Symbols of the exchange. */
type Known = readonly string[]

export type PolicyField = keyof PolicyDraft | 'address'
export type PolicyProblem = Readonly<{ field: PolicyField; message: string }>

const numbers = [
  ['slippage', 'How far beyond the mark'],
  ['order', 'The value of an order'],
  ['position', 'The value of a position'],
  ['loss', 'The loss of a day'],
  ['days', 'The number of days'],
] as const

/** Problem of input that is not a number or not a market in `known`; `null` if there is none. */
export function policyProblem(draft: PolicyDraft, known: Known): PolicyProblem | null {
  for (const word of wordsIn(draft.symbols))
    if (symbolOf(word, known) === null)
      return { field: 'symbols', message: `No market is called ${word}` }
  for (const [field, what] of numbers) {
    const wrong = draft[field] === '' ? null : entryProblem(draft[field])
    if (wrong !== null) return { field, message: `${what} ${wrong}` }
  }
  for (const [field, what] of numbers) {
    const number = draft[field] === '' ? null : Number(cleaned(draft[field]))
    if (field === 'slippage' && number !== null && number > 100)
      return { field, message: `${what} must be at most 100 %` }
    if (field !== 'slippage' && number === 0)
      return { field, message: `${what} must be above 0; empty: no limit` }
  }
  return null
}

/** Problem of an address, which must be the base58 of 32 bytes. */
export function addressProblem(address: string): PolicyProblem | null {
  if (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return null
  const message =
    address === ''
      ? 'The address of the key is missing'
      : 'Not an address: an address has 32 to 44 letters and digits'
  return { field: 'address', message }
}

const apiFields: Readonly<Record<string, PolicyField>> = {
  agent_wallet: 'address',
  symbols: 'symbols',
  symbol: 'symbols',
  max_slippage_percent: 'slippage',
  max_order_value: 'order',
  max_position_value: 'position',
  max_daily_loss: 'loss',
  expires_at: 'days',
}

/** Field that a refusal of the exchange concerns; `null` if it concerns no specific field. */
export function policyRefusal(message: string): PolicyProblem | null {
  const name = message.match(/[a-z]+(?:_[a-z]+)*/g)?.find((word) => word in apiFields)
  return name === undefined ? null : { field: apiFields[name]!, message: sentence(message) }
}

const wordsIn = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '')

/** Symbol as spelled by the exchange. */
const symbolOf = (word: string, known: Known) =>
  known.find((symbol) => symbol.toLowerCase() === word.toLowerCase()) ?? null

/** Converts the input to a policy. `now` is on the clock of the exchange. `allow` is kept from the
 *  previous policy. */
export function policyOf(
  draft: PolicyDraft,
  now: number,
  { before = null, known = [] }: Readonly<{ before?: PolicyReply | null; known?: Known }> = {},
): PolicyRequest & PolicyReply {
  const number = (text: string) => (text === '' ? null : cleaned(text))
  const symbols = wordsIn(draft.symbols).map((word) => symbolOf(word, known) ?? word)
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

const amount = (text: string | number) => fixed(text, Number.isInteger(Number(text)) ? 0 : 2)

/** The limits of a policy as text. */
export function policyText(policy: PolicyReply, expired: boolean): string {
  const { symbols, max_slippage_percent, max_order_value, max_position_value } = policy
  const { max_daily_loss, expires_at } = policy
  const said: readonly (string | false | null)[] = [
    symbols === null ? 'All markets' : symbols.join(', '),
    policy.post_only && 'post only',
    policy.reduce_only && 'reduce only',
    max_slippage_percent && `never worse than ${max_slippage_percent} % beyond the mark`,
    max_order_value && `orders to ${amount(max_order_value)} USD`,
    max_position_value && `positions to ${amount(max_position_value)} USD`,
    max_daily_loss && `only reduces after a loss of ${amount(max_daily_loss)} USD in a day`,
    expires_at !== null && `${expired ? 'expired on' : 'until'} ${dateText(expires_at)}`,
    policy.allow.length > 0 && `may handle ${policy.allow.map(wordsOf).join(' and ')}`,
  ]
  return said.filter((each) => each !== null && each !== false && each !== '').join('; ')
}

/** Number of markets, and the account's positions at mark. */
export type Holdings = Readonly<{
  markets: number
  positions: readonly HeldPosition[]
}>

/** Possible loss as text. `policy` is `null` for a key with all rights of agents. The daily loss
 *  limit applies to the whole account, the other limits to each market (docs/api/keys.md). */
export function costText(policy: PolicyReply | null, holdings: Holdings): string {
  if (policy === null) return 'If stolen, this key can lose the whole account: it has no limits.'
  const cost = policyCost(policy)
  const slips = Number(policyCost({ ...policy, max_daily_loss: '0' }))
  if (cost === null)
    return 'No bound of what a stolen one could cost: that takes distance, position and loss.'
  const { symbols, max_daily_loss, max_slippage_percent, max_position_value } = policy
  const many = symbols?.length ?? holdings.markets
  const all = many > 1 ? ` (${amount(Number(max_daily_loss) + many * slips)} together)` : ''
  return (
    `A stolen one could cost about ${amount(cost)} USD a day in ${whereOf(policy)}${all}, and ` +
    `what the market moves: ${amount(max_daily_loss!)} until it may only reduce, and 3 × ` +
    `${max_slippage_percent} % of ${amount(max_position_value!)}, because a position can be ` +
    `closed, turned round and closed again at the worst price.${heldText(policy, holdings)}`
  )
}

function heldText(policy: PolicyReply, { positions }: Holdings): string {
  const beyond = heldBeyond(policy, positions)
  if (beyond === null) return ''
  return (
    ` Another ${amount(beyond.cost)} USD or so while positions exceed that by ` +
    `${amount(beyond.value)} USD in ${beyond.symbols.join(', ')}: they can be closed at the ` +
    'worst price, too.'
  )
}

function whereOf({ symbols }: PolicyReply): string {
  if (symbols === null) return 'each market'
  return symbols.length === 1 ? symbols[0]! : `each of ${symbols.join(', ')}`
}
