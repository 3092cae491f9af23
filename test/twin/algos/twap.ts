// TWAPs: an order in equal slices, one each 30 seconds (TRIG-6).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse, rejections } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { sides } from '../../../src/words/order-words.ts'
import { limitRefusal, overRefusal } from '../accounts/policies.ts'
import {
  accountOf,
  byId,
  findMarket,
  holdingOf,
  marketOf,
  refers,
  signOfSide,
} from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import { settleFunding } from '../funding/funding.ts'
import { finishSliced, stopAlgo } from '../orders/endings.ts'
import { noOptions } from '../orders/options.ts'
import * as checks from '../orders/order-checks.ts'
import { enter, waitOf } from '../orders/orders.ts'
import { fairLimit } from '../orders/worst-price.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Algo, Market, Naive } from '../state.ts'
import {
  abs,
  ceilDiv,
  floorDiv,
  given,
  isIntIn,
  max,
  min,
  sameClient,
  shown,
  signOf,
} from '../units/numbers.ts'
import { emitAlgoPlaced, emitStepped } from './algo-events.ts'

export function placeTwap(
  naive: Naive,
  command: CommandOf<'PlaceTwap'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const refusal =
    checks.tradingRefusal(naive, account, market) ??
    wishRefusal(naive, command, account, market) ??
    policyRefusal(naive, command, account, market) ??
    planRefusal(naive, command, account, market)
  if (refusal) return refusal
  const twap: Algo = {
    id: naive.nextOrder,
    kind: 'twap',
    account: account.id,
    agent: command.proof?.agent ?? null,
    market: market.id,
    side: command.side,
    size: BigInt(command.size),
    slices: slicesIn(command.durationSeconds),
    done: 0,
    filled: 0n,
    filledValue: 0n,
    reduceOnly: command.reduceOnly === true,
    slippagePpm: BigInt(command.slippagePpm),
    startMs: naive.now,
    client: command.clientOrderId ?? null,
    price: 0n,
    display: 0n,
    expireTime: null,
    refusals: 0,
    dueAt: null,
    live: [],
  }
  naive.nextOrder += 1
  naive.algos.push(twap)
  emitAlgoPlaced(naive, twap)
  return null
}

function slicesIn(seconds: number): number {
  return Math.floor(seconds / limits.twapSliceSeconds) + 1
}

function wishRefusal(
  naive: Naive,
  command: CommandOf<'PlaceTwap'>,
  account: Account,
  market: Market,
): Rejection | null {
  const { size, slippagePpm, side } = command
  if (!isIntIn(size, 1, Number.MAX_SAFE_INTEGER)) return refuse('INVALID_AMOUNT', given(size))
  if (!isIntIn(slippagePpm, 0, bookOf(naive).limits.slippagePpmMax)) {
    return refuse('INVALID_AMOUNT', given(slippagePpm))
  }
  if (!sides.includes(side)) return refuse('INVALID_ORDER_TYPE')
  const reduceOnly = command.reduceOnly === true
  return checks.reduceOnlyRefusal(account, market, { side, size: BigInt(size), reduceOnly })
}

/** ACCT-9: the whole of it. */
function policyRefusal(
  naive: Naive,
  command: CommandOf<'PlaceTwap'>,
  account: Account,
  market: Market,
): Rejection | null {
  const wish = {
    side: command.side,
    size: BigInt(command.size),
    reduceOnly: command.reduceOnly === true,
  }
  return limitRefusal(naive, account, market, command.proof?.agent, {
    ...wish,
    takes: true,
    price: null,
    slippage: BigInt(command.slippagePpm),
    value: wish.size * market.mark * market.K,
  })
}

function twapsOf(naive: Naive, account: Account): Algo[] {
  return naive.algos.filter((algo) => algo.account === account.id && algo.kind === 'twap')
}

