// The index prices of the last 24 hours of every market, requested once an hour.

import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useTerminal } from '../use-terminal.ts'

const hour = 3_600_000
/** Quarters of an hour in a day. */
export const quarters = 96
/** Requests at a time, so that a long list of markets is not a burst. */
const together = 4

export type PriceLines = ReadonlyMap<string, readonly number[]>

export function usePriceLines(): PriceLines {
  const { markets, visitor } = useTerminal()
  const lines = useSignal<PriceLines>(new Map())
  const symbols = useComputed(() => markets.list.value.map(({ symbol }) => symbol).join(' '))
  const epoch = useComputed(() => Math.floor((markets.price.value?.timestamp ?? 0) / hour))
  const [names, at] = [symbols.value, epoch.value]
  useEffect(() => {
    let closed = false
    const waiting = names.split(' ').filter((name) => name !== '')
    const loadNext = async (): Promise<void> => {
      const symbol = waiting.shift()
      if (symbol === undefined || closed) return
      const page = await visitor
        .getIndexPriceHistory({ symbol, interval: '15m', limit: quarters })
        // Without an answer the market has no line; the next hour asks again.
        .catch(() => null)
      if (page !== null && !closed) {
        const values = page.rows.map(({ index_price }) => Number(index_price)).toReversed()
        lines.value = new Map(lines.peek()).set(symbol, values)
      }
      return loadNext()
    }
    for (let at = 0; at < together; at++) void loadNext()
    return () => {
      closed = true
    }
  }, [names, at, visitor])
  return lines.value
}
