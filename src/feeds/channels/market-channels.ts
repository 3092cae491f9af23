// Channels that cover all markets: prices, and the status of each.

import type { MarketStatus, MarketView, PriceState } from '../../core/index.ts'
import { declared } from '../../protocol/streams/channels.ts'
import type { Mode } from '../../words/order-words.ts'
import type { MarketPublisher } from '../markets/market-publisher.ts'
import { pricesRow } from '../markets/prices-row.ts'
import { Throttle } from '../markets/throttle.ts'
import type { Payload } from '../topic.ts'
import { type MarketParts, marketChannel } from './channel.ts'

const pricesPeriodMs = 250

export const marketChannels = {
  /** Sends all rows each time. */
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

  checkpoints: marketChannel(declared.checkpoints, ({ topic, context, onPushed }) => {
    const stop = context.onCheckpoint((checkpoint) => {
      // The topic ends with its last reader.
      if (!topic.isRead) return stop()
      topic.send({ data: JSON.stringify(checkpoint), li: context.seq() })
      onPushed()
    })
    return { snapshot: () => null }
  }),
}

type MarketState = Readonly<{
  status: MarketStatus
  mode: Mode
  price_state: PriceState
  tiers_kept_until: number | null
}>

const stateOf = ({ status, mode, priceState, keptTiers }: MarketView): MarketState => ({
  status,
  mode,
  price_state: priceState,
  tiers_kept_until: keptTiers.at(-1)?.until ?? null,
})

/** Markets whose status, mode, price state or kept tiers have changed. */
function statusChanges({ topic, context }: MarketParts): MarketPublisher {
  const statuses = () =>
    new Map(context.view.markets.all().map((market) => [market.params.symbol, stateOf(market)]))
  let known = statuses()
  let mayDiffer = false
  const publishChanges = (publish: (payload: Payload) => void) => {
    const before = known
    known = statuses()
    const timestamp = context.view.atMs
    const rows = [...known]
      .filter(([symbol, now]) => differs(before.get(symbol), now))
      .map(([symbol, now]) => ({ symbol, ...now, timestamp }))
    if (rows.length > 0) publish({ data: JSON.stringify(rows), li: context.seq() })
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
      MarketChanged: noteChange,
      MarketListed: noteChange,
      EngineStarted: noteChange,
    },
    batchEnded() {
      if (mayDiffer) publishChanges((payload) => topic.queue(payload))
      mayDiffer = false
    },
    // Sent immediately, because queued changes are older than the revert.
    reverted: () => publishChanges((payload) => topic.send(payload)),
  }
}

function differs(last: MarketState | undefined, now: MarketState): boolean {
  return (
    last?.status !== now.status ||
    last.mode !== now.mode ||
    last.price_state !== now.price_state ||
    last.tiers_kept_until !== now.tiers_kept_until
  )
}
