// Finds the exact cause of a refusal whose name and numbers are ambiguous: the option, level or
// rule, and what would be accepted. Derived from the request.

import type {
  BatchAction,
  Command,
  ExchangeView,
  MarketParams,
  NeededScope,
  RejectionName,
  RuleLimits,
} from '../../core/index.ts'
import { moneyText, priceText, sizeText } from '../../projections/market-text.ts'
import { type Tif, tifs, timesInForce } from '../../protocol/words.ts'
import { divCeil } from '../../units/rounding.ts'
import { ratioCeil } from '../../units/wide.ts'
import { notInPolicyText } from '../agent-text.ts'
import type { Numbers } from '../refusal-text.ts'
import { editCause } from './edit-cause.ts'
import {
  namedIds,
  rangeCause,
  reachedCause,
  repeatedCause,
  sizeCause,
  trailCause,
} from './level-causes.ts'
import { countCause, timeCause } from './limit-causes.ts'
import { namedLevels } from './named-levels.ts'
import { noQuoteCause } from './no-quote-cause.ts'

type Requested = Command | BatchAction
type Cause = (command: Requested, at: Circumstances, numbers: Numbers) => string | null
type Circumstances = Readonly<{ view: ExchangeView; params: MarketParams; limits: RuleLimits }>

/** A sentence that replaces the general message; `null` if the general message is sufficient. */
export function causeOf(
  view: ExchangeView,
  command: Requested,
  name: RejectionName,
  numbers: Numbers,
): string | null {
  const limits = view.ruleLimits
  if (name === 'INVALID_TIME') return timeCause(command, limits, numbers)
  if (name === 'AGENT_NOT_ALLOWED') return notInPolicyText(numbers[0], neededBy(command))
  const id = 'market' in command && typeof command.market === 'number' ? command.market : 0
  if (name === 'LIMIT_REACHED' && id === 0) return countCause(command, limits, numbers[0])
  const find = causes[name]
  const market = find === undefined ? undefined : view.markets.get(id)
  if (find === undefined || market === undefined) return null
  return find(command, { view, params: market.params, limits }, numbers)
}

const causes: Readonly<Partial<Record<RejectionName, Cause>>> = {
  INVALID_ORDER_TYPE: typeCause,
  INVALID_STOP_TICK: (command, { params, limits }, [stop, now]) =>
    stop === 0 ? rangeCause(command, params, limits) : reachedCause(command, params, stop, now),
  INVALID_STOP_ORDER_AMOUNT: (command, { params }, [given, max]) =>
    sizeCause(command, params, given, max),
  INVALID_STOP_ORDER_SIDE: (command) => pairCause(command, 'side'),
  INVALID_STOP_ORDER_REDUCE_ONLY: (command) => pairCause(command, 'reduce_only'),
  WOULD_TAKE: takeCause,
  DUPLICATE_CLIENT_ORDER_ID: duplicateCause,
  OPEN_ORDER_LIMIT_REACHED: crowdCause,
  INVALID_PARAMETER: protectionCause,
  INVALID_AMOUNT: displayCause,
  INVALID_TICK_LEVEL: legCause,
  ORDER_AMOUNT_TOO_LOW: partCause,
  INVALID_REDUCE_ONLY_ORDER_AMOUNT: partExceedsCause,
  ORDER_NOT_FOUND: (command, { view }) => editCause(view, command),
  LIMIT_REACHED: algosCause,
  AGENT_LIMIT: policyCause,
}

/** The permission that the policy would need. */
function neededBy({ type }: Requested): NeededScope {
  if (type === 'SetMmp' || type === 'ResetMmp') return 'mmp'
  if (type === 'CreateApiKey' || type === 'RevokeApiKey') return 'api_keys'
  const ofMargin =
    type === 'SetLeverage' || type === 'SetMarginMode' || type === 'MoveIsolatedMargin'
  return ofMargin ? 'margin' : 'any'
}

const isPostOnly = (tif: Tif) => tif === 'ALO' || tif === 'TOB'

function typeCause(command: Requested): string | null {
  if (command.type === 'PlaceOco' && command.legs.every((leg) => !('level' in leg)))
    return 'two resting orders are not an OCO: one of the legs, or both, must be a stop'
  if (command.type !== 'PlaceOrder') return trailCause(command)
  const { tif, mmp, expireTime } = command
  if (mmp === true && !isPostOnly(tif))
    return `mmp is of orders that never take (tif ALO and TOB), and ${tif} may`
  const resting = tifs.filter((each) => timesInForce[each].rests).join(', ')
  const unfit = expireTime != null && !timesInForce[tif].rests
  return (
    trailCause(command) ??
    (unfit ? `expire_time is of orders that rest (tif ${resting}), and ${tif} does not` : null)
  )
}

function pairCause(command: Requested, field: string): string | null {
  if (command.type !== 'PlaceOco') return null
  return `an order and a stop of which one happens have the same ${field} in both legs`
}

function takeCause(
  command: Requested,
  { params }: Circumstances,
  [given, best]: Numbers,
): string | null {
  const order =
    command.type !== 'PlaceOco' ? undefined : command.legs.find((leg) => !('level' in leg))
  if (order === undefined) return null
  const nearest = order.side === 'bid' ? best - 1 : best + 1
  const price = (ticks: number) => priceText(params, ticks)
  return (
    `an order at ${price(given)} would trade immediately with ${price(best)}, and the order of ` +
    `an OCO has to rest; the nearest price that rests is ${price(nearest)}`
  )
}

