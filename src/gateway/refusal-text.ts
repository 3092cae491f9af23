// Messages for rejections, which name the rule, the numbers, and what would be accepted. The
// compiler enforces one row per rejection.

import type { EventOf, RejectionName } from '../core/index.ts'
import { moneyText, priceText, sizeText } from '../projections/market-text.ts'
import { marketStatuses } from '../protocol/words.ts'
import { agentText, policyText, textMemoryText } from './agent-text.ts'
import type { Subject } from './refusal-subject.ts'
import { addressText, settledText, symbolTakenText } from './unsupported-text.ts'

export type Numbers = readonly [first: number, second: number, third: number]
type Sentence = (subject: Subject, numbers: Numbers) => string

/** The maximum that the core reports. The real value may be higher. */
const largest = Number.MAX_SAFE_INTEGER
const usd = (microDollars: number) =>
  `${microDollars === largest ? 'more than ' : ''}${moneyText(microDollars)} USD`
const symbolOf = ({ params }: Subject) => params?.symbol ?? 'this market'
const price = ({ params }: Subject, ticks: number) =>
  params === null ? `${ticks} ticks` : priceText(params, ticks)
const size = ({ params }: Subject, lots: number) =>
  params === null ? `${lots} lots` : `${sizeText(params, lots)} ${params.baseAsset}`
const range = (subject: Subject) =>
  subject.params === null
    ? 'the range of the market'
    : `${price(subject, subject.params.tickMin)} to ${price(subject, subject.params.tickMax)}`
const tickSize = ({ params }: Subject) => (params === null ? 'the tick size' : priceText(params, 1))
const lotSize = ({ params }: Subject) => (params === null ? 'the lot size' : sizeText(params, 1))

/** The limit of a range that is nearest to the given value. */
const nearest = (subject: Subject, given: number, min: number, max: number) =>
  `; nearest: ${price(subject, given < min ? min : max)}`
const least = (subject: Subject) =>
  subject.acceptable?.least === undefined
    ? ''
    : `; nearest: ${size(subject, subject.acceptable.least)}`
const most = (subject: Subject) => {
  const lots = subject.acceptable?.most
  if (lots === undefined) return ''
  return lots === 0
    ? '; no amount of it would be accepted now'
    : `; the largest amount accepted now is ${size(subject, lots)}`
}
const rests = (subject: Subject) => {
  const ticks = subject.acceptable?.rests ?? 0
  return ticks === 0 ? '' : `; the nearest price that rests is ${price(subject, ticks)}`
}
const best = (subject: Subject) => {
  const ticks = subject.acceptable?.best
  return ticks === undefined ? '' : ` (the best is ${price(subject, ticks)})`
}
const ownInTheWay = (subject: Subject) => {
  const stp = subject.acceptable?.cancelledBy
  if (stp === undefined) return null
  return (
    `the first order that it meets is one of your own${best(subject)}, so with stp ${stp} the ` +
    'new order is cancelled; cancel the resting order, or use stp cancel_maker, which cancels it'
  )
}
const takeProfitHint =
  '; a bid stop waits for a higher price, an ask stop for a lower one. To close immediately, use ' +
  'a market order; to close at a better price, use a take-profit: POST /api/v1/positions/tpsl'

