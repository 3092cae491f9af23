// `explain refusal` and `explain withdrawal`: balances and positions of an account, the prices at
// which they were valued, the requirements of its markets, and the status of the market.

import {
  type BatchAction,
  type Command,
  type EditOrder,
  type EventOf,
  type ExchangeView,
  type MarketView,
  type OrderWish,
  type RejectionName,
  rejections,
} from '../../core/index.ts'
import { causeOf, marketStatuses } from '../../protocol/words.ts'
import { eventsOf, type Outcome } from '../../sequencer/outcome.ts'
import { entrySteps } from './entry-steps.ts'
import { type Explanation, type Step, step, timeOf, usd, wordsOf } from './explanation.ts'
import { equityStep, maintenanceStep, requirementStep, withdrawableStep } from './margin-steps.ts'
import {
  type Found,
  findEvents,
  notFound,
  objectText,
  type Past,
  type Replayed,
  type Seqs,
  stateAt,
} from './past.ts'
import { policySteps } from './policy-steps.ts'

type Rejected = EventOf<'CommandRejected'>

/** Explains a refusal. `which`: an address, a seq, or `null` for the newest of all. */
export async function explainRefusal(
  past: Past,
  which: string | null,
  seqs: Seqs,
): Promise<Explanation> {
  const search = await findEvents(past, { CommandRejected: () => true }, seqs)
  const matching = search.found.filter((found) => {
    const account = accountOf(search.view, found)
    const address = account === 0 ? '' : search.view.accounts.addressOf(account)
    return which === null || `${found.seq}` === which || address === which
  })
  const found = matching.at(-1)
  if (found === undefined) throw notFound(objectText('refusal', which), search)
  const { rejection } = found.events[found.at] as Rejected
  const account = accountOf(search.view, found)
  const explained = await atRefusal(found, past, (view) => ({
    facts: factsOf(view, found),
    steps: account === 0 ? [] : stepsOf(view, found, account),
  }))
  return {
    title: `Refusal at seq ${found.seq}: ${rejection}`,
    facts: {
      ...(account !== 0 && { account: search.view.accounts.addressOf(account) }),
      when: timeOf(found.atMs),
      ...explained.facts,
    },
    happened: [],
    steps: explained.steps,
    pending: [],
  }
}

type Reach = Readonly<{ upTo: number; max: number | null }>

/** Seq of the newest refusal of an account. Searches backwards from one saved state to the one
 *  before, through at most `max` entries (`null`: any number). */
export async function newestRefusal(
  past: Past,
  address: string,
  { upTo, max }: Reach,
): Promise<number> {
  const replays: Replayed[] = []
  for (let to = upTo; to > 0; ) {
    const from = past.stateBefore(to - 1)
    if (from === null || (max !== null && upTo - from > max))
      throw notFound(`refusal of the account at seq ${to + 1} or later`, { fromSeq: 0 })
    const refused: (readonly [seq: number, account: number])[] = []
    const outcome = (each: Outcome) => {
      const { entry, seq } = each
      const account =
        entry.kind === 'command' && 'account' in entry.command && entry.command.account
      if (account && eventsOf(each).some(({ type }) => type === 'CommandRejected'))
        refused.push([seq, account])
    }
    replays.push(await past.replay({ after: from, to, outcome }))
    const own = replays.at(-1)!.view.accounts.idOf(address)
    const isKept = (seq: number) => !replays.some((replay) => replay.isUndone(seq))
    const found = refused.findLast(([seq, account]) => account === own && isKept(seq))
    if (found !== undefined) return found[0]
    to = from
  }
  throw notFound('refusal of the account', { fromSeq: 0 })
}

/** Explains the withdrawable amount at the time of a withdrawal request. */
export async function explainWithdrawal(past: Past, id: number): Promise<Explanation> {
  const search = await findEvents(past, { WithdrawalRequested: () => true }, null)
  const found = search.found.find(
    ({ events, at }) => (events[at] as EventOf<'WithdrawalRequested'>).withdrawal === id,
  )
  if (found === undefined) throw notFound(`withdrawal ${id}`, search)
  const { account, amount } = found.events[found.at] as EventOf<'WithdrawalRequested'>
  const steps: Step[] = []
  await stateAt(past, [found.seq], {
    before: (_, view) => {
      const { withdrawable } = view.accounts.numbersOf(account)
      steps.push(equityStep(view, account), withdrawableStep(view, account, withdrawable))
    },
  })
  return {
    title: `Withdrawal ${id}`,
    facts: {
      account: search.view.accounts.addressOf(account),
      amount: usd(amount),
      when: `seq ${found.seq}, ${timeOf(found.atMs)}`,
    },
    happened: [],
    steps,
    pending: [],
  }
}

