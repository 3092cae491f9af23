// The candle chart around the drawing library: data in, coordinates out. Lines of orders and
// positions are elements of the page above it (chart-lines.tsx) and are notified of every redraw.

import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesPrimitive,
  type MouseEventParams,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { chartSeconds, isDaily, markText, pointText } from '../../model/market/chart-times.ts'
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

export class PriceChart {
  private readonly chart: IChartApi
  private readonly candles: ISeriesApi<'Candlestick'>
  private readonly volume: ISeriesApi<'Histogram'>
  private colours: ChartColours
  private daily = false
  private readonly byTime = new Map<Time, Candle>()
  onRedraw: () => void = () => undefined
  onPoint: (candle: Candle | null) => void = () => undefined
  onPast: () => void = () => undefined

  constructor(box: HTMLElement) {
    this.colours = chartColours()
    this.chart = createChart(box, { autoSize: true, ...layoutOf(this.colours) })
    this.candles = this.chart.addSeries(CandlestickSeries, { borderVisible: false })
    this.volume = this.chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
    this.candles.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.2 } })
    this.chart.timeScale().applyOptions({ rightOffset: 6, barSpacing: 7 })
    this.candles.attachPrimitive(redrawHook(() => this.onRedraw()))
    this.chart.subscribeCrosshairMove((event) => this.point(event))
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < 10) this.onPast()
    })
    this.paint()
  }

  private point({ time }: MouseEventParams<Time>): void {
    this.onPoint(time === undefined ? null : (this.byTime.get(time) ?? null))
  }

  /** Applies the colours after the palette has changed. */
  paint(): void {
    this.colours = chartColours()
    const { up, down } = this.colours
    this.chart.applyOptions(layoutOf(this.colours, this.daily))
    this.candles.applyOptions({
      upColor: up,
      downColor: down,
      wickUpColor: up,
      wickDownColor: down,
    })
  }

  setPrecision(places: number, step: number): void {
    this.candles.applyOptions({ priceFormat: { type: 'price', precision: places, minMove: step } })
  }

  set(rows: readonly Candle[]): void {
    const daily = isDaily(rows[0]?.i)
    if (daily !== this.daily) {
      this.daily = daily
      this.chart.applyOptions(layoutOf(this.colours, daily))
    }
    this.byTime.clear()
    for (const row of rows) this.byTime.set(chartTime(row.t), row)
    this.candles.setData(rows.map((row) => barOf(row)))
    this.volume.setData(rows.map((row) => this.volumeOf(row)))
  }

  update(row: Candle): void {
    this.byTime.set(chartTime(row.t), row)
    this.candles.update(barOf(row))
    this.volume.update(this.volumeOf(row))
  }

  private volumeOf({ t, o, c, v }: Candle) {
    const { upFaint, downFaint } = this.colours
    return {
      time: chartTime(t),
      value: Number(v),
      color: Number(c) >= Number(o) ? upFaint : downFaint,
    }
  }

  newest(): void {
    this.chart.timeScale().scrollToRealTime()
  }

  yOf(price: number): number | null {
    return this.candles.priceToCoordinate(price)
  }

  priceAt(y: number): number | null {
    return this.candles.coordinateToPrice(y)
  }

  /** Height of the pane with the prices. */
  paneHeight(): number {
    return this.chart.panes()[0]?.getHeight() ?? 0
  }

  /** Width of the price scale on the right, where lines end. */
  scaleWidth(): number {
    return this.candles.priceScale().width()
  }

  close(): void {
    this.chart.remove()
  }
}

function barOf({ t, o, h, l, c }: Candle) {
  return {
    time: chartTime(t),
    open: Number(o),
    high: Number(h),
    low: Number(l),
    close: Number(c),
  }
}

/** A primitive that draws nothing. The library calls it at every redraw. */
function redrawHook(onRedraw: () => void): ISeriesPrimitive<Time> {
  return { updateAllViews: onRedraw, paneViews: () => [] }
}
