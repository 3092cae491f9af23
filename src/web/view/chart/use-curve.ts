import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import {
  type CurvePoint,
  profitSince,
  type Range,
  rangeStart,
} from '../../model/portfolio/profit-curve.ts'
import { useTerminal } from '../use-terminal.ts'

const minute = 60_000
const settleMs = 500
const pointsMax = 200

type Curve = Readonly<{ of: string; points: readonly CurvePoint[] }>

/** Profit and equity of the account since the start of a range, requested again each minute and
 *  when the account changes; `null` until they are loaded. */
export function useCurve(range: Range): readonly CurvePoint[] | null {
  const { reader, address, account, markets, streams } = useTerminal()
  const client = reader.value
  const who = address.value
  const happened = account.changes.value
  const time = useComputed(() => Math.floor((markets.price.value?.timestamp ?? 0) / minute)).value
  const known = useSignal<Curve | null>(null)
  const of = `${who} ${range}`
  useEffect(() => {
    let closed = false
    const load = async () => {
      const start = rangeStart(range, streams.engineNow())
      const wish = { account: who!, time_range: range, limit: pointsMax }
      const rows = await client
        .getPortfolio(range === 'all' ? wish : { ...wish, start_time: start })
        // Without an answer the known points stay; the connection light shows it.
        .catch(() => null)
      if (rows === null || closed) return
      const points = rows.map(({ timestamp, account_equity, pnl }) => ({
        ...{ at: timestamp, equity: Number(account_equity), profit: Number(pnl) },
      }))
      known.value = { of, points: profitSince(points, start) }
    }
    if (who === null) known.value = { of, points: [] }
    const wait = known.peek()?.of === of ? settleMs : 0
    const timer = who === null ? undefined : setTimeout(() => void load(), wait)
    return () => {
      closed = true
      clearTimeout(timer)
    }
  }, [client, of, happened, time])
  const curve = known.value
  return useMemo(() => (curve?.of === of ? curve.points : null), [curve, of])
}