const sentences: Readonly<Record<RejectionName, Sentence>> = {
  ACCOUNT_NOT_FOUND: ({ account }) => `no account ${account}; a first deposit opens it`,
  AGENT_NOT_ALLOWED: (_, [cause]) => agentText(cause),
  EXPIRED: (_, [expires, mark]) =>
    `Invalid message: the time to use it is over (until ${expires}, now ${mark}, by the clock by ` +
    'which signed texts are forgotten); sign again with a current timestamp',
  REPLAYED: () =>
    'Invalid message, this signed text was used before; change timestamp or client_order_id and ' +
    'sign again (a text without timestamp serves once per position: add timestamp to repeat it)',
  TEXT_MEMORY_FULL: (_, [max, until]) => textMemoryText(max, until),
  NOT_MAIN_ACCOUNT: () => 'only a main account may do this, this is a subaccount',
  // The symbol is not repeated, because it is text from the caller and clients choose their error
  // class by words.
  BOOK_NOT_FOUND: () => 'no market has this symbol; GET /api/v1/info lists them all',
  UNSUPPORTED_OPERATION: (subject) =>
    subject.status === 'settled' ? settledText(symbolOf(subject)) : addressText,
  TRADING_DISABLED: closedText,
  MMP_FROZEN: (subject, [until]) =>
    `quotes with mmp on ${symbolOf(subject)} were filled too fast; new ones are rejected ${
      until === 0 ? 'until the protection is reset' : `until ${until}`
    } (POST /account/mmp/reset resets it)`,
  ORACLE_NOT_AVAILABLE: (subject, [age]) =>
    (subject.status === 'post_only'
      ? `${symbolOf(subject)} is post-only: nothing matches until the operator opens it again. ` +
        'You can still cancel, edit, set stops, and place orders that rest: ALO and TOB orders, ' +
        'and others that do not cross'
      : `nothing matches in ${symbolOf(subject)} now: its newest price is ${age} ms old` +
        `${oldest(subject)}; try again shortly (what does not cross is ` +
        'served, and so are ALO and TOB orders, edits, stops and cancels)') + rests(subject),
  INVALID_TICK_SIZE: (subject) => `the price must be a multiple of ${tickSize(subject)}`,
  INVALID_TICK_LEVEL: (subject, [given, min, max]) =>
    `price ${price(subject, given)} is outside ${price(subject, min)} to ${price(subject, max)}` +
    nearest(subject, given, min, max),
  INVALID_AMOUNT: (subject) =>
    subject.params === null
      ? 'the amount must be above zero'
      : `the amount must be a positive multiple of ${lotSize(subject)}`,
  INVALID_ORDER_TYPE: () => 'unknown side, tif, stp or trigger',
  ORDER_NOT_FOUND: (subject, [order]) =>
    `no open order ${order > 0 ? order : (subject.clientOrderId ?? 'with both ids')} on ` +
    `${symbolOf(subject)} for this account`,
  POSITION_NOT_FOUND: (subject) => `no open position on ${symbolOf(subject)} for this account`,
  ORDER_AMOUNT_TOO_LOW: (subject, [value, min]) =>
    `the order is worth ${usd(value)}, the minimum is ${usd(min)}${least(subject)}`,
  ORDER_AMOUNT_TOO_HIGH: (subject, [value, max]) =>
    `the order would make ${usd(value)}, the maximum is ${usd(max)}${most(subject)}`,
  PRICE_TOO_FAR_FROM_MARK: (subject, [given, min, max]) =>
    `price ${price(subject, given)} is outside the band ${price(subject, min)} to ` +
    `${price(subject, max)} around the mark price${nearest(subject, given, min, max)}`,
  DUPLICATE_CLIENT_ORDER_ID: ({ clientOrderId }) =>
    `client_order_id ${clientOrderId ?? ''} is already used by an open order; use a new one`,
  OPEN_ORDER_LIMIT_REACHED: ({ stopsMost }, [open, max]) =>
    `${open} of at most ${max} ${max === stopsMost ? 'stops' : 'orders, stops and levels'} are ` +
    `open in all markets; ${Math.max(0, max - open)} more would be accepted: cancel some first`,
  POSITION_TPSL_LIMIT_EXCEEDED: (_, [count, max]) =>
    `${count} levels of one kind; a position or an order has at most ${max} take-profits and ` +
    `${max} stop-losses`,
  NO_POSITION_FOR_REDUCE_ONLY_ORDER: (subject) =>
    `a reduce-only order needs a position on ${symbolOf(subject)}, there is none`,
  INVALID_REDUCE_ONLY_ORDER_SIDE: () =>
    'a reduce-only order must oppose the position: ask closes a long, bid closes a short',
  INVALID_REDUCE_ONLY_ORDER_AMOUNT: (subject, [given, max]) =>
    `a reduce-only order of ${size(subject, given)} exceeds the position of ${size(subject, max)}`,
  // No nearest price is suggested: a stop one tick from the market is not useful, and a price
  // beyond the market means the opposite.
  INVALID_STOP_TICK: (subject, [stop, now]) =>
    stop === 0
      ? `the stop price and the limit price of a level must be within ${range(subject)}; ` +
        'one that trails follows by 0.1 to 50 percent, or by a tick or more'
      : subject.trails === true
        ? `trailing_distance ${price(subject, stop)} is not below the price ` +
          `${price(subject, now)}: a stop that sells would never fire; at most ` +
          `${price(subject, now - 1)} would be accepted`
        : `stop price ${price(subject, stop)} is reached already or on the wrong side of the ` +
          `price ${price(subject, now)}${subject.isStop === true ? takeProfitHint : ''}`,
  INVALID_STOP_ORDER_SIDE: () =>
    'the side does not fit the position: in a body with `user` it is the side of the position, ' +
    'in one with `account` the side that closes it',
  INVALID_STOP_ORDER_AMOUNT: (subject, [given, max]) =>
    `a stop for ${size(subject, given)} exceeds ${size(subject, max)}`,
  INVALID_STOP_ORDER_REDUCE_ONLY: () =>
    'take-profit and stop-loss cannot be attached to a reduce-only order or stop',
  WOULD_TAKE: (subject, [given, best]) =>
    `an order at ${price(subject, given)} would trade immediately with ${price(subject, best)}, ` +
    'and the order of an OCO has to rest',
  NO_REASONABLE_PRICE: nothingThere,
  OPEN_INTEREST_LIMIT_EXCEEDED: (subject, [open, max]) =>
    `open interest would be ${size(subject, open)}, the cap is ${size(subject, max)}` +
    most(subject),
  POSITION_LIMIT_EXCEEDED: (subject, [open, max]) =>
    `positions and orders of all accounts of this owner could reach ${size(subject, open)}, the ` +
    `limit is ${size(subject, max)}${most(subject)}`,
  AGENT_LIMIT: ({ params }, [rule, value, max]) => policyText(params, rule, value, max),
  INSUFFICIENT_BALANCE: (subject, numbers) =>
    shortText(subject, numbers) + guardedText(subject) + most(subject),
  // Only an isolated position can be opened into immediate liquidation (MARGIN-4).
  IMMEDIATE_LIQUIDATION: (subject, [equity, maintenance]) =>
    `the isolated position on ${symbolOf(subject)} would be liquidated immediately: its equity ` +
    `is ${usd(equity)}, its maintenance ${usd(maintenance)}${guardedText(subject)}; ${addMargin}` +
    most(subject),
  TOO_MANY_ORDERS_TO_CHECK: (subject, [looked, found, wanted]) =>
    `a FOK order is checked against the first ${looked} orders within its limit; these have ` +
    `${size(subject, found)} of ${size(subject, wanted)}${most(subject)}; an IOC order can take ` +
    'more',
  BOOK_SIDE_FULL: (subject, [max]) =>
    `this side of the book of ${symbolOf(subject)} has orders at ${max} prices, the maximum; ` +
    'choose a price that has orders, or an order that does not rest (IOC, FOK, market)',
  INVALID_LEVERAGE: (_, [given, min, max]) => `leverage ${given} is outside ${min} to ${max}`,
  CANNOT_UPDATE_MARGIN: () =>
    'the margin mode is fixed while a position, order or stop is open, isolated-only markets ' +
    'have no cross mode, and margin can be moved only for an isolated position',
  TWAP_CLIENT_ORDER_ID_IN_USE: ({ clientOrderId }) =>
    `client_order_id ${clientOrderId ?? ''} is already used by a running TWAP; use a new one`,
  TWAP_SUB_ORDER_AMOUNT: (_, [value, min]) =>
    `a slice would be worth ${usd(value)}, the minimum is ${usd(min)}`,
  TWAP_DURATION: (_, [seconds, min, max]) => `${seconds} seconds is outside ${min} to ${max}`,
  TWAP_NOT_FOUND: (subject, [order]) =>
    `no running TWAP ${order > 0 ? order : (subject.clientOrderId ?? '')} on ${symbolOf(subject)}`,
  TWAP_LIMIT_REACHED: (subject, [max]) => `at most ${max} TWAPs may run on ${symbolOf(subject)}`,
  WITHDRAWAL_BLOCKED: blockedText,
  SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED: () => 'transfer to the main account and withdraw from there',
  WITHDRAW_AMOUNT_TOO_LOW: (_, [amount, min]) => `${usd(amount)} is below the minimum ${usd(min)}`,
  DAILY_WITHDRAW_LIMIT_EXCEEDED: (_, [amount, left]) =>
    `${usd(amount)} is more than the ${usd(left)} left for today`,
  OVER_WITHDRAWAL: (subject, [amount, available]) =>
    `${usd(amount)} is more than the withdrawable ${usd(available)}` +
    guardedText(subject) +
    staleText(subject),
  INVALID_TRANSFER_RELATIONSHIP: () =>
    'transfers go between a main account and its own subaccounts only',
  SUBACCOUNT_CANNOT_CREATE_SUBACCOUNT: () => 'only a main account has subaccounts',
  ACCOUNT_ALREADY_EXISTS: () => 'that address is already an account',
  LIMIT_REACHED: (_, [max]) => `at most ${max} are allowed; remove one first`,
  NOT_ARMED: () => 'this connection is not armed for this account',
  AGENT_NOT_FOUND: ({ account }) =>
    `that address is not an agent of ${account === '' ? 'any' : 'this'} account`,
  API_KEY_NOT_FOUND: () => 'this account has no such API key',
  API_KEY_EXISTS: () => 'that prefix is already used; try again',
  WITHDRAWAL_NOT_FOUND: (_, [withdrawal]) => `no pending withdrawal ${withdrawal}`,
  WITHDRAWAL_NOT_APPROVED: (_, [withdrawal, approvals, needed]) =>
    `withdrawal ${withdrawal} has ${approvals} of the ${needed} approvals it needs; approve it ` +
    'with POST /withdrawals/approve, each time with another token',
  WITHDRAWAL_ALREADY_APPROVED: (_, [withdrawal, needed]) =>
    `withdrawal ${withdrawal} has the ${needed} approvals it needs; complete or fail it`,
  WITHDRAWAL_APPROVER_REPEATED: (_, [withdrawal, approvals, needed]) =>
    `your token has approved withdrawal ${withdrawal} already; it has ${approvals} of ${needed} ` +
    'approvals, and another token must give the next',
  VENUE_WITHDRAW_LIMIT_EXCEEDED: (_, [amount, left]) =>
    `${usd(amount)} is more than the ${usd(left)} that may still leave the venue today; approve ` +
    'it on another UTC day, or raise daily_max with POST /withdrawals/limits',
  CREDIT_NOT_FOUND: (_, [credit]) => `no waiting credit ${credit}`,
  CREDIT_APPROVER_REPEATED: (_, [credit]) =>
    `your token requested credit ${credit}; a token of another name must approve it`,
  CREDIT_WAITS: (_, [credit]) =>
    `credit ${credit} waits for a second token: use POST /deposits/approve or /deposits/drop`,
  CHANGE_NOT_FOUND: (subject, [change]) =>
    `no announced change ${change} of ${symbolOf(subject)} is pending`,
  DEPOSIT_CONFLICT: (_, [account, amount]) =>
    `this reference was credited before with ${usd(amount)}, to account number ${account}; ` +
    'nothing was credited now; a new deposit needs a new reference',
  DEPOSIT_REFERENCE_USED: () => 'a deposit with this reference was credited before',
  INVALID_TIME: (_, [time, min, max]) =>
    max === 0
      ? `time ${time} must be at least ${min}`
      : `time ${time} must be from ${min} to ${max}`,
  INVALID_PARAMETER: (_, [value]) =>
    value === 0
      ? 'a value is out of range, or two values conflict'
      : `${value} is not accepted here`,
  MARKET_EXISTS: ({ status }, [market]) => symbolTakenText(market, status === 'settled'),
  INVALID_PRICE: () => 'the price is outside the range of the market',
  FUND_TOO_SMALL: (_, [amount, available]) => `${usd(amount)} is more than ${usd(available)}`,
}

