// The candle chart around the drawing library: data in, coordinates out. Lines of orders and
// positions are elements of the page above it (chart-lines.tsx) and are notified of every redraw.

import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type ISeriesPrimitive,
  LineSeries,
  type MouseEventParams,
  PriceScaleMode,
  type SeriesType,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type Bar, barOf, heikinAshi } from '../../model/chart/bars.ts'
import type { FillMark } from '../../model/chart/fill-marks.ts'
import { indexAt, timeAt } from '../../model/chart/time-axis.ts'
import { chartSeconds, isDaily, markText, pointText } from '../../model/market/chart-times.ts'
import { fixed } from '../../model/number-text.ts'
import type { ChartType, Scale } from '../../model/preferences.ts'
import type { Candle } from '../../model/wire.ts'

export type ChartColours = Readonly<{
  text: string
  line: string
  up: string
  down: string
  upFaint: string
  downFaint: string
  accent: string
  font: string
}>

/** Colours of the page's current palette. */
export function chartColours(): ChartColours {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    text: colour('dim'),
    line: colour('line'),
    up: colour('up'),
    down: colour('down'),
    upFaint: colour('up-bg'),
    downFaint: colour('down-bg'),
    accent: colour('accent'),
    font: colour('font'),
  }
}

export function chartTime(ms: number): UTCTimestamp {
  return chartSeconds(ms) as UTCTimestamp
}

/** Layout of a chart. `daily`: its times are whole days. */
export function layoutOf({ text, line, font }: ChartColours, daily = false) {
  return {
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: text,
      fontFamily: font,
      fontSize: 11,
      attributionLogo: false,
      panes: { separatorColor: line, separatorHoverColor: line },
    },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: {
      borderColor: line,
      timeVisible: true,
      secondsVisible: false,
      tickMarkFormatter: (time: Time, kind: TickMarkType) =>
        markText(Number(time), kind < TickMarkType.Time, daily),
    },
    crosshair: { mode: CrosshairMode.Normal },
    // The library formats dates in the machine's locale, which the browser may not support.
    localization: { locale: 'en', timeFormatter: (time: Time) => pointText(Number(time), daily) },
  }
}

type MainSeries = ISeriesApi<SeriesType, Time>

const scaleModes: Readonly<Record<Scale, PriceScaleMode>> = {
  normal: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
}

/** Reads what the chart draws, after every change of the bars. */
export type BarListener = Readonly<{
  reset: (bars: readonly Bar[]) => void
  update: (bars: readonly Bar[]) => void
}>

export class PriceChart {
  readonly chart: IChartApi
  private main: MainSeries
  private type: ChartType = 'candles'
  private marks: ISeriesMarkersPluginApi<Time>
  private shownMarks: readonly FillMark[] = []
  private readonly volume: ISeriesApi<'Histogram'>
  private colours: ChartColours
  private daily = false
  private precision = { places: 2, step: 0.01 }
  private rows: readonly Candle[] = []
  private bars: readonly Bar[] = []
  /** Length of the interval in ms. */
  private length = 60_000
  private readonly byTime = new Map<Time, Candle>()
  private readonly redrawn = new Set<() => void>()
  private readonly listeners = new Set<BarListener>()
  onPoint: (candle: Candle | null) => void = () => undefined
  onPast: () => void = () => undefined

