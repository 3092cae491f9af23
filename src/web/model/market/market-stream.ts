// Follows the selected market.

import { computed, effect } from '@preact/signals'
import type { Book, Level as WireLevel } from '../../../client/stream/book.ts'
import type { Gap } from '../../../client/stream/frames.ts'
import type { Stream } from '../../../client/stream/stream.ts'
import type { Desk } from '../desk.ts'
import type { Level } from './book-rows.ts'
import { type TapeRow, tapeRow } from './tape.ts'

type Parts = Pick<Desk, 'live' | 'markets' | 'preferences' | 'streams' | 'visitor'>

/** Maximum levels per side, enough to fill a screen with the coarsest grouping. */
const levelsMax = 400

const levelsOf = (side: readonly WireLevel[]): Level[] =>
  side.slice(0, levelsMax).map(({ p, a }) => ({ price: Number(p), size: Number(a) }))

export function followMarket(desk: Parts, stream: Stream): void {
  const { markets, preferences, live } = desk
  const interval = computed(() => preferences.now.value.interval)
  const kind = computed(() => preferences.now.value.candles)
  const listed = computed(() => markets.market.value?.symbol)
  const nothing = () => undefined
  effect(() => (listed.value ? followBook(desk, stream, listed.value) : nothing))
  effect(() => (listed.value ? followTrades(desk, stream, listed.value) : nothing))
  effect(() => {
    const symbol = listed.value
    if (symbol === undefined) return nothing
    const source = kind.value === 'trade' ? 'candle' : 'mark_price_candle'
    const load = () =>
      // Without an answer the chart stays unchanged, and the connection light shows the cause.
      live.candles
        .open(kind.peek(), symbol, interval.peek(), desk.streams.engineNow())
        .catch(() => undefined)
    void load()
    const candles = stream.subscribe(
      source,
      { symbol, interval: interval.value },
      {
        // The candle channel does not report gaps. Missed candles are requested after an
        // interruption, and when a sandbox's clock has jumped.
        frame: ({ data, begins }) => {
          const last = live.candles.rows.at(-1)
          if (last !== undefined && (begins || data.t > last.T)) void load()
          live.candles.update(data, kind.peek())
        },
        gap: ({ reason }) => {
          if (reason === 'reverted') live.candles.forget()
          void load()
        },
      },
    )
    return () => candles.close()
  })
}

function followBook({ live, streams }: Parts, stream: Stream, symbol: string): () => void {
  live.publishBook([], [])
  let broken = false
  // Levels are converted to numbers when they are drawn, instead of fifty times per second.
  const changed = (book: Book) => {
    live.repairing.value = false
    if (broken) streams.repairs.value = streams.repairs.peek() + 1
    broken = false
    live.scheduleBook(() => [levelsOf(book.bids), levelsOf(book.asks)])
  }
  const gap = ({ reason }: Gap) => {
    live.publishBroken()
    broken = reason !== 'reverted'
  }
  const book = stream.book(symbol, { changed, gap })
  return () => book.close()
}

function followTrades({ live, visitor }: Parts, stream: Stream, symbol: string): () => void {
  const { tape } = live
  let current = true
  tape.clear()
  const load = async () => {
    const { rows } = await visitor.getTrades({ symbol, limit: 60 })
    if (current) tape.add(rows.toReversed().map(pastRow))
  }
  // If loading fails, the tape begins with the next trade.
  const quietly = () => load().catch(() => undefined)
  void quietly()
  const trades = stream.subscribe(
    'trades',
    { symbol },
    {
      frame: ({ data }) => tape.add(data.map(tapeRow)),
      gap: ({ reason }) => {
        if (reason === 'reverted') tape.clear()
        void quietly()
      },
    },
  )
  return () => {
    current = false
    trades.close()
  }
}

type PastTrade = Readonly<{
  history_id: number
  price: string
  amount: string
  side: string
  cause: string
  created_at: number
}>

function pastRow({ history_id, price, amount, side, cause, created_at }: PastTrade): TapeRow {
  const buys = side === 'open_long' || side === 'close_short'
  return { id: history_id, price, size: amount, buys, at: created_at, forced: cause !== 'normal' }
}
