// Drawings over the chart. While a tool is chosen, two clicks or one drag make a drawing. A drawing
// is selected with a click, moved by dragging, and deleted with its key. Loaded when first used.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  type ChartPoint,
  type Drawing,
  drawingKinds,
  drawingsMax,
} from '../../model/chart/drawings.ts'
import { type Pixel, type Shape, shapeOf } from '../../model/chart/shapes.ts'
import { useTerminal } from '../use-terminal.ts'
import type { PriceChart } from './price-chart.ts'

/** Distance in pixels between press and release above which it is a drag. */
const slack = 5

type Moving = Readonly<{ id: number; from: Pixel; by: Pixel }>

export default function DrawingLayer({ chart }: { chart: PriceChart }) {
  const { drawings, markets, notices, open } = useLayer()
  const { tickPlaces: places } = markets.grid.value
  // The places of all drawings change with every redraw of the chart.
  const drawn = useSignal(0)
  const pending = useSignal<Readonly<{ from: ChartPoint; to: ChartPoint }> | null>(null)
  const moving = useSignal<Moving | null>(null)
  useEffect(
    () =>
      chart.onRedraw(() => {
        drawn.value += 1
      }),
    [chart],
  )
  drawn.value
  const width = Math.max(0, chart.chart.timeScale().width())
  const pixelOf = ({ at, price }: ChartPoint): Pixel | null => {
    const x = chart.xOf(at)
    const y = chart.yOf(price)
    return x === null || y === null ? null : { x, y }
  }
  const pointAt = ({ x, y }: Pixel): ChartPoint | null => {
    const at = chart.timeAt(x)
    const price = chart.priceAt(y)
    return at === null || price === null ? null : { at, price }
  }
  const pixelIn = (event: PointerEvent): Pixel => {
    const box = (event.currentTarget as SVGElement).closest('svg')!.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  /** The points of a drawing while it is dragged. */
  const shifted = (drawing: Drawing): Drawing => {
    const move = moving.value
    if (move === null || move.id !== drawing.id) return drawing
    const shift = (point: ChartPoint) => {
      const at = pixelOf(point)
      return (at && pointAt({ x: at.x + move.by.x, y: at.y + move.by.y })) ?? point
    }
    return { ...drawing, from: shift(drawing.from), to: shift(drawing.to) }
  }
  const tool = drawings.tool.value
  const finish = (to: ChartPoint) => {
    const start = pending.peek()
    pending.value = null
    if (tool === null || start === null) return
    if (!drawings.add(tool, start.from, to))
      notices.show({
        kind: 'bad',
        title: 'Not drawn',
        text: `A market has at most ${drawingsMax} drawings. Delete some first.`,
        link: { label: 'Chart', open },
      })
  }
  const toolEvents = {
    onPointerDown: (event: PointerEvent) => {
      const at = pointAt(pixelIn(event))
      if (at === null || event.button !== 0) return
      ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
      if (pending.peek() !== null) return
      pending.value = { from: at, to: at }
    },
    onPointerMove: (event: PointerEvent) => {
      const start = pending.peek()
      const to = pointAt(pixelIn(event))
      if (start !== null && to !== null) pending.value = { from: start.from, to }
    },
    onPointerUp: (event: PointerEvent) => {
      const start = pending.peek()
      const pixel = pixelIn(event)
      const to = pointAt(pixel)
      const from = start === null ? null : pixelOf(start.from)
      if (start === null || to === null || from === null) return
      const isFar = Math.hypot(pixel.x - from.x, pixel.y - from.y) > slack
      // A horizontal line has one point. Others wait for the second one.
      if (tool === 'horizontal' || isFar) finish(to)
    },
  } as const
  const dragEvents = (id: number) =>
    ({
      onPointerDown: (event: PointerEvent) => {
        drawings.selected.value = id
        ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
        moving.value = { id, from: pixelIn(event), by: { x: 0, y: 0 } }
      },
      onPointerMove: (event: PointerEvent) => {
        const now = moving.peek()
        if (now === null) return
        const { x, y } = pixelIn(event)
        moving.value = { ...now, by: { x: x - now.from.x, y: y - now.from.y } }
      },
      onPointerUp: () => {
        const now = moving.peek()
        const drawing = drawings.now.peek().find((each) => each.id === id)
        if (now !== null && drawing !== undefined && Math.hypot(now.by.x, now.by.y) > slack) {
          const { from, to } = shifted(drawing)
          drawings.move(id, { from, to })
        }
        moving.value = null
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Delete' && event.key !== 'Backspace') return
        event.preventDefault()
        drawings.remove(id)
      },
    }) as const
  const canvas = { width, places, pixelOf }
  const start = pending.value
  const preview = tool === null || start === null ? null : { id: 0, kind: tool, ...start }
  return (
    <svg
      class={`chart-drawings ${tool === null ? '' : 'drawing'}`}
      style={{ width: `${width}px`, height: `${chart.paneHeight()}px` }}
      aria-label="Drawings"
    >
      {tool !== null && <rect class="drawing-area" width="100%" height="100%" {...toolEvents} />}
      {drawings.now.value.map((drawing) => {
        const shape = shapeOf(shifted(drawing), canvas)
        if (shape === null) return null
        const isSelected = drawings.selected.value === drawing.id
        return (
          // biome-ignore lint/a11y/useSemanticElements: a shape cannot be a button.
          <g
            key={drawing.id}
            class={`drawing-shape ${isSelected ? 'selected' : ''}`}
            role="button"
            tabIndex={0}
            aria-label={`${drawingKinds[drawing.kind]}, Delete removes it`}
            onFocus={() => {
              drawings.selected.value = drawing.id
            }}
            {...dragEvents(drawing.id)}
          >
            <ShapeLines shape={shape} />
          </g>
        )
      })}
      {preview !== null && <Preview shape={shapeOf(preview, canvas)} />}
    </svg>
  )
}

function useLayer() {
  const terminal = useTerminal()
  const { drawings, markets, notices } = terminal
  const open = () => {
    terminal.view.value = 'chart'
  }
  return { drawings, markets, notices, open }
}

function Preview({ shape }: { shape: Shape | null }) {
  return shape === null ? null : (
    <g class="drawing-shape selected">
      <ShapeLines shape={shape} />
    </g>
  )
}

/** Each line twice: visible, and wide enough for a pointer. */
function ShapeLines({ shape: { lines, area, texts } }: { shape: Shape }) {
  return (
    <>
      {area !== null && <rect class="drawing-fill" {...area} />}
      {lines.flatMap(({ from, to }, at) =>
        ['drawing-hit', 'drawing-line'].map((name) => (
          <line key={`${name} ${at}`} class={name} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        )),
      )}
      {texts.map(({ at, text }) => (
        <text key={text} x={at.x} y={at.y}>
          {text}
        </text>
      ))}
    </>
  )
}
