// Funding and equity over time.

import { useComputed, useSignal } from '@preact/signals'
import {
  AreaSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type SeriesType,
} from 'lightweight-charts'
import { useEffect, useRef } from 'preact/hooks'
import type { Terminal } from '../../model/terminal.ts'
import { Segments } from '../parts/choice.tsx'
import { useTerminal } from '../use-terminal.ts'
import { type ChartColours, chartColours, chartTime, layoutOf } from './price-chart.ts'

const hour = 3_600_000
/** Delay in ms, because histories are written shortly after the events. */
const settleMs = 500

type Point = Readonly<{ at: number; value: number }>

type PlotProps = Readonly<{
  label: string
  empty: string
  /** Loads the points. A different request must have a different `key`. */
  load: () => Promise<readonly Point[]>
  /** The points are requested again when this changes. */
  news: number
  bars: boolean
  format: (value: number) => string
}>

/** Makes times strictly rising, as the drawing library requires. Of two points in the same second
 *  the later is kept. */
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

type Drawn = Readonly<{ chart: IChartApi; series: ISeriesApi<SeriesType>; colours: ChartColours }>

function draw(box: HTMLElement, bars: boolean, format: (value: number) => string): Drawn {
  const colours = chartColours()
  const chart = createChart(box, { autoSize: true, ...layoutOf(colours) })
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
  return { chart, series: series as ISeriesApi<SeriesType>, colours }
}

function Plot({ label, empty, load, news, bars, format }: PlotProps) {
  const { preferences } = useTerminal()
  const { theme, colours: palette } = preferences.now.value
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn | null>(null)
  const known = useSignal<readonly Point[] | null>(null)
  const show = () => {
    if (drawn.current === null || known.peek() === null) return
    fill(drawn.current.series, known.peek()!, drawn.current.colours)
  }
  useEffect(() => {
    drawn.current = draw(box.current!, bars, format)
    show()
    drawn.current.chart.timeScale().fitContent()
    return () => {
      drawn.current?.chart.remove()
      drawn.current = null
    }
  }, [bars, theme, palette])
  useEffect(() => {
    let closed = false
    const ask = async () => {
      // If there is no answer, the connection light shows it and the known points stay.
      const points = await load().catch(() => known.peek() ?? [])
      if (closed) return
      const first = (known.peek() ?? []).length === 0
      known.value = points
      show()
      if (first) drawn.current?.chart.timeScale().fitContent()
    }
    const timer = setTimeout(() => void ask(), known.peek() === null ? 0 : settleMs)
    return () => {
      closed = true
      clearTimeout(timer)
    }
  }, [news])
  const none = known.value?.length === 0
  return (
    <>
      <div class="chart-canvas" ref={box} role="img" aria-label={label} />
      {none && <div class="chart-note">{empty}</div>}
    </>
  )
}

export function FundingChart() {
  const { visitor, markets } = useTerminal()
  const symbol = markets.symbol.value
  const epoch = useComputed(() => Math.floor((markets.price.value?.timestamp ?? 0) / hour))
  return (
    <Plot
      label={`Funding rates of ${symbol}, percent an hour`}
      empty="No funding yet: rates are fixed at every full hour"
      bars
      key={symbol}
      news={epoch.value}
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
        news={terminal.account.changes.value}
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