  constructor(box: HTMLElement) {
    this.colours = chartColours()
    this.chart = createChart(box, { autoSize: true, ...layoutOf(this.colours) })
    this.main = this.addMain()
    this.marks = createSeriesMarkers(this.main, [])
    this.volume = this.chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
    this.main.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.2 } })
    this.chart.timeScale().applyOptions({ rightOffset: 6, barSpacing: 7 })
    this.chart.subscribeCrosshairMove((event) => this.point(event))
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < 10) this.onPast()
    })
  }

  private point({ time }: MouseEventParams<Time>): void {
    this.onPoint(time === undefined ? null : (this.byTime.get(time) ?? null))
  }

  /** Calls the function after every redraw. Returns a function that ends this. */
  onRedraw(work: () => void): () => void {
    this.redrawn.add(work)
    return () => this.redrawn.delete(work)
  }

  /** Calls every function that follows redraws. */
  redraw(): void {
    for (const work of this.redrawn) work()
  }

  /** Gives the bars to the listener, now and after every change. */
  follow(listener: BarListener): () => void {
    this.listeners.add(listener)
    listener.reset(this.bars)
    return () => this.listeners.delete(listener)
  }

  private addMain(): MainSeries {
    const { up, down, accent } = this.colours
    const rising = { upColor: up, downColor: down }
    const options = { priceFormat: this.priceFormat() }
    const wicks = { borderVisible: false, wickUpColor: up, wickDownColor: down }
    const add = (): MainSeries => {
      if (this.type === 'bars') return this.chart.addSeries(BarSeries, { ...options, ...rising })
      if (this.type === 'line')
        return this.chart.addSeries(LineSeries, { ...options, color: accent, lineWidth: 2 })
      if (this.type === 'area')
        return this.chart.addSeries(AreaSeries, {
          ...options,
          lineColor: accent,
          topColor: `${accent}55`,
          bottomColor: `${accent}05`,
          lineWidth: 2,
        })
      return this.chart.addSeries(CandlestickSeries, { ...options, ...rising, ...wicks })
    }
    const main = add()
    main.attachPrimitive(redrawHook(() => this.redraw()))
    return main
  }

  private replaceMain(): void {
    const { scaleMargins, mode, autoScale } = this.main.priceScale().options()
    this.marks.detach()
    this.chart.removeSeries(this.main)
    this.main = this.addMain()
    this.main.priceScale().applyOptions({ scaleMargins, mode, autoScale })
    this.marks = createSeriesMarkers(this.main, [])
    this.drawAll()
    this.setMarks(this.shownMarks)
  }

  setType(type: ChartType): void {
    if (type === this.type) return
    this.type = type
    this.replaceMain()
  }

  setScale(scale: Scale, autoScale: boolean): void {
    this.main.priceScale().applyOptions({ mode: scaleModes[scale], autoScale })
  }

  /** Applies the colours after the palette or the theme has changed. */
  paint(): void {
    this.colours = chartColours()
    this.chart.applyOptions(layoutOf(this.colours, this.daily))
    this.replaceMain()
  }

  /** The library knows decimals only, and prices are shown with thousands everywhere else. */
  private priceFormat() {
    const { places, step } = this.precision
    return {
      type: 'custom',
      formatter: (price: number) => fixed(price, places),
      minMove: step,
    } as const
  }

  setPrecision(places: number, step: number): void {
    this.precision = { places, step }
    this.main.applyOptions({ priceFormat: this.priceFormat() })
  }

  set(rows: readonly Candle[], length: number): void {
    const daily = isDaily(rows[0]?.i)
    if (daily !== this.daily) {
      this.daily = daily
      this.chart.applyOptions(layoutOf(this.colours, daily))
    }
    this.length = length
    this.rows = rows
    this.byTime.clear()
    for (const row of rows) this.byTime.set(chartTime(row.t), row)
    this.drawAll()
  }

  private drawAll(): void {
    this.bars = this.rows.map(barOf)
    const shown = this.type === 'heikin' ? heikinAshi(this.bars) : this.bars
    this.main.setData(shown.map((bar) => this.pointOf(bar)))
    this.volume.setData(this.bars.map((bar) => this.volumeOf(bar)))
    for (const { reset } of this.listeners) reset(this.bars)
  }

  /** Draws the newest of the rows again. */
  update(rows: readonly Candle[]): void {
    const row = rows.at(-1)
    if (row === undefined) return
    const bar = barOf(row)
    const known = this.bars.at(-1)?.at === bar.at ? this.bars.slice(0, -1) : this.bars
    this.rows = rows
    this.bars = [...known, bar]
    this.byTime.set(chartTime(row.t), row)
    const shown = this.type === 'heikin' ? heikinAshi(this.bars).at(-1)! : bar
    this.main.update(this.pointOf(shown))
    this.volume.update(this.volumeOf(bar))
    for (const { update } of this.listeners) update(this.bars)
  }

  private pointOf({ at, open, high, low, close }: Bar) {
    const time = chartTime(at)
    const isLine = this.type === 'line' || this.type === 'area'
    return isLine ? { time, value: close } : { time, open, high, low, close }
  }

  private volumeOf({ at, open, close, volume }: Bar) {
    const { upFaint, downFaint } = this.colours
    return { time: chartTime(at), value: volume, color: close >= open ? upFaint : downFaint }
  }

  /** Marks the bars with own fills. */
  setMarks(marks: readonly FillMark[]): void {
    const { up, down } = this.colours
    this.shownMarks = marks
    this.marks.setMarkers(
      marks
        .filter(({ at }) => this.byTime.has(chartTime(at)))
        .map(({ at, side }) => ({
          time: chartTime(at),
          position: side === 'buy' ? ('belowBar' as const) : ('aboveBar' as const),
          shape: side === 'buy' ? ('arrowUp' as const) : ('arrowDown' as const),
          color: side === 'buy' ? up : down,
        })),
    )
  }

  newest(): void {
    this.chart.timeScale().scrollToRealTime()
  }

  yOf(price: number): number | null {
    return this.main.priceToCoordinate(price)
  }

  priceAt(y: number): number | null {
    return this.main.coordinateToPrice(y)
  }

  /** Pixel of a time, also between and beyond the bars. */
  xOf(at: number): number | null {
    const index = indexAt(this.rows, this.length, at)
    // The library places whole bars only.
    const whole = Math.floor(index)
    const scale = this.chart.timeScale()
    const x = scale.logicalToCoordinate(whole as Parameters<typeof scale.logicalToCoordinate>[0])
    return x === null ? null : x + (index - whole) * scale.options().barSpacing
  }

  timeAt(x: number): number | null {
    const index = this.chart.timeScale().coordinateToLogical(x)
    return index === null ? null : timeAt(this.rows, this.length, index)
  }

  /** Height of the pane with the prices. */
  paneHeight(): number {
    return this.chart.panes()[0]?.getHeight() ?? 0
  }

  /** Width of the price scale on the right, where lines end. */
  scaleWidth(): number {
    return this.main.priceScale().width()
  }

  close(): void {
    this.chart.remove()
  }
}

/** A primitive that draws nothing. The library calls it at every redraw. */
function redrawHook(onRedraw: () => void): ISeriesPrimitive<Time> {
  return { updateAllViews: onRedraw, paneViews: () => [] }
}
