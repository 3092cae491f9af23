// The context of a rejection in addition to its own numbers: what would have been accepted, the
// status of the market, and which positions were not valued at mark. Computed only after a
// rejection, from the state at that time.

import type {
  Command,
  EditOrder,
  ExchangeView,
  Level,
  MarketView,
  OrderPreview,
  OrderWish,
  RejectionName,
} from '../../core/index.ts'
import { ratioCeil } from '../../units/wide.ts'
import { causeOf } from '../causes/refusal-cause.ts'
import type { Acceptable, Circumstances, Guarded } from '../refusal-subject.ts'
import type { Numbers } from '../refusal-text.ts'

/** Rejections that a smaller size may avoid. */
const tooLarge: ReadonlySet<RejectionName> = new Set<RejectionName>([
  'ORDER_AMOUNT_TOO_HIGH',
  'OPEN_INTEREST_LIMIT_EXCEEDED',
  'POSITION_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'IMMEDIATE_LIQUIDATION',
  'TOO_MANY_ORDERS_TO_CHECK',
])

/** Rejections that may have been caused by equity at guarded prices (MARGIN-3). */
const ofEquity: ReadonlySet<RejectionName> = new Set<RejectionName>([
  'INSUFFICIENT_BALANCE',
  'IMMEDIATE_LIQUIDATION',
  'WITHDRAWAL_BLOCKED',
  'OVER_WITHDRAWAL',
])

/** `leverage`: leverage to assume; 0 for the current one. */
export function circumstancesOf(
  view: ExchangeView,
  command: Command,
  name: RejectionName,
  numbers: Numbers,
  leverage = 0,
): Circumstances {
  const account = 'account' in command ? command.account : 0
  const market = marketOf(view, command)
  const isFrozen = account !== 0 && view.accounts.isFrozen(account)
  const status = isFrozen ? 'frozen' : (market?.status ?? null)
  const preview = playedAgain(view, command, name, leverage)
  const acceptable = acceptableOf(view, command, name, numbers, preview)
  const stopsMost = view.ruleLimits.stopsPerAccount
  const trails = name === 'INVALID_STOP_TICK' && trailsBy(command, numbers)
  const cause = causeOf(view, command, name, numbers)
  if (!ofEquity.has(name) || account === 0) return { acceptable, cause, status, stopsMost, trails }
  const guarded = guardedOf(view, command, account)
  const isolated = market !== undefined && isIsolated(view, account, market)
  const money = moneyOf(view, account)
  const isOfCross = numbers[1] === money.equity
  const lacking = preview?.refusal?.of ?? lackingOf(command, isolated && !isOfCross)
  return { acceptable, cause, status, stopsMost, guarded, isolated, lacking, ...money }
}

/** Whether one of the request's stops or levels trails at this distance, which is not less than
 *  the price. */
function trailsBy(value: unknown, [distance, price]: Numbers): boolean {
  if (typeof value !== 'object' || value === null || distance < price) return false
  if ('stopPrice' in value) return (value as Level).trail?.distance === distance
  return Object.values(value).some((each) => trailsBy(each, [distance, price, 0]))
}

function isIsolated(view: ExchangeView, account: number, { id, params }: MarketView): boolean {
  const setting = view.accounts.settingsOf(account).find(({ market }) => market === id)
  return setting?.isolated ?? params.isolatedOnly
}

/** What is insufficient, for commands other than orders; `null` for the balance. */
function lackingOf(command: Command, ofPosition: boolean): 'wallet' | 'free' | null {
  if (command.type === 'MoveIsolatedMargin') return command.amount < 0 ? 'free' : null
  return command.type === 'SetLeverage' && ofPosition ? 'wallet' : null
}

/** Previews the order again, if this shows what would have been accepted or what was missing. */
function playedAgain(
  view: ExchangeView,
  command: Command,
  name: RejectionName,
  leverage: number,
): OrderPreview | null {
  if (!isOrder(command) || command.type === 'EditOrder') return null
  // If positions may still be reduced, a smaller order may be allowed to take.
  if (!tooLarge.has(name) && name !== 'TRADING_DISABLED') return null
  return view.orders.preview(command, leverage)
}

