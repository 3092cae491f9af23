// Lines of positions and orders over the chart. Movable lines are dragged, or moved by the arrow
// keys. The new numbers are shown during the move, and the line goes back after a refusal.

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type ChartLine, linesOf, noteAt } from '../../model/account/chart-lines.ts'
import { lostByMoving, moveLine } from '../../model/account/move-line.ts'
import { LineDrag } from '../../model/market/line-drag.ts'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import { fixed } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'
import type { PriceChart } from './price-chart.ts'

const edge = 10
/** Top edge for labels, below the legend of the chart. */
const topEdge = 34
const tagHeight = 18
const tagGap = 4
/** Explains why a label at the edge cannot be dragged: it is not at its price, so a drag would set
 *  a wrong price. */
const notDragged =
  'Beyond the scale of the chart: zoom out to drag it, or move it with the arrow keys'

type Tag = Readonly<{ node: HTMLElement; label: HTMLElement; width: number; y: number | null }>

function placeTag({ node, label }: Tag, y: number, left: number, beyond: '' | 'above' | 'below') {
  node.classList.toggle('beyond', beyond !== '')
  node.classList.toggle('above', beyond === 'above')
  node.classList.toggle('below', beyond === 'below')
  label.title = beyond === '' || !node.classList.contains('drags') ? '' : notDragged
  // Not set by a transform, because every label must be above every line, whatever the order.
  node.style.top = `${y}px`
  // The label stays under the finger while it is dragged.
  if (!node.classList.contains('moved')) label.style.left = `${left}px`
}

/** Places labels that would cover each other side by side in a row, as long as there is room.
 *  Further labels move down to the next row. */
function placeWithin(tags: readonly Tag[], room: number): void {
  let top = Number.NEGATIVE_INFINITY
  let low = top
  let right = 0
  for (const tag of tags.toSorted((one, other) => one.y! - other.y!)) {
    const y = tag.y!
    const isMoved = tag.node.classList.contains('moved')
    const close = y - low < tagHeight
    const sideBySide = close && right + tagGap + tag.width < room
    const left = sideBySide ? right + tagGap : edge
    const at = sideBySide ? Math.max(y, top) : close ? low + tagHeight : y
    placeTag(tag, y, left, '')
    tag.label.style.marginTop = `${isMoved ? 0 : at - y}px`
    if (isMoved) continue
    low = sideBySide ? Math.max(low, at) : at
    top = sideBySide ? top : at
    right = left + tag.width
  }
}

/** Places labels beyond the chart's range at its edge, nearest first, row by row. */
function placeBeyond(tags: readonly Tag[], side: 'above' | 'below', bottom: number, room: number) {
  const sign = side === 'above' ? 1 : -1
  let y = side === 'above' ? topEdge : bottom
  let left = edge
  for (const tag of tags.toSorted((one, other) => (other.y! - one.y!) * sign)) {
    if (left > edge && left + tag.width > room) {
      left = edge
      y += sign * (tagHeight + 2)
    }
    placeTag(tag, y, left, side)
    tag.label.style.marginTop = ''
    left += tag.width + tagGap
  }
}

function placeTags(box: HTMLElement, chart: PriceChart): void {
  box.style.right = `${chart.scaleWidth()}px`
  const bottom = chart.paneHeight() - edge
  const room = box.offsetWidth
  const nodes = [...box.querySelectorAll<HTMLElement>('.line-tag')]
  const heights = nodes.map((node) => chart.yOf(Number(node.dataset.price)))
  nodes.forEach((node, at) => {
    const y = heights[at] ?? null
    node.hidden = y === null
    node.classList.toggle('beyond', y !== null && (y < edge || y > bottom))
  })
  // Hidden labels have no width, and labels at the edge have another one. Widths are therefore
  // measured when all placed labels are shown.
  const known = nodes
    .map((node, at): Tag => {
      const label = node.firstElementChild as HTMLElement
      return { node, label, width: label.offsetWidth, y: heights[at] ?? null }
    })
    .filter(({ y }) => y !== null)
  const above = known.filter(({ y }) => y! < edge)
  const below = known.filter(({ y }) => y! > bottom)
  placeWithin(
    known.filter(({ y }) => y! >= edge && y! <= bottom),
    room,
  )
  placeBeyond(above, 'above', bottom, room)
  placeBeyond(below, 'below', bottom, room)
}

