// Funding and equity over time.

import { useSignal } from '@preact/signals'
import {
  AreaSeries,
  createChart,
  HistogramSeries,
  type ISeriesApi,
  type SeriesType,
} from 'lightweight-charts'
import { useEffect, useRef } from 'preact/hooks'
import type { Terminal } from '../../model/terminal.ts'
import { Segments } from '../parts/choice.tsx'
import { useTerminal } from '../use-terminal.ts'
import { type ChartColours, chartColours, chartTime, layoutOf } from './price-chart.ts'

type Point = Readonly<{ at: number; value: number }>

type PlotProps = Readonly<{
  label: string
  empty: string
  /** Asked once: another question is another `key`. */
  load: () => Promise<readonly Point[]>
  bars: boolean
  format: (value: number) => string
}>

/** Times strictly rising, as the drawing library wants them; of two in a second the later stays. */
function rising(points: readonly Point[]): readonly Point[] {
  const bySecond = new Map(points.map((point) => [Math.floor(point.at / 1_000), point]))
  return [...bySecond.values()].sort((a, b) => a.at - b.at)
}

function fill(series: ISeriesApi<SeriesType>, points: readonly Point[], colours: ChartColours) {
  series.setData(
    rising(points).map(({ at, value }) => ({
      time: chartTime(at),
      value,
      ...(series.seriesType() === 'Histogram' && { color: value >= 0 ? colours.up : colours.down }),
    })),
  )
}

function Plot({ label, empty, load, bars, format }: PlotProps) {
  const { preferences } = useTerminal()
  const { theme, colours: palette } = preferences.now.value
  const box = useRef<HTMLDivElement>(null)
  const none = useSignal(false)
  useEffect(() => {
    const colours = chartColours()
    const chart = createChart(box.current!, { autoSize: true, ...layoutOf(colours) })
    const priceFormat = { type: 'custom', formatter: format, minMove: bars ? 1e-7 : 0.01 } as const
    const series = bars
      ? chart.addSeries(HistogramSeries, { priceFormat })
      : chart.addSeries(AreaSeries, {
          priceFormat,
          lineColor: colours.accent,
          topColor: `${colours.accent}55`,
          bottomColor: `${colours.accent}05`,
          lineWidth: 2,
        })
    let closed = false
    load().then(
      (points) => {
        if (closed) return
        none.value = points.length === 0
        fill(series as ISeriesApi<SeriesType>, points, colours)
        chart.timeScale().fitContent()
      },
      () => {
        // The connection light says that there is no answer; here there is nothing to draw.
        none.value = true
      },
    )
    return () => {
      closed = true
      chart.remove()
    }
  }, [bars, theme, palette])
  return (
    <>
      <div class="chart-canvas" ref={box} role="img" aria-label={label} />
      {none.value && <div class="chart-note">{empty}</div>}
    </>
  )
}

export function FundingChart() {
  const { visitor, markets } = useTerminal()
  const symbol = markets.symbol.value
  return (
    <Plot
      label={`Funding rates of ${symbol}, percent an hour`}
      empty="No funding yet: rates are fixed at every full hour"
      bars
      key={symbol}
      format={(value) => `${(Math.round(value * 1e5) / 1e5).toString()}%`}
      load={async () => {
        const { rows } = await visitor.getFundingRates({ symbol, limit: 500 })
        return rows.map((row) => ({ at: row.created_at, value: Number(row.funding_rate) * 100 }))
      }}
    />
  )
}

const ranges = ['1d', '7d', '30d', 'all'] as const
type Range = (typeof ranges)[number]

async function equity({ reader, address }: Terminal, time_range: Range): Promise<Point[]> {
  const account = address.peek()
  if (account === null) return []
  const points = await reader.peek().getPortfolio({ account, time_range, limit: 200 })
  return points.map((point) => ({ at: point.timestamp, value: Number(point.account_equity) }))
}

export function EquityChart() {
  const terminal = useTerminal()
  const range = useSignal<Range>('1d')
  return (
    <>
      <Plot
        label="Equity of the account"
        empty="Nothing to draw yet"
        bars={false}
        key={`${terminal.address.value} ${range.value}`}
        format={(value) => `${Math.round(value * 100) / 100}`}
        load={() => equity(terminal, range.value)}
      />
      <div style={{ position: 'absolute', top: '6px', left: '8px', zIndex: 3 }}>
        <Segments
          label="Time range"
          value={range.value}
          options={ranges.map((value) => ({ value, label: value }))}
          onChange={(next) => {
            range.value = next
          }}
        />
      </div>
    </>
  )
}
