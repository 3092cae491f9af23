// The algo kind `chase`: its order stays at the best price as a maker, never beyond a bound
// (ALGO-2).

import { marketAdmissionRefusal } from '../admission/admit.ts'
import type { PlaceChase } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { type Asking, askingOf } from '../margin/position-row.ts'
import { countedPrice } from '../prices/impact-price.ts'
import { trades } from '../prices/trading.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { closableOf } from './algo-draft.ts'
import { algosOf, beginAlgo, endAlgo, planStep } from './algo-life.ts'
import { restingRefusal } from './check-algo.ts'
import { moveChild, placeChild, settle } from './child-order.ts'

export function placeChase(state: State, log: EventLog, command: PlaceChase): Rejection | null {
  const { price, expireTime } = command
  const refusal =
    marketAdmissionRefusal(state, log, command, 'trade') ??
    chaseRefusal(state, command, askingOf(state, command))
  if (refusal !== null) return refusal
  beginAlgo(state, log, command, 'chase', { price, expireTime: expireTime ?? latestEnd(state) })
  return null
}

/** The account and the market exist. */
export function chaseRefusal(state: State, command: PlaceChase, by: Asking): Rejection | null {
  return restingRefusal(state, command, by, {
    kind: 'chase',
    lots: command.size,
    latest: latestEnd(state),
    crowdRefusal: () => ownerRefusal(state.exchange, command.account),
  })
}

function latestEnd({ atMs, rules }: State): number {
  return atMs + rules.limits.chaseMsMax
}

/** Chases may move every second, so their number per owner is limited across all accounts of the
 *  owner. */
function ownerRefusal(state: State, account: number): Rejection | null {
  const { accounts, rules } = state
  const owner = accounts.main[account]!
  const { chasesPerOwner } = rules.limits
  let count = 0
  for (const member of [owner, ...accounts.records[owner]!.subaccounts])
    count += algosOf(state, member).filter(({ kind }) => kind === 'chase').length
  return count >= chasesPerOwner ? refuse('LIMIT_REACHED', chasesPerOwner) : null
}

/** Places the order of a chase, or moves it to its target price. */
export function follow(state: State, log: EventLog, algo: Algo): void {
  planStep(state, algo, state.commandAtMs + state.rules.limits.chaseStepMs)
  if (!trades(state, state.markets[algo.market]!)) return
  const [child] = algo.orders
  const stands = child === undefined ? null : state.orders.price(state.orders.slotOf(child))
  const target = targetOf(state, algo, stands)
  if (target === stands) return settle(algo)
  settleFunding(state, log, algo.account)
  const lots = closableOf(state, algo, algo.size - algo.filled)
  if (stands !== null) moveChild(state, log, algo, target, lots)
  else if (lots !== 0) placeChild(state, log, algo, target, lots)
  else endAlgo(state, log, algo, 'finished')
}

/** `stands`: the price of its order, or `null`. The order stays there while no other order has a
 *  better price. */
function targetOf(state: State, algo: Algo, stands: number | null): number {
  const { account, market: id, side, price } = algo
  const market = state.markets[id]!
  const [own, other] = side === 0 ? [market.bids, market.asks] : [market.asks, market.bids]
  const { chaseLook } = state.rules.limits
  const lead = countedPrice(state, market, own, state.accounts.main[account]!, chaseLook)
  if (lead === 0 && stands !== null) return stands
  const sign = side === 0 ? 1 : -1
  let target = price
  if (lead !== 0 && (lead - target) * sign < 0) target = lead
  const nearest = other.bestPrice - sign
  if (other.bestPrice !== 0 && (nearest - target) * sign < 0) target = nearest
  return target
}
