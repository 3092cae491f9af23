// One line of the chart with its label. Movable lines are dragged, or moved by the arrow keys. The
// new numbers are shown during the move, and the line goes back after a refusal.

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type ChartLine, noteAt } from '../../model/account/chart-lines.ts'
import { lostByMoving, moveLine } from '../../model/account/move-line.ts'
import { LineDrag } from '../../model/market/line-drag.ts'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import { fixed } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'
import { LevelHandles } from './level-handles.tsx'
import { LineButtons } from './line-buttons.tsx'
import type { PriceChart } from './price-chart.ts'

/** Time in ms after an accepted move in which the stream should show the new price. */
const showsWithinMs = 1_000

type LineTagProps = Readonly<{
  line: ChartLine
  chart: PriceChart
  held: (id: string, isHeld: boolean) => void
}>

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

/** `held` is notified when the line starts or ends to follow the user. */
export function LineTag({ line, chart, held }: LineTagProps) {
  const terminal = useTerminal()
  const { tickPlaces } = terminal.markets.grid.value
  const moving = useMoving(line, chart)
  const { moved, sending, send, step, leave } = moving
  const label = useRef<HTMLSpanElement>(null)
  const { byPointer, release } = useDrag(label, moving)
  const price = moved.value ?? line.price
  // The line follows the finger immediately, instead of with the next price.
  useLayoutEffect(() => {
    held(line.id, moved.value !== null)
    chart.redraw()
  }, [chart, price, moved.value === null])
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
      <div class="line-label">
        <span ref={label} {...(line.drags ? drag : {})}>
          {line.label} {fixed(price, tickPlaces)} {note}
          {sending.value ? ' sending…' : ''}
        </span>
        {line.kind === 'entry' && <LevelHandles position={line.position!} chart={chart} />}
        <LineButtons line={line} />
      </div>
    </div>
  )
}
