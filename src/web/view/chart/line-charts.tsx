// Funding of the market, and profit and equity of the account over time.

import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { annualRate } from '../../model/market/market-rows.ts'
import { percent, signedUsd, usd } from '../../model/number-text.ts'
import {
  type CurvePoint,
  drawdowns,
  type Range,
  ranges,
} from '../../model/portfolio/profit-curve.ts'
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

type Curve = Readonly<{
  label: string
  title: string
  style: PlotStyle
  of: (points: readonly CurvePoint[]) => readonly PlotPoint[]
}>

const curves = {
  profit: {
    label: 'Profit',
    title: 'Without deposits and withdrawals',
    style: profitStyle,
    of: (points) => points.map(({ at, profit }) => ({ at, value: profit })),
  },
  drawdown: {
    label: 'Drawdown',
    title: 'How far the profit is below its highest value until then',
    style: profitStyle,
    of: (points) => drawdowns(points).map(({ at, amount }) => ({ at, value: -amount })),
  },
  equity: {
    label: 'Equity',
    title: 'With deposits and withdrawals',
    style: { kind: 'line', least: 1, format: usd },
    of: (points) => points.map(({ at, equity }) => ({ at, value: equity })),
  },
} as const satisfies Readonly<Record<string, Curve>>
export type Drawn = keyof typeof curves

/** A curve of the account. */
export function CurvePlot({
  drawn,
  points,
}: {
  drawn: Drawn
  points: readonly CurvePoint[] | null
}) {
  const { label, title, style, of } = curves[drawn]
  const shown = useMemo(() => (points === null ? null : of(points)), [points, of])
  return (
    <Plot
      key={drawn}
      label={`${label}: ${title}`}
      empty="Nothing to draw yet: fund the account and trade"
      points={shown}
      style={style}
    />
  )
}

type DrawnProps = Readonly<{ value: Drawn; onChange: (now: Drawn) => void }>

const drawnOptions = (Object.keys(curves) as Drawn[]).map((value) => ({ value, ...curves[value] }))

export function DrawnChoice({ value, onChange }: DrawnProps) {
  return <Segments label="Curve" value={value} options={drawnOptions} onChange={onChange} />
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
