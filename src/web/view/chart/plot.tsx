// A chart of one value over time, as bars or as a line, with the value under the cursor.

import { type Signal, useSignal } from '@preact/signals'
import {
  AreaSeries,
  type AutoscaleInfo,
  BaselineSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesType,
} from 'lightweight-charts'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { missingTimes, rangeWithZero } from '../../model/chart/spaced-points.ts'
import { pointText } from '../../model/market/chart-times.ts'
import { useTerminal } from '../use-terminal.ts'
import { type ChartColours, chartColours, chartTime, layoutOf } from './price-chart.ts'

export type PlotPoint = Readonly<{ at: number; value: number }>

export type PlotStyle = Readonly<{
  /** Bars and gains have a line at zero; a line without one has its own range. */
  kind: 'bars' | 'gain' | 'line'
  format: (value: number) => string
  /** Smallest range of the axis. */
  least: number
  /** Distance of bars in ms. */
  step?: number
  /** A second axis at the left, with a multiple of the values. */
  left?: Readonly<{ times: number; format: (value: number) => string }>
  /** Whether bars are days in UTC. */
  daily?: boolean
  legend?: (value: number) => string
}>

type PlotProps = Readonly<{
  label: string
  empty: ComponentChildren
  /** `null` until they are loaded. A chart of other points must have another `key`. */
  points: readonly PlotPoint[] | null
  style: PlotStyle
}>

type Series = ISeriesApi<SeriesType>

class Drawing {
  readonly chart: IChartApi
  private readonly main: Series
  private readonly second: Series | null
  private readonly style: PlotStyle
  private readonly colours: ChartColours
  private empty = true

  constructor(box: HTMLElement, style: PlotStyle) {
    const { kind, left, daily = false } = style
    this.style = style
    this.colours = chartColours()
    const layout = layoutOf(this.colours, daily)
    this.chart = createChart(box, {
      autoSize: true,
      ...layout,
      rightPriceScale: { ...layout.rightPriceScale, tickMarkDensity: 4 },
      leftPriceScale: {
        visible: left !== undefined,
        borderColor: this.colours.line,
        tickMarkDensity: 4,
      },
      // A few bars stay narrow instead of becoming a wall.
      timeScale: {
        ...layout.timeScale,
        timeVisible: !daily,
        maxBarSpacing: !bars(kind) ? 0 : daily ? 96 : 32,
      },
    })
    this.main = this.addMain()
    this.second = left === undefined ? null : this.addSecond(left)
    if (kind !== 'line')
      this.main.createPriceLine({
        price: 0,
        color: this.colours.text,
        lineWidth: 1,
        lineStyle: LineStyle.Solid,
        axisLabelVisible: false,
      })
  }

  private scaled(times: number, format: (value: number) => string) {
    const { kind, least } = this.style
    return {
      priceFormat: { type: 'custom', formatter: format, minMove: 1e-7 } as const,
      priceLineVisible: false,
      lastValueVisible: false,
      autoscaleInfoProvider: (usual: () => AutoscaleInfo | null) => {
        const info = usual()
        if (info?.priceRange == null || kind === 'line') return info
        const { minValue, maxValue } = info.priceRange
        const [low, high] = rangeWithZero(minValue, maxValue, least * times)
        return { ...info, priceRange: { minValue: low, maxValue: high } }
      },
    }
  }

  private addMain(): Series {
    const { kind, format } = this.style
    const { accent, up, down, upFaint, downFaint } = this.colours
    const scaled = this.scaled(1, format)
    if (kind === 'bars') return this.chart.addSeries(HistogramSeries, scaled) as Series
    if (kind === 'gain')
      return this.chart.addSeries(BaselineSeries, {
        ...scaled,
        lineWidth: 2,
        baseValue: { type: 'price', price: 0 },
        ...{ topLineColor: up, topFillColor1: upFaint, topFillColor2: 'transparent' },
        ...{ bottomLineColor: down, bottomFillColor1: 'transparent', bottomFillColor2: downFaint },
      }) as Series
    const fills = { topColor: `${accent}44`, bottomColor: `${accent}05` }
    const line = { ...scaled, lineColor: accent, lineWidth: 2 as const, ...fills }
    return this.chart.addSeries(AreaSeries, line) as Series
  }