/** Explains that the price of an OCO leg is out of range. */
function legCause(
  command: Requested,
  { params }: Circumstances,
  [given, min, max]: Numbers,
): string | null {
  if (command.type !== 'PlaceOco') return null
  const at = command.legs.findIndex((leg) => !('level' in leg) && leg.price === given)
  const [least, most] = [priceText(params, min), priceText(params, max)]
  const nearest = given < min ? least : most
  const outside = `${priceText(params, given)} is outside ${least} to ${most}`
  return at < 0 ? null : `legs[${at}].price ${outside}; nearest: ${nearest}`
}

/** Explains that the value is too low: of an iceberg's displayed part, or of the total chase. */
function partCause(
  command: Requested,
  { params }: Circumstances,
  [value, min]: Numbers,
): string | null {
  if (command.type === 'PlaceChase') {
    const least = sizeText(params, ratioCeil([min, command.size], [value]))
    return (
      `the order is worth ${moneyText(value)} USD, the minimum is ${moneyText(min)} USD; ` +
      `nearest: ${least} ${params.baseAsset}`
    )
  }
  if (command.type !== 'PlaceIceberg') return null
  const least = sizeText(params, ratioCeil([min, command.display], [value]))
  return (
    `a part of it (display_amount ${sizeText(params, command.display)}) is worth ` +
    `${moneyText(value)} USD, the minimum is ${moneyText(min)} USD; nearest: ${least}`
  )
}

function partExceedsCause(
  command: Requested,
  { params }: Circumstances,
  [given, max]: Numbers,
): string | null {
  if (command.type !== 'PlaceIceberg' || given !== command.display) return null
  const size = (lots: number) => `${sizeText(params, lots)} ${params.baseAsset}`
  return (
    `a part of it (display_amount ${size(given)}) exceeds the position of ${size(max)}, and each ` +
    'part is a reduce-only order'
  )
}

function duplicateCause(command: Requested, { view }: Circumstances): string | null {
  if (command.type === 'Quote') return noQuoteCause(view, command)
  const ids = namedIds(command)
  const single = ids.length === 1 && ids[0]!.field === 'the order'
  const live = ids.map(({ field, id }) => `${id} (${field})`).join(', ')
  return (
    repeatedCause(ids) ??
    (single ? null : `a client_order_id is that of a live order; use a new one: ${live}`)
  )
}

/** A limit that applies only to certain kinds of orders. */
function crowdCause(
  command: Requested,
  { params, limits }: Circumstances,
  [open, max]: Numbers,
): string | null {
  const trails = namedLevels(command).some(({ level }) => level.trail != null)
  if (trails && max === limits.trailingPerAccount)
    return (
      `${open} of at most ${max} stops and levels that trail are live in all markets; ` +
      `${Math.max(0, max - open)} more would be accepted: cancel some first`
    )
  if (max !== limits.mmpOrders || !('mmp' in command) || command.mmp !== true) return null
  const where = `are open on ${params.symbol}`
  return `${open} of at most ${max} orders with mmp ${where}: cancel some, or leave mmp out`
}

function protectionCause(command: Requested, { params, limits }: Circumstances): string | null {
  const none = `no protection is set on ${params.symbol}: there is nothing to`
  if (command.type === 'ResetMmp') return `${none} reset`
  if (command.type !== 'SetMmp') return null
  if (command.limits === null) return `${none} remove`
  const { windowMs, frozenMs } = command.limits
  const { mmpMsMin: min, mmpMsMax: max } = limits
  if (windowMs < min || windowMs > max)
    return `window_ms ${windowMs} is outside ${min} to ${max} milliseconds`
  if (frozenMs < 0 || frozenMs > max)
    return `frozen_ms ${frozenMs} is outside 0 to ${max} milliseconds (0: until a reset)`
  return null
}

function algosCause(
  command: Requested,
  { params, limits }: Circumstances,
  [max]: Numbers,
): string | null {
  if (command.type !== 'PlaceIceberg' && command.type !== 'PlaceChase') return null
  const kind = command.type === 'PlaceChase' ? 'chases' : 'icebergs'
  return max === limits.algosPerMarket
    ? `at most ${max} ${kind} may run on ${params.symbol}; cancel one first`
    : `at most ${max} ${kind} of an owner may run, in all its accounts; cancel one first`
}

function displayCause(command: Requested, { params, limits }: Circumstances): string | null {
  if (command.type !== 'PlaceIceberg') return null
  const { size, display } = command
  const least = divCeil(size, limits.icebergParts)
  if (display >= least && display <= size) return null
  const text = (lots: number) => sizeText(params, lots)
  return (
    `display_amount ${text(display)} is outside ${text(least)} to ${text(size)}: an iceberg has ` +
    `at most ${limits.icebergParts} parts`
  )
}

const POST_ONLY = 2
const REDUCE_ONLY = 3

/** The kind of request that the policy allows, if the flag of the rule does not show it. */
function policyCause(command: Requested, _: Circumstances, [rule]: Numbers): string | null {
  const said = `rule ${rule} of this agent's policy: `
  if (rule === POST_ONLY) {
    if (command.type === 'PlaceStop' || command.type === 'PlaceOco')
      return `${said}it may only post, and a stop takes when it fires; with reduce_only true it may`
    if (command.type === 'PlaceMarketOrder' || command.type === 'PlaceTwap')
      return `${said}it may only post, and this takes: use limit orders with tif ALO or TOB`
  }
  if (rule === REDUCE_ONLY && command.type === 'Quote')
    return (
      `${said}it may only reduce, and a Quote never does only that: use Create with tif ALO and ` +
      'reduce_only true'
    )
  return null
}
