// What is asked of the second leg is asked as if the first one stood (TRIG-14): it counts, has its
// client id, and holds its lots.

import { rowOf } from '../accounts/position-row.ts'
import type { PlaceOrder, PlaceStop } from '../commands/commands.ts'
import type { Rejection } from '../commands/rejections.ts'
import { forgetClientId, rememberClientId } from '../orders/client-ids.ts'
import type { State } from '../state/state.ts'
import { settingOf } from '../triggers/place-stop.ts'
import { adoptTrigger, dropTrigger, triggerOf } from '../triggers/trigger-life.ts'

export function withStanding(
  state: State,
  leg: PlaceOrder | PlaceStop,
  check: () => Rejection | null,
): Rejection | null {
  if (leg.type === 'PlaceOrder') return withOrder(state, leg, check)
  // Not armed: it watches no price.
  const setting = { ...settingOf(state, leg), armed: false, expireTime: null }
  const trigger = triggerOf(state, leg.level, setting)
  adoptTrigger(state, trigger)
  const refusal = check()
  dropTrigger(state, trigger)
  return refusal
}

function withOrder(
  state: State,
  { account, market, side, size, reduceOnly, clientOrderId }: PlaceOrder,
  check: () => Rejection | null,
): Rejection | null {
  const { accounts, positions, nextOrderId: id } = state
  const row = rowOf(state, state.markets[market]!, account)
  const open = side === 'bid' ? positions.buys : positions.sells
  const lots = open[row]!
  const count = accounts.openCount[account]!
  if (!reduceOnly) open[row] = lots + size
  accounts.openCount[account] = count + 1
  if (clientOrderId !== null) rememberClientId(state, account, id, clientOrderId)
  const refusal = check()
  if (clientOrderId !== null) forgetClientId(state, account, id)
  accounts.openCount[account] = count
  open[row] = lots
  return refusal
}
