// Channels that cover all markets at once: prices, and what may be done in each.

import type { MarketStatus, Mode, PriceState } from '../../core/index.ts'
import { declared } from '../../protocol/streams/channels.ts'
import type { MarketPublisher } from '../markets/market-publisher.ts'
import { pricesRow } from '../markets/prices-row.ts'
import { Throttle } from '../markets/throttle.ts'
import type { Payload } from '../topic.ts'
import { type MarketParts, marketChannel } from './channel.ts'

const pricesPeriodMs = 250

export const marketChannels = {
  /** All rows each time. */
  prices: marketChannel(declared.prices, ({ context }) => {
    const snapshot = () => {
      const rows = context.view.markets
        .all()
        .filter(({ status }) => status !== 'settled')
        .map((market) => pricesRow(context, market))
      return { data: JSON.stringify(rows), li: context.seq() }
    }
    const throttle = new Throttle(pricesPeriodMs, snapshot)
    const changed = () => throttle.mark()
    return { snapshot, bookChanged: changed, marked: changed, throttle }
  }),

  marketStatus: marketChannel(declared.marketStatus, statusChanges),
}

type Told = Readonly<{ status: MarketStatus; mode: Mode; priceState: PriceState }>

/** Markets whose status, mode, or the state of whose price, is another one than before. */
function statusChanges({ topic, context }: MarketParts): MarketPublisher {
  const statuses = () =>
    new Map<string, Told>(
      context.view.markets
        .all()
        .map(({ params, status, mode, priceState }) => [
          params.symbol,
          { status, mode, priceState },
        ]),
    )
  let known = statuses()
  let mayDiffer = false
  const tellChanges = (tell: (payload: Payload) => void) => {
    const before = known
    known = statuses()
    const timestamp = context.view.atMs
    const rows = [...known]
      .filter(([symbol, now]) => differs(before.get(symbol), now))
      .map(([symbol, { status, mode, priceState }]) => ({
        ...{ symbol, status, mode, price_state: priceState, timestamp },
      }))
    if (rows.length > 0) tell({ data: JSON.stringify(rows), li: context.seq() })
  }
  const noteChange = () => {
    mayDiffer = true
  }
  return {
    snapshot: () => null,
    events: {
      MarkUpdated: noteChange,
      FeedHealthChanged: noteChange,
      MarketModeSet: noteChange,
      ExchangeModeSet: noteChange,
      MarketSettled: noteChange,
      MarketListed: noteChange,
      EngineStarted: noteChange,
    },
    batchEnded() {
      if (mayDiffer) tellChanges((payload) => topic.queue(payload))
      mayDiffer = false
    },
    // At once: what is queued is of the time before.
    reverted: () => tellChanges((payload) => topic.send(payload)),
  }
}

function differs(last: Told | undefined, now: Told): boolean {
  return last?.status !== now.status || last.mode !== now.mode || last.priceState !== now.priceState
}
