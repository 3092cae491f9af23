// The price chart with all that is drawn over it.

import { effect, useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { intervalEnd, intervalLength } from '../../../units/intervals.ts'
import { type FillMark, fillMarks } from '../../model/chart/fill-marks.ts'
import { amountText, averageText, countdown, fixed } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { Candle } from '../../model/wire.ts'
import { Lazy } from '../parts/lazy.tsx'
import { useTerminal } from '../use-terminal.ts'
import { ChartLines } from './chart-lines.tsx'
import { ChartMenu } from './chart-menu.tsx'
import { PriceChart } from './price-chart.ts'

/** Connects data and palette to the chart, which exists as long as its element. */
function bind(chart: PriceChart, terminal: Terminal, onCandle: (candle: Candle | null) => void) {
  const { account, live, markets, preferences } = terminal
  const { candles } = live
  let frame = 0
  const reset = () => {
    chart.set(candles.rows, intervalLength(preferences.now.peek().interval))
    mark()
    onCandle(candles.rows.at(-1) ?? null)
  }
  const mark = () => {
    const { interval, hiddenLines } = preferences.now.peek()
    const fills = hiddenLines.includes('fills') ? [] : account.fills.peek()
    chart.setMarks(fillMarks(fills, markets.symbol.peek(), interval))
  }
  // About ten updates arrive per second. Only the newest one is drawn per frame.
  const update = () => {
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      chart.update(candles.rows)
      onCandle(candles.rows.at(-1) ?? null)
    })
  }
  const unfollow = candles.follow({ reset, update })
  chart.onPast = () => void candles.older()
  const stops = [
    effect(() => {
      const { tick, tickPlaces } = markets.grid.value
      chart.setPrecision(tickPlaces, tick.stepValue / 10 ** tick.stepScale)
    }),
    effect(() => {
      const { chartType, scale, autoScale } = preferences.now.value
      chart.setType(chartType)
      chart.setScale(scale, autoScale)
    }),
    effect(() => {
      account.fills.value
      preferences.now.value.hiddenLines
      mark()
    }),
  ]
  reset()
  let painted = ''
  const paint = effect(() => {
    const { theme, colours } = preferences.now.value
    if (painted !== '' && painted !== `${theme} ${colours}`) chart.paint()
    painted = `${theme} ${colours}`
  })
  return () => {
    cancelAnimationFrame(frame)
    unfollow()
    paint()
    for (const stop of stops) stop()
    chart.close()
  }
}

const loadIndicators = () => import('./indicator-series.tsx')
const loadDrawings = () => import('./drawing-layer.tsx')

export function Candlesticks() {
  const terminal = useTerminal()
  const box = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<PriceChart | null>(null)
  const pointed = useSignal<Candle | null>(null)
  const newest = useSignal<Candle | null>(null)
  useEffect(() => {
    const made = new PriceChart(box.current!)
    made.onPoint = (candle) => {
      pointed.value = candle
    }
    const unbind = bind(made, terminal, (candle) => {
      newest.value = candle
    })
    setChart(made)
    return () => {
      unbind()
      setChart(null)
    }
  }, [terminal, pointed, newest])
  const { drawings, preferences } = terminal
  const draws = drawings.tool.value !== null || drawings.now.value.length > 0
  return (
    <>
      <div class={`chart-canvas ${terminal.live.stale.value ? 'stale' : ''}`} ref={box} />
      <Legend candle={pointed.value ?? newest.value} />
      {chart !== null && (
        <>
          {preferences.now.value.indicators.length > 0 && (
            <Lazy load={loadIndicators} chart={chart} />
          )}
          {draws && <Lazy load={loadDrawings} chart={chart} />}
          <ChartMenu chart={chart} box={box} />
          <ChartLines chart={chart} />
          <BarCountdown chart={chart} candle={newest.value} />
        </>
      )}
    </>
  )
}

/** Such as `Bought 0.5 at 100,012 in 3 fills`. */
function markText({ side, size, value, fills }: FillMark, places: number): string {
  const amount = amountText(Number(size.toPrecision(12)))
  const price = averageText(value / size, places)
  const count = fills === 1 ? '' : ` in ${fills} fills`
  return `${side === 'buy' ? 'Bought' : 'Sold'} ${amount} at ${price}${count}`
}

function Legend({ candle }: { candle: Candle | null }) {
  const { account, markets, preferences } = useTerminal()
  const { tickPlaces, lotPlaces } = markets.grid.value
  const empty = markets.list.value.length === 0 ? 'No markets are listed yet' : 'No trades yet'
  if (candle === null) return <div class="chart-note">{empty}</div>
  const tone = Number(candle.c) >= Number(candle.o) ? 'up' : 'down'
  const figures: readonly (readonly [string, string])[] = [
    ['O', candle.o],
    ['H', candle.h],
    ['L', candle.l],
    ['C', candle.c],
  ]
  const { interval } = preferences.now.value
  const marks = fillMarks(account.fills.value, markets.symbol.value, interval)
  return (
    <div class="chart-legend">
      <b>
        {candle.s} · {candle.i}
      </b>
      {figures.map(([name, value]) => (
        <span key={name}>
          {name} <b class={tone}>{fixed(value, tickPlaces)}</b>
        </span>
      ))}
      <span>
        V <b>{amountText(candle.v, Math.min(lotPlaces, 3))}</b>
      </span>
      {marks
        .filter(({ at }) => at === candle.t)
        .map((mark) => (
          <b key={mark.side} class={mark.side === 'buy' ? 'up' : 'down'}>
            {markText(mark, tickPlaces)}
          </b>
        ))}
    </div>
  )
}

/** Time until the bar is complete, below the last price at the scale. */
function BarCountdown({ chart, candle }: { chart: PriceChart; candle: Candle | null }) {
  const { preferences, streams } = useTerminal()
  const text = useSignal('')
  const node = useRef<HTMLDivElement>(null)
  const { interval } = preferences.now.value
  useEffect(() => {
    const show = () => {
      if (node.current === null || candle === null) return
      const y = chart.yOf(Number(candle.c))
      node.current.hidden = y === null
      node.current.style.top = `${(y ?? 0) + 10}px`
      node.current.style.width = `${chart.scaleWidth()}px`
      text.value = countdown(intervalEnd(interval, candle.t) - streams.engineNow())
    }
    show()
    const stop = chart.onRedraw(show)
    const timer = setInterval(show, 1_000)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [chart, candle, interval])
  if (candle === null) return null
  return (
    <div class="bar-countdown" ref={node} title="Time until this bar is complete">
      {text.value}
    </div>
  )
}