  /** It is not drawn: only its axis is seen. */
  private addSecond({ times, format }: NonNullable<PlotStyle['left']>): Series {
    return this.chart.addSeries(LineSeries, {
      ...this.scaled(times, format),
      ...{ priceScaleId: 'left', lineVisible: false, crosshairMarkerVisible: false },
    }) as Series
  }

  fill(points: readonly PlotPoint[]): void {
    const { kind, step, left } = this.style
    const { up, down } = this.colours
    const shown = rising(points)
    const gaps = bars(kind) && step !== undefined ? missingTimes(shown, step) : []
    const rows = [
      ...shown.map(({ at, value }) => ({
        ...{ time: chartTime(at), value },
        ...(bars(kind) && { color: `${value >= 0 ? up : down}a6` }),
      })),
      ...gaps.map((at) => ({ time: chartTime(at) })),
    ].toSorted((a, b) => a.time - b.time)
    this.main.setData(rows)
    const { times = 1 } = left ?? {}
    this.second?.setData(
      shown.map(({ at, value }) => ({ time: chartTime(at), value: value * times })),
    )
    if (this.empty && shown.length > 0) this.chart.timeScale().fitContent()
    this.empty = shown.length === 0
  }

  /** Reports the point under the cursor; `null` if there is none. */
  onCursor(report: (point: PlotPoint | null) => void): void {
    this.chart.subscribeCrosshairMove(({ time, seriesData }) => {
      const data = seriesData.get(this.main) as Readonly<{ value?: number }> | undefined
      if (time === undefined || data?.value === undefined) report(null)
      else report({ at: Number(time) * 1_000, value: data.value })
    })
  }
}

const bars = (kind: PlotStyle['kind']) => kind === 'bars'

/** Makes times strictly rising, as the drawing library requires. Of two points in the same second
 *  the later is kept. */
function rising(points: readonly PlotPoint[]): readonly PlotPoint[] {
  const bySecond = new Map(points.map((point) => [Math.floor(point.at / 1_000), point]))
  return [...bySecond.values()].sort((a, b) => a.at - b.at)
}

export function Plot({ label, empty, points, style }: PlotProps) {
  const { preferences } = useTerminal()
  const { theme, colours } = preferences.now.value
  const box = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing | null>(null)
  const cursor = useSignal<PlotPoint | null>(null)
  useEffect(() => {
    const drawn = new Drawing(box.current!, style)
    drawing.current = drawn
    drawn.onCursor((point) => {
      cursor.value = point
    })
    return () => {
      drawing.current = null
      drawn.chart.remove()
    }
  }, [theme, colours])
  useEffect(() => {
    if (points !== null) drawing.current?.fill(points)
  }, [points, theme, colours])
  return (
    <>
      <div class="chart-canvas" ref={box} role="img" aria-label={label} />
      <Legend cursor={cursor} points={points} style={style} />
      {points?.length === 0 && <div class="chart-note">{empty}</div>}
    </>
  )
}

type LegendProps = Pick<PlotProps, 'points' | 'style'> & { cursor: Signal<PlotPoint | null> }

function Legend({ cursor, points, style }: LegendProps) {
  const point = cursor.value ?? points?.at(-1)
  if (point === undefined) return null
  const { format, legend = format, daily = false } = style
  return (
    <div class={`chart-legend ${style.left === undefined ? '' : 'after-axis'}`}>
      {pointText(Math.floor(point.at / 1_000), daily)} <b>{legend(point.value)}</b>
    </div>
  )
}