function marketOf(view: ExchangeView, command: Command): MarketView | undefined {
  if (!('market' in command) || typeof command.market !== 'number') return undefined
  return view.markets.get(command.market)
}

/** Returns `null` if the nearest accepted value is unknown. */
function acceptableOf(
  view: ExchangeView,
  command: Command,
  name: RejectionName,
  [value, bound]: Numbers,
  preview: OrderPreview | null,
): Acceptable | null {
  if (!isOrder(command)) return null
  // The value of an order is its size times a whole number.
  if (name === 'ORDER_AMOUNT_TOO_LOW') return { least: ratioCeil([bound, command.size], [value]) }
  if (command.type === 'EditOrder')
    return tooLarge.has(name) ? { most: view.orders.largestEdit(command) } : null
  if (preview !== null && tooLarge.has(name)) return { most: preview.most }
  // An order that may not take may still rest.
  if (preview !== null) return { most: preview.most, rests: restingPrice(view, command) }
  if (name === 'ORACLE_NOT_AVAILABLE') return { rests: restingPrice(view, command) }
  if (name !== 'NO_REASONABLE_PRICE') return null
  const opposite = command.side === 'bid' ? 'ask' : 'bid'
  const best = view.books.bestPrice(command.market, opposite)
  if (view.orders.endsAtOwn(command)) return { best, cancelledBy: command.stp! }
  // Whether the order's price reaches the best price of the other side.
  const reaches = command.side === 'bid' ? best <= value : best >= value
  const own = view.orders
    .quotationsOf(command.account, command.market, opposite)
    .filter(({ order }) => !view.orders.isUnreleased(order))
  return { best, meetsOwn: best !== 0 && reaches && own.some(({ price }) => price === best) }
}

/** The nearest price at which a limit order would not trade; 0 if there is none. */
function restingPrice(view: ExchangeView, { market, side }: OrderWish): number {
  const best = view.books.bestPrice(market, side === 'bid' ? 'ask' : 'bid')
  const { tickMin, tickMax } = view.markets.paramsOf(market)
  const price = side === 'bid' ? best - 1 : best + 1
  return best === 0 || price < tickMin || price > tickMax ? 0 : price
}

/** The account's positions that would not be valued at mark after the command. */
function guardedOf(view: ExchangeView, command: Command, account: number): readonly Guarded[] {
  const about = marketOf(view, command)
  const held = view.positions.backingOf(account).map(({ market }) => view.markets.get(market)!)
  const markets = about === undefined || held.includes(about) ? held : [...held, about]
  return markets.flatMap((market) => {
    const before = view.positions.lotsOf(account, market.id)
    const adds = market === about && isOrder(command) ? signedSize(command) : 0
    const lots = before + adds === 0 ? before : before + adds
    const price = market.guardedPrice(lots)
    if (lots === 0 || price === market.mark) return []
    const { params, mark, isCatchingUp: catchesUp } = market
    return [{ params, isLong: lots > 0, price, mark, catchesUp }]
  })
}

function signedSize(command: OrderWish | EditOrder): number {
  if (!('side' in command)) return 0
  return command.side === 'bid' ? command.size : -command.size
}

/** The withdrawable amount is based on guarded equity, less the amounts kept for stale markets. */
function moneyOf(view: ExchangeView, account: number) {
  const { guardedEquity, crossMaintenance } = view.accounts.numbersOf(account)
  const stale = view.positions
    .backingOf(account)
    .filter((each) => each.isStale)
    .map(({ market, notional, requirement }) => ({
      symbol: view.markets.paramsOf(market).symbol,
      kept: Math.max(notional, requirement),
    }))
  return { equity: guardedEquity, maintenance: crossMaintenance, stale }
}

function isOrder(command: Command): command is OrderWish | EditOrder {
  return (
    command.type === 'PlaceOrder' ||
    command.type === 'PlaceMarketOrder' ||
    command.type === 'EditOrder'
  )
}
