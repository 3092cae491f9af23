// What algos whose orders rest in the book share: the checks when one is placed, and its order
// (ALGO-1).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse, rejections } from '../../../src/core/commands/rejections.ts'
import { sides } from '../../../src/words/order-words.ts'
import { limitRefusal, overRefusal } from '../accounts/policies.ts'
import { accountOf, findMarket, holdingOf, marketOf, signOfSide } from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import { editTo, shapeRefusal } from '../orders/cancels.ts'
import { stopAlgo } from '../orders/endings.ts'
import { timeRefusal } from '../orders/expiry.ts'
import { noOptions } from '../orders/options.ts'
import * as checks from '../orders/order-checks.ts'
import { enter } from '../orders/orders.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Algo, Market, Naive, Order } from '../state.ts'
import { asBytes, given, max, min } from '../units/numbers.ts'
import { emitAlgoPlaced, emitStepped } from './algo-events.ts'

type Place = CommandOf<'PlaceIceberg' | 'PlaceChase'>

/** What the kinds differ in when one is placed. */
type Kind = Readonly<{
  kind: Algo['kind']
  /** Lots of an order of it. */
  shown: unknown
  display: bigint
  expireTime: number | null
  /** The last moment that it may name. */
  latest: number | null
  /** What it asks of its own numbers, once its size is good. */
  own: () => Rejection | null
  /** The same, in place of the check for too many of them. */
  tooMany: () => Rejection | null
}>

export function placeResting(
  naive: Naive,
  command: Place,
  account: Account,
  kindOf: (market: Market) => Kind,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const kind = kindOf(market)
  const refusal =
    checks.tradingRefusal(naive, account, market) ??
    shapeRefusal(market, command.price, command.size) ??
    kind.own() ??
    (sides.includes(command.side) ? null : refuse('INVALID_ORDER_TYPE')) ??
    timeRefusal(naive, command.expireTime, kind.latest) ??
    partRefusal(naive, command, account, market, BigInt(kind.shown as number)) ??
    policyRefusal(naive, command, account, market) ??
    kind.tooMany() ??
    (command.clientOrderId == null ? null : checks.badText(command.clientOrderId))
  if (refusal) return refusal
  const algo: Algo = {
    id: naive.nextOrder,
    kind: kind.kind,
    account: account.id,
    agent: command.proof?.agent ?? null,
    market: market.id,
    side: command.side,
    size: BigInt(command.size),
    slices: 0,
    done: 0,
    filled: 0n,
    filledValue: 0n,
    reduceOnly: command.reduceOnly === true,
    slippagePpm: 0n,
    startMs: naive.now,
    client: command.clientOrderId ?? null,
    price: BigInt(command.price),
    display: kind.display,
    expireTime: kind.expireTime,
    refusals: 0,
    dueAt: naive.now,
    live: [],
  }
  naive.nextOrder += 1
  naive.algos.push(algo)
  emitAlgoPlaced(naive, algo)
  return null
}

/** The checks of one order of it, but for those that look at the book or at margin. */
function partRefusal(
  naive: Naive,
  command: Place,
  account: Account,
  market: Market,
  size: bigint,
): Rejection | null {
  const draft = draftOf(account, market, {
    ...{ side: command.side, price: BigInt(command.price), size },
    ...{ reduceOnly: command.reduceOnly === true, agent: null, expireTime: null },
    ...{ origin: 'user', stage: 'command' },
  })
  const client = command.clientOrderId ?? null
  const used = client !== null && checks.liveClients(naive, account).includes(asBytes(client))
  return (
    checks.valueRefusal(naive, draft) ??
    checks.bandRefusal(draft) ??
    (used ? refuse('DUPLICATE_CLIENT_ORDER_ID') : null) ??
    checks.reduceOnlyRefusal(account, market, draft)
  )
}

type Given = Pick<
  checks.Draft,
  'side' | 'price' | 'size' | 'reduceOnly' | 'agent' | 'expireTime' | 'origin' | 'stage'