function nothingThere(subject: Subject, [worst]: Numbers): string {
  const { acceptable } = subject
  if (acceptable?.best === 0)
    return 'no matching orders: that side of the book is empty; use a limit order'
  const none = `no matching orders up to the worst price ${price(subject, worst)}`
  if (acceptable?.meetsOwn === true)
    return (
      `${none} from other accounts: the best order is one of your own${best(subject)}, and ` +
      'orders of one owner never trade with each other; cancel it, or use a limit order'
    )
  return (
    ownInTheWay(subject) ?? `${none}${best(subject)}; raise slippage_percent or use a limit order`
  )
}

const addMargin = 'add margin with POST /api/v1/positions/add_isolated_margin, up to the balance'

function shortText(subject: Subject, [required, available]: Numbers): string {
  const [needed, there] = [usd(required), usd(available)]
  const { lacking, isolated } = subject
  // A reduction needs no margin. Then no price would leave the rest covered.
  if (lacking === 'close' || (required === 0 && isolated !== true))
    return `insufficient equity to close it at any price: its equity is ${there}`
  if (lacking === 'wallet')
    return (
      `insufficient isolated margin on ${symbolOf(subject)}: ${needed} required, ${there} ` +
      `available with this order; ${addMargin}`
    )
  if (lacking === 'free')
    return (
      `the isolated position on ${symbolOf(subject)} has ${there} of free margin, ${needed} ` +
      'requested'
    )
  if (required === 0)
    return (
      'insufficient balance: equity without isolated positions would be ' +
      `${there}, and cannot be below zero`
    )
  const fromBalance = isolated === true ? ' (isolated margin is paid from the balance)' : ''
  return `insufficient balance: ${needed} required, ${there} available${fromBalance}`
}