/** The refused command, or the refused action of a batch. */
function commandOf({ entry, events, at }: Found): Command | BatchAction | null {
  if (entry.kind !== 'command') return null
  if (entry.command.type !== 'Batch') return entry.command
  const started = events.slice(0, at).findLast(({ type }) => type === 'BatchActionStarted')
  return started === undefined
    ? entry.command
    : entry.command.actions[(started as EventOf<'BatchActionStarted'>).index]!
}

function isOfBatch({ entry }: Found): boolean {
  return entry.kind === 'command' && entry.command.type === 'Batch'
}

/** Account of the command; 0 if it belongs to no account or to an unknown one. */
function accountOf({ accounts }: ExchangeView, found: Found): number {
  const command = commandOf(found)
  const account = command !== null && 'account' in command ? command.account : 0
  return Number.isSafeInteger(account) && account > 0 && account <= accounts.count ? account : 0
}

/** Calls `work` with the state at the refusal. A refused command changes nothing, so the state
 *  after it is used, unless reactions followed. Then the state before it is used, if no work was
 *  due first. */
async function atRefusal<T>(
  { seq, events, at }: Found,
  past: Past,
  read: (view: ExchangeView) => T,
): Promise<T> {
  const readings: T[] = []
  const fromBefore = at === 0 && events.length > 1
  await stateAt(past, [seq], {
    before: (_, view) => fromBefore && readings.push(read(view)),
    after: (_, view) => fromBefore || readings.push(read(view)),
  })
  return readings[0]!
}

function marketOf(view: ExchangeView, found: Found): MarketView | undefined {
  const command = commandOf(found)
  if (command === null || !('market' in command) || typeof command.market !== 'number') return
  return view.markets.get(command.market)
}

type Unit = 'usd' | 'size' | 'price' | 'ms' | 'time'

/** Units of the numbers of a refusal. Other numbers are shown unchanged. */
const units: Partial<Record<RejectionName, Unit>> = {
  ORACLE_NOT_AVAILABLE: 'ms',
  MMP_FROZEN: 'time',
  INVALID_TIME: 'time',
  ORDER_AMOUNT_TOO_LOW: 'usd',
  ORDER_AMOUNT_TOO_HIGH: 'usd',
  PRICE_TOO_FAR_FROM_MARK: 'price',
  OPEN_INTEREST_LIMIT_EXCEEDED: 'size',
  POSITION_LIMIT_EXCEEDED: 'size',
  INSUFFICIENT_BALANCE: 'usd',
  IMMEDIATE_LIQUIDATION: 'usd',
  WITHDRAW_AMOUNT_TOO_LOW: 'usd',
  DAILY_WITHDRAW_LIMIT_EXCEEDED: 'usd',
  OVER_WITHDRAWAL: 'usd',
}

/** Units of a policy's value and limit, by rule number (ACCT-9). */
const ruleUnits: Readonly<Record<number, Unit>> = { 4: 'price', 5: 'usd', 6: 'usd', 7: 'usd' }

function textOf({ rejection, first }: Rejected, at: number, market: MarketView | undefined) {
  const ofRule = rejection === 'AGENT_LIMIT' && at > 0
  const unit = ofRule ? ruleUnits[first] : units[rejection]
  if (unit === 'usd') return usd
  if (unit === 'time') return (value: number) => (value === 0 ? 'a reset' : timeOf(value))
  if (unit === 'ms') return (value: number) => `${value} ms`
  if (unit === undefined || market === undefined) return (value: number) => `${value}`
  return wordsOf(market.params, market.unitValue)[unit]
}

/** The command, the recorded numbers of the refusal, and the status of its market. */
function factsOf(view: ExchangeView, found: Found): Readonly<Record<string, string>> {
  const rejected = found.events[found.at] as Rejected
  const { rejection, first, second, third } = rejected
  const market = marketOf(view, found)
  const values = [first, second, third]
  const named = rejections[rejection].numbers.map((name, at) => {
    // Most times have no upper limit.
    if (rejection === 'INVALID_TIME' && name === 'max' && values[at] === 0) return null
    return `${name} ${textOf(rejected, at, market)(values[at]!)}`
  })
  const numbers = named.filter((text) => text !== null)
  return {
    command: commandOf(found)?.type ?? found.entry.kind,
    ...(numbers.length > 0 && { 'refused with': numbers.join(', ') }),
    ...(market !== undefined && { market: standingText(market) }),
  }
}