function planRefusal(
  naive: Naive,
  command: CommandOf<'PlaceTwap'>,
  account: Account,
  market: Market,
): Rejection | null {
  const client = command.clientOrderId ?? null
  const live = twapsOf(naive, account)
  if (client !== null && live.some((twap) => sameClient(client, twap.client))) {
    return refuse('TWAP_CLIENT_ORDER_ID_IN_USE')
  }
  const { twapSecondsMin, twapSecondsMax, twapsPerMarket } = bookOf(naive).limits
  const seconds = command.durationSeconds
  if (!isIntIn(seconds, twapSecondsMin, twapSecondsMax)) {
    return refuse('TWAP_DURATION', given(seconds), twapSecondsMin, twapSecondsMax)
  }
  const lots = floorDiv(BigInt(command.size), BigInt(slicesIn(seconds)))
  const value = lots * market.mark * market.K
  const { orderValueMin } = market.rules
  if (value < orderValueMin) {
    return refuse('TWAP_SUB_ORDER_AMOUNT', shown(value), shown(orderValueMin))
  }
  if (live.filter((twap) => twap.market === market.id).length >= twapsPerMarket) {
    return refuse('TWAP_LIMIT_REACHED', twapsPerMarket)
  }
  return client === null ? null : checks.badText(client)
}

export function cancelTwap(
  naive: Naive,
  command: CommandOf<'CancelTwap'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const twap = twapsOf(naive, account)
    .filter((one) => one.market === market.id)
    .sort(byId)
    .find((one) => refers(command, one))
  if (!twap) return refuse('TWAP_NOT_FOUND', given(command.order))
  stopAlgo(naive, twap, 'owner')
  return null
}

export function nextSliceAt(twap: Algo): number | null {
  if (twap.done >= twap.slices) return null
  return twap.startMs + limits.twapSliceSeconds * 1_000 * twap.done
}

/** Due work: the next slice. */
export function runSlice(naive: Naive, twap: Algo): void {
  const account = accountOf(naive, twap.account)
  const market = marketOf(naive, twap.market)
  settleFunding(naive, account)
  twap.done += 1
  const lots = sliceLots(naive, twap, account, market)
  if (lots === 0n) emitStepped(naive, twap, { lots, price: 0n, rejection: 0 })
  else runSliceOrder(naive, twap, lots)
  finishSliced(naive, twap)
}

function sliceLots(naive: Naive, twap: Algo, account: Account, market: Market): bigint {
  const slices = BigInt(twap.slices)
  const underWay = twap.live.reduce((sum, order) => sum + order.remaining, 0n)
  const planned = floorDiv(twap.size * BigInt(twap.done), slices) - twap.filled - underWay
  const most = BigInt(bookOf(naive).limits.twapCatchUp) * ceilDiv(twap.size, slices)
  const held = holdingOf(account, market).lots
  const closable = signOf(held) === -signOfSide(twap.side) ? abs(held) : 0n
  const lots = min(planned, most)
  return max(0n, twap.reduceOnly ? min(lots, closable) : lots)
}

function runSliceOrder(naive: Naive, twap: Algo, lots: bigint): void {
  const account = accountOf(naive, twap.account)
  const market = marketOf(naive, twap.market)
  const price = fairLimit(market, twap.side, twap.slippagePpm)
  const { waits, ...wait } = waitOf(naive, market, { tif: 'IOC', side: twap.side, price })
  const draft: checks.Draft = {
    account,
    market,
    side: twap.side,
    price,
    size: lots,
    tif: 'IOC',
    reduceOnly: twap.reduceOnly,
    isMarket: true,
    slippage: twap.slippagePpm,
    stage: 'slice',
    origin: 'algo',
    waits,
    client: null,
    takeProfit: [],
    stopLoss: [],
    expireTime: null,
    agent: twap.agent,
    ...noOptions,
  }
  // The slice is emitted before its order's events, but is known to have run only after its checks.
  const place = naive.events.length
  const entered =
    overRefusal(naive, account, twap.agent) ??
    checks.tradingRefusal(naive, account, market) ??
    enter(naive, draft, { parent: twap.id, ...wait })
  const refused = 'name' in entered
  const later = naive.events.splice(place)
  const rejection = refused ? rejections[entered.name].code : 0
  emitStepped(naive, twap, { lots, price: 0n, rejection })
  naive.events.push(...later)
}
