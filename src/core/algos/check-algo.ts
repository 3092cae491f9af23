// Checks an algo with resting orders when it is placed (ALGO-1).

import type { AlgoKind } from '../../words/order-words.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { PlaceChase, PlaceIceberg } from '../commands/commands.ts'
import { amountRefusal, type Rejection, refuse } from '../commands/rejections.ts'
import { Draft, sideOf } from '../drafts/draft.ts'
import { ALO } from '../drafts/times-in-force.ts'
import type { Asking } from '../margin/position-row.ts'
import { plannedOrderRefusal, shapeRefusal } from '../orders/check-order.ts'
import { plannedRefusal } from '../policies/check-policy.ts'
import { priceRefusal } from '../prices/order-prices.ts'
import { trades } from '../prices/trading.ts'
import type { State } from '../state/state.ts'
import { timeRefusal } from '../timing/expiry.ts'
import { algosOf } from './algo-life.ts'

type Resting = PlaceIceberg | PlaceChase

/** The properties in which the kinds differ when an algo is placed. */
type Kind = Readonly<{
  kind: AlgoKind
  /** Size of one of its orders. */
  lots: number
  /** The latest permitted end, or `null` for no limit. */
  latest: number | null
  /** Checks that only this kind has: its own fields, and its limit on the number of algos. */
  numbersRefusal?: () => Rejection | null
  crowdRefusal?: () => Rejection | null
}>

const draft = new Draft()

/** Checks one order of the algo at its price, as far as the checks do not depend on the current
 *  book and margin. */
export function restingRefusal(
  state: State,
  command: Resting,
  by: Asking,
  kind: Kind,
): Rejection | null {
  const { account, clientOrderId } = command
  const market = state.markets[command.market]!
  if (!trades(state, market) || state.exchange.accounts.frozen[account] === 1)
    return refuse('TRADING_DISABLED')
  return (
    priceRefusal(market, command.price) ??
    amountRefusal(command.size, Number.MAX_SAFE_INTEGER) ??
    kind.numbersRefusal?.() ??
    orderRefusal(state, command, by, kind) ??
    limitRefusal(state, command, by) ??
    countRefusal(state.exchange, command, kind.kind) ??
    kind.crowdRefusal?.() ??
    textRefusal(clientOrderId)
  )
}

function orderRefusal(
  state: State,
  command: Resting,
  by: Asking,
  { lots, latest }: Kind,
): Rejection | null {
  const market = state.markets[command.market]!
  draft.market = market
  draft.account = command.account
  draft.row = by.row()
  draft.side = sideOf(command.side)
  draft.sign = draft.side === 0 ? 1 : -1
  draft.price = command.price
  draft.size = lots
  draft.tif = ALO
  draft.reduceOnly = command.reduceOnly
  draft.clientOrderId = command.clientOrderId
  return (
    shapeRefusal(state, draft) ??
    timeRefusal(state, command.expireTime ?? null, latest) ??
    plannedOrderRefusal(state, draft)
  )
}

/** Checks the size of the whole algo against the policy of the key, if the key has one. */
function limitRefusal(state: State, command: Resting, by: Asking): Rejection | null {
  const { account, side, size, price, reduceOnly } = command
  const market = state.markets[command.market]!
  const wish = { agent: by.agent, account, market, row: by.row(), side, size, price, reduceOnly }
  return plannedRefusal(state, { ...wish, slippagePpm: 0, takes: false })
}

function countRefusal(state: State, command: Resting, kind: AlgoKind): Rejection | null {
  const { account, market } = command
  const { algosPerMarket } = state.rules.limits
  const alike = algosOf(state, account).filter(
    (algo) => algo.kind === kind && algo.market === market,
  )
  return alike.length >= algosPerMarket ? refuse('LIMIT_REACHED', algosPerMarket) : null
}
