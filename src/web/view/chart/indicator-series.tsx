// Draws the chosen indicators: over the prices, or each in a pane of its own. Loaded when the first
// one is used.

import { HistogramSeries, type ISeriesApi, LineSeries, type SeriesType } from 'lightweight-charts'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Bar } from '../../model/chart/bars.ts'
import { type Indicator, type IndicatorLine, kindOf } from '../../model/chart/indicator-kinds.ts'
import { fixed, NONE } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'
import { chartColours, chartTime, type PriceChart } from './price-chart.ts'

const palette = [
  '#f0b34a',
  '#6ea8ff',
  '#c78bff',
  '#4fd1c5',
  '#ff8f6b',
  '#9ad14f',
  '#f472b6',
  '#a3a3ff',
]

type Drawn = Readonly<{
  lines: readonly IndicatorLine[]
  series: readonly ISeriesApi<SeriesType>[]
}>

const pointAt = ({ values, bars: isBars }: IndicatorLine, bars: readonly Bar[], at: number) => {
  const time = chartTime(bars[at]!.at)
  const value = values[at]
  const { upFaint, downFaint } = chartColours()
  if (value === null || value === undefined) return { time }
  return isBars === true
    ? { time, value, color: value >= 0 ? upFaint : downFaint }
    : { time, value }
}

/** Series of one indicator. */
class Shown {
  private readonly chart: PriceChart
  private readonly indicator: Indicator
  private drawn: Drawn = { lines: [], series: [] }
  private readonly place: Readonly<{ pane: number; colour: number }>

  constructor(chart: PriceChart, indicator: Indicator, place: Shown['place']) {
    this.chart = chart
    this.indicator = indicator
    this.place = place
  }

  private linesOf(bars: readonly Bar[]): readonly IndicatorLine[] {
    return kindOf(this.indicator.kind).lines(bars, this.indicator.inputs)
  }

  set(bars: readonly Bar[]): void {
    const lines = this.linesOf(bars)
    const series = this.drawn.series.length > 0 ? this.drawn.series : lines.map(this.add)
    lines.forEach((line, at) => {
      series[at]!.setData(bars.map((_, index) => pointAt(line, bars, index)))
    })
    this.drawn = { lines, series }
  }

  private readonly add = ({ bars }: IndicatorLine, at: number): ISeriesApi<SeriesType> => {
    const { pane, colour } = this.place
    const quiet = { priceLineVisible: false, lastValueVisible: pane > 0 && bars !== true }
    if (bars === true) return this.chart.chart.addSeries(HistogramSeries, quiet, pane)
    const color = palette[(colour + at) % palette.length]!
    const options = { ...quiet, color, lineWidth: 1 as const, crosshairMarkerVisible: false }
    return this.chart.chart.addSeries(LineSeries, options, pane)
  }

  update(bars: readonly Bar[]): void {
    const lines = this.linesOf(bars)
    lines.forEach((line, at) => {
      this.drawn.series[at]!.update(pointAt(line, bars, bars.length - 1))
    })
    this.drawn = { ...this.drawn, lines }
  }

  /** Such as `SMA 20 100,012`. */
  legend(places: number): readonly Readonly<{ name: string; value: string; colour: string }>[] {
    const digits = this.place.pane > 0 && this.indicator.kind === 'rsi' ? 2 : places
    return this.drawn.lines.map(({ name, values }, at) => ({
      name,
      value: values.at(-1) == null ? NONE : fixed(values.at(-1), digits),
      colour: palette[(this.place.colour + at) % palette.length]!,
    }))
  }

  remove(): void {
    for (const each of this.drawn.series) this.chart.chart.removeSeries(each)
  }
}

/** Heights of the panes: the prices have at least half. */
function shareHeight(chart: PriceChart, panes: number): void {
  chart.chart.panes().forEach((pane, at) => {
    pane.setStretchFactor(at === 0 ? Math.max(3, panes) : 1)
  })
}

export default function Indicators({ chart }: { chart: PriceChart }) {
  const { markets, preferences } = useTerminal()
  const { indicators, theme, colours } = preferences.now.value
  const legend = useRef<HTMLDivElement>(null)
  const shown = useRef<readonly Shown[]>([])
  useLayoutEffect(() => {
    let pane = 0
    shown.current = indicators.map((indicator, colour) => {
      const { overPrices } = kindOf(indicator.kind)
      return new Shown(chart, indicator, { pane: overPrices ? 0 : ++pane, colour })
    })
    const stop = chart.follow({
      reset: (bars) => {
        for (const each of shown.current) each.set(bars)
        write()
      },
      update: (bars) => {
        for (const each of shown.current) each.update(bars)
        write()
      },
    })
    shareHeight(chart, pane)
    return () => {
      stop()
      for (const each of shown.current) each.remove()
    }
  }, [chart, indicators, theme, colours])
  /** The values change with each price, so they are written without rendering the page. */
  const write = () => {
    const { tickPlaces } = markets.grid.peek()
    const texts = shown.current.flatMap((each) => each.legend(tickPlaces))
    const spans = [...(legend.current?.children ?? [])] as HTMLElement[]
    texts.forEach(({ name, value, colour }, at) => {
      const span = spans[at]
      if (span === undefined) return
      span.textContent = `${name} ${value}`
      span.style.color = colour
    })
  }
  useEffect(write)
  return (
    <div class="indicator-legend" ref={legend}>
      {indicators.flatMap(({ kind, inputs }, at) =>
        kindOf(kind)
          .lines([], inputs)
          .map(({ name }) => <span key={`${at} ${name}`}>{name}</span>),
      )}
    </div>
  )
}