/** CORE-7: why orders are not accepted, and which requests still are. */
function closedText(subject: Subject): string {
  const { status } = subject
  if (status === 'frozen')
    return (
      'the operator has frozen this account: it can neither trade nor withdraw; cancels still ' +
      'work'
    )
  if (status == null || status === 'live' || status === 'catching_up')
    return (
      `${symbolOf(subject)} rejected this request; cancels still work; ` +
      'GET /api/v1/info/risk shows the status of a market'
    )
  const { label, means, can } = marketStatuses[status]
  const reduces = status === 'reduce_only' ? most(subject) + rests(subject) : ''
  return `${symbolOf(subject)} is ${label}: ${means}. ${can}${reduces}`
}

function oldest({ params }: Subject): string {
  return params === null ? '' : ` (maximum: ${params.staleAfterMs} ms)`
}

/** Names the price that was used instead of the mark, if any. */
function guardedText({ guarded = [] }: Subject): string {
  return guarded
    .map(({ params, isLong, price: ticks, mark, catchesUp }) => {
      const [counted, shown] = [priceText(params, ticks), priceText(params, mark)]
      const why = catchesUp
        ? `${params.symbol} is catching up with its newest price`
        : `the book of ${params.symbol} is or was away from its index`
      const there = `counts at ${counted}, not at the mark ${shown}`
      return `; ${why}: a ${isLong ? 'long' : 'short'} ${there}`
    })
    .join('')
}

