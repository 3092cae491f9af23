// Funding of the market, and profit and equity of the account over time.

import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { annualRate } from '../../model/market/market-rows.ts'
import { percent, signedUsd, usd } from '../../model/number-text.ts'
import { type CurvePoint, type Range, ranges } from '../../model/portfolio/profit-curve.ts'
import { Segments } from '../parts/choice.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Plot, type PlotPoint, type PlotStyle } from './plot.tsx'
import { useCurve } from './use-curve.ts'

const hour = 3_600_000
/** Delay in ms, because histories are written shortly after the events. */
const settleMs = 500

/** Of yearly rates, because the rate of an hour is too small to compare. */
const fundingStyle: PlotStyle = {
  kind: 'bars',
  step: hour,
  // Up to this rate bars of all markets have the same scale, and look as small as they are.
  least: 0.2,
  format: (rate) => percent(rate, 1),
  left: { times: 1 / annualRate(1), format: (rate) => percent(rate, 4) },
  legend: (rate) => `${percent(rate / annualRate(1), 5)} an hour, ${percent(rate, 2)} a year`,
}

export function FundingChart() {
  const { visitor, markets } = useTerminal()
  const symbol = markets.symbol.value
  const epoch = useComputed(() => Math.floor((markets.price.value?.timestamp ?? 0) / hour)).value
  const points = useSignal<readonly PlotPoint[] | null>(null)
  useEffect(() => {
    let closed = false
    const load = async () => {
      // If there is no answer, the connection light shows it and the known points stay.
      const page = await visitor.getFundingRates({ symbol, limit: 500 }).catch(() => null)
      if (closed || page === null) return
      points.value = page.rows
        .map((row) => ({ at: row.created_at, value: annualRate(Number(row.funding_rate)) }))
        .toReversed()
    }
    const timer = setTimeout(() => void load(), points.peek() === null ? 0 : settleMs)
    return () => {
      closed = true
      clearTimeout(timer)
    }
  }, [symbol, epoch, visitor])
  useEffect(
    () => () => {
      points.value = null
    },
    [symbol],
  )
  return (
    <Plot
      key={symbol}
      label={`Funding rates of ${symbol} by hour, with the rate of a year`}
      empty="No funding yet: rates are fixed at every full hour"
      points={points.value}
      style={fundingStyle}
    />
  )
}

export const profitStyle: PlotStyle = { kind: 'gain', least: 1, format: signedUsd }
export const equityStyle: PlotStyle = { kind: 'line', least: 1, format: usd }

export type Drawn = 'profit' | 'equity'

/** The curve of the account, as profit without deposits or as equity. */
export function CurvePlot({
  drawn,
  points,
}: {
  drawn: Drawn
  points: readonly CurvePoint[] | null
}) {
  return (
    <Plot
      key={drawn}
      label={drawn === 'profit' ? 'Profit of the account, without deposits' : 'Equity'}
      empty="Nothing to draw yet: fund the account and trade"
      points={points?.map((point) => ({ at: point.at, value: point[drawn] })) ?? null}
      style={drawn === 'profit' ? profitStyle : equityStyle}
    />
  )
}

const drawnOptions = [
  { value: 'profit', label: 'Profit', title: 'Without deposits and withdrawals' },
  { value: 'equity', label: 'Equity' },
] as const

export function DrawnChoice({ value, onChange }: { value: Drawn; onChange: (now: Drawn) => void }) {
  return <Segments label="Drawn" value={value} options={drawnOptions} onChange={onChange} />
}

export function RangeChoice({ value, onChange }: { value: Range; onChange: (now: Range) => void }) {
  return (
    <Segments
      label="Time range"
      value={value}
      options={ranges.map((each) => ({ value: each, label: each }))}
      onChange={onChange}
    />
  )
}

export function EquityChart() {
  const range = useSignal<Range>('1d')
  const drawn = useSignal<Drawn>('profit')
  const points = useCurve(range.value)
  return (
    <div class="with-tools">
      <div class="chart-tools">
        <DrawnChoice
          value={drawn.value}
          onChange={(now) => {
            drawn.value = now
          }}
        />
        <RangeChoice
          value={range.value}
          onChange={(now) => {
            range.value = now
          }}
        />
      </div>
      <div class="chart-body">
        <CurvePlot key={range.value} drawn={drawn.value} points={points} />
      </div>
    </div>
  )
}
