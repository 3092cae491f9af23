// Lots that change hands outside the book: takeover, deleveraging (LIQ-4, LIQ-6). No fee on either
// side.

import type { EventOf } from '../events/event-fields.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Market } from '../markets/market.ts'
import { Fill, SHARE_STAYS, settleFill, WALLET_STAYS } from '../matching/fill.ts'
import { tellFilled } from '../matching/tell-filled.ts'
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
  /** A deleveraging closes the counterparty against its will too; a takeover takes the margin. */
  cause: Extract<EventOf<'Filled'>['cause'], 'backstop_liquidation' | 'deleverage'>
}>

/** Its own, so nothing ever sets a fee in it. */
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
  const { cause } = transfer
  const isTakeover = cause === 'backstop_liquidation'
  fill.wallets = isTakeover ? WALLET_STAYS : SHARE_STAYS
  settleFill(state, log, market, from, sign, fill)
  tellFilled(state, log, market, from, sign, fill, {
    counterparty: positions.account[to]!,
    role: 'taker',
    cause,
    forced: true,
  })
  settleFill(state, log, market, to, -sign, fill)
  tellFilled(state, log, market, to, -sign, fill, {
    counterparty: positions.account[from]!,
    role: 'maker',
    cause,
    forced: !isTakeover,
  })
  followPosition(state, log, from, before)
  followPosition(state, log, to, otherBefore)
}