function staleText({ stale = [] }: Subject): string {
  const keeps = (kept: number) => `is stale: its position keeps ${usd(kept)}`
  return stale.map(({ symbol, kept }) => `; the price of ${symbol} ${keeps(kept)}`).join('')
}

function blockedText(subject: Subject): string {
  const { status, equity, maintenance } = subject
  if (status === 'frozen') return closedText(subject)
  if (equity !== undefined && maintenance !== undefined && equity < maintenance)
    return (
      `withdrawals are blocked: equity ${usd(equity)} is below the maintenance margin ` +
      usd(maintenance) +
      guardedText(subject)
    )
  if (status == null) return 'withdrawals are blocked: equity is below the maintenance margin'
  return (
    `margin cannot be removed from the position on ${symbolOf(subject)} while its price is ` +
    'stale; try again when it is live'
  )
}

export function refusalText(name: RejectionName, subject: Subject, numbers: Numbers): string {
  const sentence = subject.cause ?? sentences[name](subject, numbers)
  if (!name.endsWith('_NOT_FOUND')) return sentence
  // Clients of the public API recognize missing objects by these words.
  const thing = name.slice(0, -'_NOT_FOUND'.length).toLowerCase().replaceAll('_', ' ')
  return `${sentence} (${thing} not found)`
}

export function numbersOf(event: EventOf<'CommandRejected'>): Numbers {
  return [event.first, event.second, event.third]
}