export function ChartLines({ chart }: { chart: PriceChart }) {
  const terminal = useTerminal()
  const { account, markets } = terminal
  const symbol = markets.symbol.value
  const { positions, orders, algos } = account
  const lines = linesOf(symbol, positions.value, orders.value, algos.value)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    let due = false
    const place = () => {
      due = false
      if (box.current !== null) placeTags(box.current, chart)
    }
    // The library reports one redraw up to nine times. Lines are placed once, before the page is
    // painted.
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

/** Time in ms after an accepted move in which the stream should show the new price. */
const showsWithinMs = 1_000

type Moving = ReturnType<typeof useMoving>

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
  const shown = useRef(line.price)
  const accepted = useRef<string | null>(null)
  /** Moves the line back, unless it is being moved again. */
  const back = () => {
    if (moved.peek() === accepted.current) leave()
    accepted.current = null
  }
  useLayoutEffect(() => {
    shown.current = line.price
    if (accepted.current !== null) back()
  }, [line.price])
  const move = async (price: string) => {
    moved.value = price
    sending.value = true
    const from = line.price
    const isAccepted = await moveLine(terminal, line, price)
    sending.value = false
    accepted.current = price
    // The reply arrives before the frame with the new price. Until then the line stays at its new
    // place.
    if (isAccepted && from === shown.current) setTimeout(back, showsWithinMs)
    else back()
  }
  const confirmed = (price: string, lost: string) =>
    terminal.open({
      show: 'confirm',
      title: 'Move',
      text: `${line.label} from ${line.price} to ${price}. ${lost}`.trim(),
      act: () => void move(price),
    })
  const send = async () => {
    const price = moved.peek()
    if (price === null || price === line.price || sending.peek()) {
      moved.value = null
      return
    }
    const lost = lostByMoving(line, terminal.account.orders.peek())
    if (lost !== '' || terminal.preferences.now.peek().confirm) confirmed(price, lost)
    else await move(price)
  }
  const step = (ticks: number) => {
    moved.value = numberOnGrid(Number(moved.peek() ?? line.price) + ticks * tickSize, tick)
  }
  /** Moves the line down by this number of pixels. */
  const pull = (down: number) => {
    const stands = chart.yOf(Number(line.price))
    const price = stands === null ? null : chart.priceAt(stands + down)
    if (price === null || sending.peek()) return
    moved.value = down === 0 ? line.price : numberOnGrid(price, tick)
  }
  return { moved, sending, send, step, pull, leave }
}

/** Drags a line: immediately with a mouse, after resting on the label with a finger. */
function useDrag(
  label: Readonly<{ current: HTMLElement | null }>,
  { moved, send, pull, leave }: Moving,
) {
  const drag = useRef(new LineDrag()).current
  useLayoutEffect(() => {
    const stay = (event: Event) => {
      if (drag.follows) event.preventDefault()
    }
    const node = label.current
    // Only a listener that is not passive can prevent the page from scrolling.
    node?.addEventListener('touchmove', stay, { passive: false })
    node?.addEventListener('contextmenu', stay)
    return () => {
      drag.end()
      node?.removeEventListener('touchmove', stay)
      node?.removeEventListener('contextmenu', stay)
    }
  }, [drag, label])
  const pointOf = ({ clientX: x, clientY: y }: PointerEvent) => ({ x, y })
  const byPointer = {
    onPointerDown: (event: PointerEvent) => {
      leave()
      const node = event.currentTarget as HTMLElement
      if (event.button !== 0 || node.closest('.line-tag.beyond') !== null) return
      drag.grab(pointOf(event), event.pointerType === 'touch', () => pull(0))
      node.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent) => {
      const down = drag.by(pointOf(event))
      // Moves the line back to where it was grabbed.
      if (down !== null || (drag.follows && moved.peek() !== null)) pull(down ?? 0)
    },
    onPointerUp: () => {
      if (drag.follows) send()
      drag.end()
    },
    onPointerCancel: () => {
      drag.end()
      leave()
    },
  } as const
  return { byPointer, release: () => drag.end() }
}

function LineTag({ line, chart }: { line: ChartLine; chart: PriceChart }) {
  const terminal = useTerminal()
  const { tickPlaces } = terminal.markets.grid.value
  const moving = useMoving(line, chart)
  const { moved, sending, send, step, leave } = moving
  const label = useRef<HTMLSpanElement>(null)
  const { byPointer, release } = useDrag(label, moving)
  const price = moved.value ?? line.price
  // The line follows the finger immediately, instead of with the next price.
  useLayoutEffect(() => chart.onRedraw(), [chart, price, moved.value === null])
  const onKeyDown = (event: KeyboardEvent) => {
    const ticks = stepKeys[event.key]
    if (ticks !== undefined) step(ticks * (event.shiftKey ? 10 : 1))
    else if (event.key === 'Enter' && !event.repeat) send()
    else if (event.key === 'Escape') {
      release()
      leave()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const drag = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': `${line.label}, move with the arrow keys, Enter sends`,
    'aria-valuenow': Number(price),
    'aria-valuetext': fixed(price, tickPlaces),
    onKeyDown,
    ...byPointer,
    // A line that was moved but not sent goes back when it loses the focus.
    onBlur: leave,
  } as const
  const note = noteAt(line, Number(price), terminal.markets.mark.value)
  const state = `${line.drags ? 'drags' : ''} ${moved.value === null ? '' : 'moved'}`
  return (
    <div class={`line-tag tag-${line.tone} ${state}`} data-price={price} data-line={line.id}>
      <span ref={label} {...(line.drags ? drag : {})}>
        {line.label} {fixed(price, tickPlaces)} {note}
        {sending.value ? ' sending…' : ''}
      </span>
    </div>
  )
}
