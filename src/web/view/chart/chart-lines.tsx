// Lines of positions and orders over the chart. What may be moved is dragged, or moved by the arrow
// keys: the new numbers are shown all the while, and what the exchange refuses goes back.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type ChartLine, linesOf, noteAt } from '../../model/account/chart-lines.ts'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import { fixed } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'
import type { PriceChart } from './price-chart.ts'

const edge = 10

/** What can be moved and lies beyond the chart's range waits at its edge, to be reached there. */
function placeTag(node: HTMLElement, y: number | null, height: number): void {
  const within = y === null ? 0 : Math.min(height - edge, Math.max(edge, y))
  const beyond = within !== y
  node.hidden = y === null || (beyond && !node.classList.contains('drags'))
  node.classList.toggle('beyond', beyond)
  node.style.transform = `translateY(${within}px)`
}

export function ChartLines({ chart }: { chart: PriceChart }) {
  const terminal = useTerminal()
  const { account, markets } = terminal
  const symbol = markets.symbol.value
  const lines = linesOf(symbol, account.positions.value, account.orders.value)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = () => {
      if (box.current === null) return
      box.current.style.right = `${chart.scaleWidth()}px`
      const height = chart.paneHeight()
      for (const node of box.current.querySelectorAll<HTMLElement>('.line-tag'))
        placeTag(node, chart.yOf(Number(node.dataset.price)), height)
    }
    chart.onRedraw = place
    place()
  })
  return (
    <div class="chart-lines" ref={box}>
      {lines.map((line) => (
        <LineTag key={line.id} line={line} chart={chart} />
      ))}
    </div>
  )
}

const stepKeys: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 }

function useMoving(line: ChartLine, chart: PriceChart) {
  const terminal = useTerminal()
  const { tick } = terminal.markets.grid.value
  const moved = useSignal<string | null>(null)
  const sending = useSignal(false)
  const tickSize = tick.stepValue / 10 ** tick.stepScale
  const send = async () => {
    const price = moved.peek()
    if (price === null || price === line.price || sending.peek()) {
      moved.value = null
      return
    }
    sending.value = true
    await terminal.trading.moveLine(line, price)
    sending.value = false
    moved.value = null
  }
  const step = (ticks: number) => {
    moved.value = numberOnGrid(Number(moved.peek() ?? line.price) + ticks * tickSize, tick)
  }
  const pointAt = (y: number) => {
    const price = chart.priceAt(y)
    if (price !== null && !sending.peek()) moved.value = numberOnGrid(price, tick)
  }
  return { moved, sending, send, step, pointAt }
}

function LineTag({ line, chart }: { line: ChartLine; chart: PriceChart }) {
  const terminal = useTerminal()
  const { tickPlaces } = terminal.markets.grid.value
  const { moved, sending, send, step, pointAt } = useMoving(line, chart)
  const dragging = useRef(false)
  const price = moved.value ?? line.price
  const onKeyDown = (event: KeyboardEvent) => {
    const ticks = stepKeys[event.key]
    if (ticks !== undefined) step(ticks * (event.shiftKey ? 10 : 1))
    else if (event.key === 'Enter') send()
    else if (event.key === 'Escape') moved.value = null
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!dragging.current) return
    const top = (event.currentTarget as HTMLElement)
      .closest('.chart-lines')!
      .getBoundingClientRect().top
    pointAt(event.clientY - top)
  }
  const drag = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': `${line.label}, move with the arrow keys, Enter sends`,
    'aria-valuenow': Number(price),
    'aria-valuetext': fixed(price, tickPlaces),
    onKeyDown,
    onPointerMove,
    onPointerDown: (event: PointerEvent) => {
      dragging.current = true
      ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
    },
    onPointerUp: () => {
      dragging.current = false
      send()
    },
    onPointerCancel: () => {
      dragging.current = false
      moved.value = null
    },
  } as const
  const state = `${line.drags ? 'drags' : ''} ${moved.value === null ? '' : 'moved'}`
  return (
    <div class={`line-tag tag-${line.tone} ${state}`} data-price={price} data-line={line.id}>
      <span {...(line.drags ? drag : {})}>
        {line.label} {fixed(price, tickPlaces)} {noteAt(line, Number(price))}
        {sending.value ? ' sending…' : ''}
      </span>
    </div>
  )
}
