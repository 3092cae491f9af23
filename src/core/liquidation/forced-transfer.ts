// Lots that change hands outside the book: takeover, deleveraging (LIQ-4, LIQ-6). No fee on either
// side.

import type { EventLog } from '../events/event-log.ts'
import type { Market } from '../markets/market.ts'
import { Fill, MAKER, settleFill, TAKER } from '../matching/fill.ts'
import { followPosition } from '../orders/follow-position.ts'
import type { State } from '../state/state.ts'

export type ForcedTransfer = Readonly<{
  market: Market
  /** The row that loses its lots, and the one that takes the other side. */
  from: number
  to: number
  lots: number
  /** Ticks, or 0 when only the value is known. */
  price: number
  value: number
  cause: number
  /** The counterparty is closed against its will too. */
  forcedBoth: boolean
}>

const fill = new Fill()

export function transferByForce(state: State, log: EventLog, transfer: ForcedTransfer): void {
  const { positions } = state
  const { market, from, to } = transfer
  const before = positions.lots[from]!
  const otherBefore = positions.lots[to]!
  const sign = before > 0 ? -1 : 1
  fill.lots = transfer.lots
  fill.price = transfer.price
  fill.value = transfer.value
  fill.cause = transfer.cause
  fill.order = 0
  fill.feePpm = 0
  fill.feeToFund = false
  fill.keepShare = true
  fill.role = TAKER
  fill.forced = true
  fill.counterparty = positions.account[to]!
  settleFill(state, log, market, from, sign, fill)
  fill.role = MAKER
  fill.forced = transfer.forcedBoth
  fill.counterparty = positions.account[from]!
  settleFill(state, log, market, to, -sign, fill)
  followPosition(state, log, from, before)
  followPosition(state, log, to, otherBefore)
}
