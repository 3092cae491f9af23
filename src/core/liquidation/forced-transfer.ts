// Transfers lots outside the book: takeover, deleveraging (LIQ-4, LIQ-6). Neither side pays a fee.

import { broken } from '../../units/invariant.ts'
import type { EventOf } from '../events/event-fields.ts'
import type { EventLog } from '../events/event-log.ts'
import { Fill, SHARE_STAYS, WALLET_STAYS } from '../margin/fill.ts'
import { logFills } from '../matching/log-fills.ts'
import { sendHome, settleFill } from '../matching/settle-fill.ts'
import { followPosition } from '../orders/follow-position.ts'
import { addToScope, scopeOfRow } from '../solvency/scope.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

export type ForcedTransfer = Readonly<{
  market: Market
  /** The row that loses its lots, and the row that takes the other side. */
  from: number
  to: number
  lots: number
  /** Price in ticks, or 0 if only the value is known. */
  price: number
  value: number
  /** A deleveraging also closes the counterparty against its will. */
  cause: Extract<EventOf<'Filled'>['cause'], 'backstop_liquidation' | 'deleverage'>
}>

/** A separate instance, so its fee is always 0. */
const fill = new Fill()

/** The caller must then call `payMargin`, even with 0, because only that empties the wallet of a
 *  flat position. */
export function transferByForce(state: State, log: EventLog, transfer: ForcedTransfer): void {
  const { positions } = state
  const { market, from, to } = transfer
  const before = positions.lots[from]!
  const otherBefore = positions.lots[to]!
  const sign = before > 0 ? -1 : 1
  checkTransfer(transfer, before, otherBefore)
  fill.lots = transfer.lots
  fill.price = transfer.price
  fill.value = transfer.value
  const { cause } = transfer
  fill.wallets = WALLET_STAYS
  settleFill(state, log, market, from, sign, fill)
  logFills(state, log, market, from, sign, fill, {
    counterparty: positions.account[to]!,
    role: 'taker',
    cause,
    forced: true,
  })
  fill.wallets = SHARE_STAYS
  settleFill(state, log, market, to, -sign, fill)
  logFills(state, log, market, to, -sign, fill, {
    counterparty: positions.account[from]!,
    role: 'maker',
    cause,
    forced: cause === 'deleverage',
  })
  followPosition(state, log, from, before)
  followPosition(state, log, to, otherBefore)
}

/** Runs before the first write: checks that the position has these lots and that another position
 *  takes them. */
function checkTransfer(
  { from, to, lots, value, cause }: ForcedTransfer,
  before: number,
  otherBefore: number,
): void {
  if (from === to) broken('a position is transferred to itself, row', from)
  if (!(lots > 0)) broken('a forced transfer moves no lots, but', lots)
  if (!(lots <= Math.abs(before))) broken('a forced transfer moves more lots than there are', lots)
  if (!(value >= 0)) broken('a forced transfer has a value below zero', value)
  if (cause === 'deleverage' && !(before * otherBefore < 0))
    broken('a position is deleveraged against its own side, lots', otherBefore)
}

/** Pays the margin of a takeover from the row (LIQ-4). If an isolated position is closed, the
 *  remainder of its wallet goes to the balance. */
export function payMargin(state: State, row: number, margin: number): void {
  const { positions } = state
  if (!(margin >= 0)) broken('a takeover costs less than nothing', margin)
  addToScope(state, scopeOfRow(state, row), -margin)
  if (positions.isolated[row] === 1 && positions.lots[row] === 0) sendHome(state, row)
}
