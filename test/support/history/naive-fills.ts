// A second implementation of the fills of a trade, from ORDER-6 and the description of the event.

import type { EventOf } from '../../../src/core/events/event-fields.ts'
import type { FillPart } from '../../../src/core/events/fills-of.ts'

export function withoutMoney(event: EventOf<'Filled'>) {
  const { type, positionLots, positionCost, balance, wallet, openInterest, ...fill } = event
  void [type, positionLots, positionCost, balance, wallet, openInterest]
  return fill
}

/** ORDER-6: the taker's records, then the maker's; of each what it closed, then what it opened. */
export function partsOf(trade: EventOf<'Traded'>): FillPart[] {
  const { market, price, cause, lots, value, history } = trade
  const { takerOrder, taker, makerOrder, maker } = trade
  const shared = { market, price, cause }
  const parts: Omit<FillPart, 'history'>[] = []
  for (const role of ['taker', 'maker'] as const) {
    const buys = (trade.side === 'bid') === (role === 'taker')
    const one = { account: taker, counterparty: maker, order: takerOrder }
    const other = { account: maker, counterparty: taker, order: makerOrder }
    const side = { ...shared, role, ...(role === 'taker' ? one : other) }
    const closed = trade[`${role}Closed`]
    const closedValue = (value / lots) * closed
    const closedCost = trade[`${role}ClosedCost`]
    const gained = trade[`${role}Gained`]
    const force = role === 'taker' && cause === 'market_liquidation' ? 'force_' : ''
    // What was paid for it, or got, less what it had cost, is what it brought before the fee.
    const closedFee = (buys ? -closedValue : closedValue) - closedCost - gained
    if (closed > 0)
      parts.push({
        ...{ ...side, kind: `${force}close_${buys ? 'short' : 'long'}`, lots: closed },
        ...{ value: closedValue, fee: closedFee, pnl: gained },
        ...{ entryCost: closedCost, entryLots: buys ? -closed : closed },
      })
    const openedFee = trade[`${role}Fee`] - (closed > 0 ? closedFee : 0)
    if (closed < lots)
      parts.push({
        ...{ ...side, kind: `open_${buys ? 'long' : 'short'}`, lots: lots - closed },
        ...{ value: value - closedValue, fee: openedFee, pnl: 0 - openedFee },
        ...{ entryCost: trade[`${role}Cost`], entryLots: trade[`${role}Lots`] },
      })
  }
  return parts.map((part, index) => ({ history: history + index, ...part }))
}
