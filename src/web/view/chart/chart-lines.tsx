// Lines of positions and orders over the chart. What may be moved is dragged, or moved by the arrow
// keys: the new numbers are shown all the while, and what the exchange refuses goes back.

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type ChartLine, linesOf, noteAt } from '../../model/account/chart-lines.ts'
import { moveLine } from '../../model/account/move-line.ts'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import { fixed } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'
import type { PriceChart } from './price-chart.ts'

const edge = 10
const tagHeight = 18
const tagGap = 4

type Tag = Readonly<{ node: HTMLElement; label: HTMLElement; width: number; y: number | null }>

/** What can be moved and lies beyond the chart's range waits at its edge, to be reached there. */
function placeTag({ node, y }: Tag, at: number): void {
  const beyond = at !== y
  node.hidden = y === null || (beyond && !node.classList.contains('drags'))
  node.classList.toggle('beyond', beyond)
  node.style.transform = `translateY(${at}px)`
}

function placeTags(box: HTMLElement, chart: PriceChart): void {
  box.style.right = `${chart.scaleWidth()}px`
  const bottom = chart.paneHeight() - edge
  const room = box.offsetWidth
  const tags = [...box.querySelectorAll<HTMLElement>('.line-tag')].map((node): Tag => {
    const label = node.firstElementChild as HTMLElement
    return { node, label, width: label.offsetWidth, y: chart.yOf(Number(node.dataset.price)) }
  })
  const within = ({ y }: Tag) => (y === null ? 0 : Math.min(bottom, Math.max(edge, y)))
  let before = Number.NEGATIVE_INFINITY
  let right = 0
  for (const tag of tags.toSorted((one, other) => within(one) - within(other))) {
    const at = within(tag)
    placeTag(tag, at)
    // What is dragged stays under the finger; others that would be covered stand beside each other.
    if (tag.node.hidden || tag.node.classList.contains('moved')) continue
    const beside = at - before < tagHeight && right + tagGap + tag.width < room
    const left = beside ? right + tagGap : edge
    tag.label.style.left = `${left}px`
    before = at
    right = left + tag.width
  }
}

export function ChartLines({ chart }: { chart: PriceChart }) {
  const terminal = useTerminal()
  const { account, markets } = terminal
  const symbol = markets.symbol.value
  const lines = linesOf(symbol, account.positions.value, account.orders.value)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    let due = false
    const place = () => {
      due = false
      if (box.current !== null) placeTags(box.current, chart)
    }
    // The library tells of one redraw up to nine times: placed once, before the page is painted.
    chart.onRedraw = () => {
      if (!due) queueMicrotask(place)
      due = true
    }
  }, [chart])
  useLayoutEffect(() => chart.onRedraw())
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
  const leave = () => {
    if (!sending.peek()) moved.value = null
  }
  const move = async (price: string) => {
    moved.value = price
    sending.value = true
    await moveLine(terminal, line, price)
    sending.value = false
    moved.value = null
  }
  const confirmed = (price: string) =>
    terminal.open({
      show: 'confirm',
      title: 'Move',
      text: `${line.label} from ${line.price} to ${price}`,
      act: () => void move(price),
    })
  const send = async () => {
    const price = moved.peek()
    if (price === null || price === line.price || sending.peek()) {
      moved.value = null
      return
    }
    if (terminal.preferences.now.peek().confirm) confirmed(price)
    else await move(price)
  }
  const step = (ticks: number) => {
    moved.value = numberOnGrid(Number(moved.peek() ?? line.price) + ticks * tickSize, tick)
  }
  const pointAt = (y: number) => {
    const price = chart.priceAt(y)
    if (price !== null && !sending.peek()) moved.value = numberOnGrid(price, tick)
  }
  return { moved, sending, send, step, pointAt, leave }
}

function LineTag({ line, chart }: { line: ChartLine; chart: PriceChart }) {
  const terminal = useTerminal()
  const { tickPlaces } = terminal.markets.grid.value
  const { moved, sending, send, step, pointAt, leave } = useMoving(line, chart)
  const dragging = useRef(false)
  const price = moved.value ?? line.price
  // The line follows the finger at once, not with the next price.
  useLayoutEffect(() => chart.onRedraw(), [chart, price, moved.value === null])
  const onKeyDown = (event: KeyboardEvent) => {
    const ticks = stepKeys[event.key]
    if (ticks !== undefined) step(ticks * (event.shiftKey ? 10 : 1))
    else if (event.key === 'Enter' && !event.repeat) send()
    else if (event.key === 'Escape') leave()
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
    // What was not sent is not where it seems to be: without the focus it goes back.
    onBlur: leave,
    onPointerDown: (event: PointerEvent) => {
      leave()
      dragging.current = true
      ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
    },
    onPointerUp: () => {
      dragging.current = false
      send()
    },
    onPointerCancel: () => {
      dragging.current = false
      leave()
    },
  } as const
  const note = noteAt(line, Number(price), terminal.markets.mark.value)
  const state = `${line.drags ? 'drags' : ''} ${moved.value === null ? '' : 'moved'}`
  return (
    <div class={`line-tag tag-${line.tone} ${state}`} data-price={price} data-line={line.id}>
      <span {...(line.drags ? drag : {})}>
        {line.label} {fixed(price, tickPlaces)} {note}
        {sending.value ? ' sending…' : ''}
      </span>
    </div>
  )
}