>

function draftOf(account: Account, market: Market, fields: Given): checks.Draft {
  return {
    account,
    market,
    ...fields,
    tif: 'ALO',
    isMarket: false,
    slippage: 0n,
    waits: false,
    client: null,
    takeProfit: [],
    stopLoss: [],
    ...noOptions,
  }
}

/** ACCT-9: the whole of it, worth what it is at mark. */
function policyRefusal(
  naive: Naive,
  command: Place,
  account: Account,
  market: Market,
): Rejection | null {
  const { side, proof } = command
  const wish = { side, size: BigInt(command.size), reduceOnly: command.reduceOnly === true }
  return limitRefusal(naive, account, market, proof?.agent, {
    ...wish,
    takes: false,
    price: BigInt(command.price),
    slippage: null,
    value: wish.size * market.mark * market.K,
  })
}

/** ALGO-1: the maximum of a kind in a market. */
export function crowdRefusal(
  naive: Naive,
  account: Account,
  market: Market,
  kind: Algo['kind'],
): Rejection | null {
  const most = bookOf(naive).limits.algosPerMarket
  const alike = naive.algos.filter((one) => {
    return one.account === account.id && one.market === market.id && one.kind === kind
  })
  return alike.length < most ? null : refuse('LIMIT_REACHED', most)
}

/** These lots, or what there is to close. */
export function lotsOf(naive: Naive, algo: Algo, lots: bigint): bigint {
  if (!algo.reduceOnly) return lots
  const held = holdingOf(accountOf(naive, algo.account), marketOf(naive, algo.market)).lots
  return max(0n, min(lots, -held * signOfSide(algo.side)))
}

/** The step is emitted before its order's events, but is known to be good only after its checks. */
export function placeChild(naive: Naive, algo: Algo, price: bigint, lots: bigint): void {
  const account = accountOf(naive, algo.account)
  const market = marketOf(naive, algo.market)
  const { side, reduceOnly, agent, expireTime } = algo
  const draft = draftOf(account, market, {
    ...{ side, price, size: lots, reduceOnly, agent, expireTime },
    ...{ origin: 'algo', stage: 'slice' },
  })
  const place = naive.events.length
  const entered =
    overRefusal(naive, account, agent) ??
    checks.tradingRefusal(naive, account, market) ??
    shapeRefusal(market, Number(price), Number(lots)) ??
    enter(naive, draft, { parent: algo.id })
  const rejection = 'name' in entered ? rejections[entered.name].code : 0
  const later = naive.events.splice(place)
  algo.done += 1
  emitStepped(naive, algo, { lots, price, rejection })
  naive.events.push(...later)
  finishStep(naive, algo, rejection, algo.live.length > 0 && rejection === 0)
}

/** ORDER-9 for an order of an algo. */
export function moveChild(naive: Naive, algo: Algo, old: Order, price: bigint): void {
  const account = accountOf(naive, algo.account)
  const market = marketOf(naive, algo.market)
  const { agent } = algo
  const lots = lotsOf(naive, algo, algo.size - algo.filled)
  const edit = { account, market, old, price: Number(price), size: Number(lots), agent, algo }
  const place = naive.events.length
  const refused = overRefusal(naive, account, agent) ?? editTo(naive, edit, null)
  const later = naive.events.splice(place)
  if (refused || later.length > 0) {
    algo.done += 1
    const rejection = refused ? rejections[refused.name].code : 0
    emitStepped(naive, algo, { lots, price, rejection })
    naive.events.push(...later)
    finishStep(naive, algo, rejection, !refused)
  } else {
    algo.refusals = 0
  }
}

/** Refusals in a row end it. */
export function finishStep(naive: Naive, algo: Algo, rejection: number, good: boolean): void {
  algo.refusals = good ? 0 : algo.refusals + 1
  if (algo.refusals >= bookOf(naive).limits.algoRefusals) {
    stopAlgo(naive, algo, 'refused', rejection)
  }
}