/** Text such as `BTC is stale (no price for 7 s; …), mode open: nothing matches until a price
 *  comes`. */
function standingText({ params, status, mode, priceState, priceAgeMs }: MarketView): string {
  const { label, means } = marketStatuses[status]
  const cause = causeOf({
    ...{ status, mode, price_state: priceState, price_age_ms: priceAgeMs },
    stale_after_ms: params.staleAfterMs,
  })
  const why = cause === null ? '' : ` (${cause})`
  return `${params.symbol} is ${label}${why}, mode ${mode}: ${means}`
}

function stepsOf(view: ExchangeView, found: Found, account: number): readonly Step[] {
  const { rejection, first, second } = found.events[found.at] as Rejected
  const market = marketOf(view, found)
  // The state between due work and reactions, or within a batch, cannot be restored exactly.
  const isExact = !isOfBatch(found) && (found.at === 0 || found.at === found.events.length - 1)
  switch (rejection) {
    case 'INSUFFICIENT_BALANCE':
    case 'IMMEDIATE_LIQUIDATION':
      return [
        equityStep(view, account),
        ...(market === undefined ? [] : shortSteps(view, found, market, isExact)),
      ]
    case 'WITHDRAWAL_BLOCKED':
      return [equityStep(view, account), maintenanceStep(view, account)]
    case 'OVER_WITHDRAWAL': {
      const available = isExact ? second : view.accounts.numbersOf(account).withdrawable
      return [equityStep(view, account), withdrawableStep(view, account, available)]
    }
    case 'POSITION_LIMIT_EXCEEDED':
      return market === undefined || !isExact
        ? []
        : ownerSteps(view, market, commandOf(found)!, first)
    case 'AGENT_LIMIT':
      return market === undefined || !isExact
        ? []
        : policySteps(view, market, commandOf(found)!, found.events[found.at] as Rejected)
    default:
      return []
  }
}

/** For an order, the steps of the check that refused it; otherwise the requirements of the
 *  market. */
function shortSteps(
  view: ExchangeView,
  found: Found,
  market: MarketView,
  isExact: boolean,
): readonly Step[] {
  const command = commandOf(found)!
  const entry = isExact && isOrder(command) ? view.orders.entryOf(command) : null
  if (entry !== null) return entrySteps(market, entry, found.events[found.at] as Rejected)
  const account = accountOf(view, found)
  return view.positions.requirementOf(account, market.id) === null
    ? []
    : [requirementStep(view, account, market.id)]
}

function isOrder(command: Command | BatchAction): command is OrderWish | EditOrder {
  return ['PlaceOrder', 'PlaceMarketOrder', 'EditOrder'].includes(command.type)
}

/** Steps of ORDER-13, for an order that would have been added. */
function ownerSteps(
  { positions }: ExchangeView,
  { id, params, unitValue }: MarketView,
  command: Command | BatchAction,
  recorded: number,
): readonly Step[] {
  if (command.type !== 'PlaceOrder' && command.type !== 'PlaceMarketOrder') return []
  const interest = positions.ownerInterest(command.account, id)
  if (interest === null) return []
  const words = wordsOf(params, unitValue)
  const { lots = 0, buys = 0, sells = 0 } = positions.requirementOf(command.account, id) ?? {}
  const worst = (more: number, less: number) =>
    Math.max(Math.abs(lots + more), Math.abs(lots - less))
  const isBid = command.side === 'bid'
  const before = worst(buys, sells)
  const after = worst(buys + (isBid ? command.size : 0), sells + (isBid ? 0 : command.size))
  return [
    step({
      rule: 'ORDER-13',
      formula: 'Σ over the accounts of the owner of max(|lots + buys|, |lots − sells|), with it',
      inputs: {
        'position, open buys, sells': [lots, buys, sells].map(words.size).join(', '),
        'this order': `${command.side} ${words.size(command.size)}`,
        'other accounts of the owner': words.size(interest.reach - before),
        'limit of the owner': words.size(interest.limit),
      },
      result: interest.reach - before + after,
      recorded,
      text: words.size,
    }),
  ]
}
