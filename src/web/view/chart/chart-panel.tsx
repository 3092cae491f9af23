import { effect, useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Interval, intervals } from '../../../units/intervals.ts'
import { amountText, fixed } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { Candle } from '../../model/wire.ts'
import { Segments, Tabs } from '../parts/choice.tsx'
import { useTerminal } from '../use-terminal.ts'
import { ChartLines } from './chart-lines.tsx'
import { DepthChart } from './depth-chart.tsx'
import { EquityChart, FundingChart } from './line-charts.tsx'
import { PriceChart } from './price-chart.ts'

type ChartTab = 'price' | 'depth' | 'funding' | 'equity'

export function ChartPanel() {
  const tab = useSignal<ChartTab>('price')
  const { preferences } = useTerminal()
  const { interval, candles } = preferences.now.value
  return (
    <>
      <div class="panel-head">
        <Tabs
          label="Chart"
          value={tab.value}
          options={[
            { value: 'price', label: 'Price' },
            { value: 'depth', label: 'Depth' },
            { value: 'funding', label: 'Funding' },
            { value: 'equity', label: 'Equity' },
          ]}
          onChange={(next) => {
            tab.value = next
          }}
        />
        <span class="spacer" />
        {tab.value === 'price' && (
          <>
            <select
              class="select"
              aria-label="Interval"
              value={interval}
              onChange={({ currentTarget }) =>
                preferences.change({ interval: currentTarget.value as Interval })
              }
            >
              {intervals.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
            <Segments
              label="Price shown"
              value={candles}
              options={[
                { value: 'trade', label: 'Last' },
                { value: 'mark', label: 'Mark' },
              ]}
              onChange={(next) => preferences.change({ candles: next })}
            />
          </>
        )}
      </div>
      <div class="chart-body">
        {tab.value === 'price' && <Candlesticks />}
        {tab.value === 'depth' && <DepthChart />}
        {tab.value === 'funding' && <FundingChart />}
        {tab.value === 'equity' && <EquityChart />}
      </div>
    </>
  )
}

/** Connects data and palette to the chart, which exists as long as its element. */
function bind(chart: PriceChart, terminal: Terminal, onCandle: (candle: Candle | null) => void) {
  const { live, markets, preferences } = terminal
  const { candles } = live
  let frame = 0
  const reset = () => {
    chart.set(candles.rows)
    onCandle(candles.rows.at(-1) ?? null)
  }
  // About ten updates arrive per second. Only the newest one is drawn per frame.
  const update = () => {
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      const last = candles.rows.at(-1)
      if (last === undefined) return
      chart.update(last)
      onCandle(last)
    })
  }
  const unfollow = candles.follow({ reset, update })
  reset()
  chart.onPast = () => void candles.older()
  const stops = [
    effect(() => {
      const { tick, tickPlaces } = markets.grid.value
      chart.setPrecision(tickPlaces, tick.stepValue / 10 ** tick.stepScale)
    }),
    effect(() => {
      const { theme, colours } = preferences.now.value
      if (theme && colours) chart.paint()
    }),
  ]
  return () => {
    cancelAnimationFrame(frame)
    unfollow()
    for (const stop of stops) stop()
    chart.close()
  }
}

function Candlesticks() {
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
  return (
    <>
      <div class={`chart-canvas ${terminal.live.stale.value ? 'stale' : ''}`} ref={box} />
      <Legend candle={pointed.value ?? newest.value} />
      {chart !== null && <ChartLines chart={chart} />}
    </>
  )
}

function Legend({ candle }: { candle: Candle | null }) {
  const { markets } = useTerminal()
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
    </div>
  )
}
