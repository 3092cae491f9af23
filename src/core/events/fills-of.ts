// The fills of a trade, a forced transfer or a settlement: what each side closed, and what it
// opened. History stores them and streams publish them. The log stores a trade as one event.

import type { Event, EventOf } from './event-fields.ts'

/** One side in one direction. `entryCost` ÷ `entryLots` is the entry price: of the position after
 *  an opening part, or of the closed lots for a closing part. `pnl` = realised − fee. */
export type FillPart = Readonly<{
  history: number
  account: number
  counterparty: number
  /** 0 for a forced transfer or a settlement. */
  order: number
  market: number
  kind: EventOf<'Filled'>['kind']
  role: EventOf<'Filled'>['role']
  cause: EventOf<'Filled'>['cause']
  lots: number
  price: number
  value: number
  fee: number
  pnl: number
  entryCost: number
  entryLots: number
}>

type Traded = EventOf<'Traded'>

/** Returns the taker's fills first, and for each side the closing part first. Empty for other
 *  events. */
export function fillsOf(event: Event): readonly FillPart[] {
  if (event.type === 'Traded') return [...takerFillsOf(event), ...makerFillsOf(event)]
  return event.type === 'Filled' ? [fillOf(event)] : []
}

export function fillOf({
  type: _,
  positionLots: __,
  positionCost: ___,
  balance: ____,
  wallet: _____,
  openInterest: ______,
  ...part
}: EventOf<'Filled'>): FillPart {
  return { ...part, order: 0, fee: 0 }
}

export function takerFillsOf(trade: Traded): readonly FillPart[] {
  return partsOf(trade, {
    history: trade.history,
    account: trade.taker,
    counterparty: trade.maker,
    order: trade.takerOrder,
    role: 'taker',
    sign: trade.side === 'bid' ? 1 : -1,
    forced: trade.cause === 'market_liquidation',
    closed: trade.takerClosed,
    closedCost: trade.takerClosedCost,
    gained: trade.takerGained,
    fee: trade.takerFee,
    positionLots: trade.takerLots,
    positionCost: trade.takerCost,
  })
}

export function makerFillsOf(trade: Traded): readonly FillPart[] {
  const { takerClosed, lots } = trade
  const takerFlips = takerClosed > 0 && takerClosed < lots
  return partsOf(trade, {
    history: trade.history + (takerFlips ? 2 : 1),
    account: trade.maker,
    counterparty: trade.taker,
    order: trade.makerOrder,
    role: 'maker',
    sign: trade.side === 'bid' ? -1 : 1,
    forced: false,
    closed: trade.makerClosed,
    closedCost: trade.makerClosedCost,
    gained: trade.makerGained,
    fee: trade.makerFee,
    positionLots: trade.makerLots,
    positionCost: trade.makerCost,
  })
}

/** The trade kind shown on the public tape, taken from the taker's first fill. */
export function takerKindOf(
  trade: Pick<Traded, 'side' | 'cause' | 'takerClosed'>,
): FillPart['kind'] {
  const sign = trade.side === 'bid' ? 1 : -1
  return trade.takerClosed > 0
    ? closingKind(sign, trade.cause === 'market_liquidation')
    : openingKind(sign)
}

const openingKind = (sign: 1 | -1) => (sign > 0 ? 'open_long' : 'open_short')

function closingKind(sign: 1 | -1, forced: boolean): FillPart['kind'] {
  const kind = sign < 0 ? 'close_long' : 'close_short'
  return forced ? `force_${kind}` : kind
}

type Side = Pick<FillPart, 'history' | 'account' | 'counterparty' | 'order' | 'role' | 'fee'> &
  Readonly<{
    sign: 1 | -1
    forced: boolean
    closed: number
    closedCost: number
    gained: number
    positionLots: number
    positionCost: number
  }>

function partsOf(trade: Traded, side: Side): FillPart[] {
  const { market, price, cause } = trade
  const { history, account, counterparty, order, role, sign, closed } = side
  const opened = trade.lots - closed
  // Exact, because a lot has the same value in both parts.
  const lotValue = trade.value / trade.lots
  const closedFee = closed === 0 ? 0 : -sign * closed * lotValue - side.closedCost - side.gained
  const shared = { account, counterparty, order, market, role, cause, price }
  const parts: FillPart[] = []
  if (closed > 0)
    parts.push({
      ...{ history, ...shared, kind: closingKind(sign, side.forced), lots: closed },
      value: closed * lotValue,
      fee: opened === 0 ? side.fee : closedFee,
      pnl: side.gained,
      entryCost: side.closedCost,
      entryLots: -sign * closed,
    })
  if (opened > 0) {
    const fee = side.fee - closedFee
    parts.push({
      ...{ history: history + parts.length, ...shared },
      ...{ kind: openingKind(sign), lots: opened, value: opened * lotValue },
      fee,
      pnl: fee === 0 ? 0 : -fee,
      entryCost: side.positionCost,
      entryLots: side.positionLots,
    })
  }
  return parts
}
