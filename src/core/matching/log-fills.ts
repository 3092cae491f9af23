// Logs one side of a forced transfer or settlement (ORDER-6): an event for the part it closed and
// one for the part it opened. A match logs its sides itself.

import type { EventOf } from '../events/event-fields.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Fill } from '../margin/fill.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

type Filled = EventOf<'Filled'>

export type FilledSide = Pick<Filled, 'counterparty' | 'role' | 'cause'> &
  Readonly<{
    /** The side is closed against its will, which the event records. */
    forced: boolean
  }>

/** Must be called right after the side was settled. */
export function logFills(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  sign: number,
  fill: Fill,
  { forced, ...side }: FilledSide,
): void {
  const { positions } = state
  const { price, closed, balance, wallet } = fill
  const opened = fill.lots - closed
  const lots = positions.lots[row]!
  const cost = positions.cost[row]!
  const account = positions.account[row]!
  const shared = {
    type: 'Filled',
    account,
    ...side,
    market: market.id,
    price,
    balance,
    wallet,
  } as const
  const partValue = (part: number) =>
    part === fill.lots ? fill.value : part * price * market.unitValue
  if (closed > 0) {
    const kind = sign < 0 ? 'close_long' : 'close_short'
    log.write({
      ...shared,
      history: state.nextHistoryId++,
      kind: forced ? `force_${kind}` : kind,
      lots: closed,
      value: partValue(closed),
      pnl: fill.gained,
      entryCost: fill.closedCost,
      entryLots: -sign * closed,
      positionLots: opened > 0 ? 0 : lots,
      positionCost: opened > 0 ? 0 : cost,
      openInterest: market.openInterest - (sign > 0 ? opened : 0),
    })
  }
  if (opened > 0)
    log.write({
      ...shared,
      history: state.nextHistoryId++,
      kind: sign > 0 ? 'open_long' : 'open_short',
      lots: opened,
      value: partValue(opened),
      pnl: 0,
      entryCost: cost,
      entryLots: lots,
      positionLots: lots,
      positionCost: cost,
      openInterest: market.openInterest,
    })
}
