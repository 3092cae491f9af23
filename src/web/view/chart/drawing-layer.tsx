// Drawings over the chart. While a tool is chosen, two clicks or one drag make a drawing. A drawing
// is selected with a click, moved by dragging, and deleted with its key. Loaded when first used.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  type ChartPoint,
  type Drawing,
  type DrawingKind,
  drawingKinds,
  drawingsMax,
} from '../../model/chart/drawings.ts'
import { type Pixel, type Shape, shapeOf } from '../../model/chart/shapes.ts'
import { countdown, fixed, signed, signedPercent } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { useTerminal } from '../use-terminal.ts'
import type { PriceChart } from './price-chart.ts'

/** Distance in pixels between press and release above which it is a drag. */
const slack = 5

type Ends = Readonly<{ from: ChartPoint; to: ChartPoint }>
type Moving = Readonly<{ id: number; from: Pixel; by: Pixel }>

/** Converts between points of the chart and pixels of the layer. */
class Plane {
  private readonly chart: PriceChart

  constructor(chart: PriceChart) {
    this.chart = chart
  }

  readonly pixelOf = ({ at, price }: ChartPoint): Pixel | null => {
    const x = this.chart.xOf(at)
    const y = this.chart.yOf(price)
    return x === null || y === null ? null : { x, y }
  }

  pointAt({ x, y }: Pixel): ChartPoint | null {
    const at = this.chart.timeAt(x)
    const price = this.chart.priceAt(y)
    return at === null || price === null ? null : { at, price }
  }

  /** A point that is moved by pixels; the same point if the chart cannot place it. */
  shifted(point: ChartPoint, { x, y }: Pixel): ChartPoint {
    const from = this.pixelOf(point)
    return (from === null ? null : this.pointAt({ x: from.x + x, y: from.y + y })) ?? point
  }
}

function pixelIn(event: PointerEvent): Pixel {
  const box = (event.currentTarget as SVGElement).closest('svg')!.getBoundingClientRect()
  return { x: event.clientX - box.left, y: event.clientY - box.top }
}

const capture = (event: PointerEvent) =>
  (event.currentTarget as Element).setPointerCapture(event.pointerId)

/** Adds a drawing, or says why it cannot be kept. */
function add({ drawings, notices, view }: Terminal, kind: DrawingKind, { from, to }: Ends): void {
  if (drawings.add(kind, from, to)) return
  const open = () => {
    view.value = 'chart'
  }
  notices.show({
    kind: 'bad',
    title: 'Not drawn',
    text: `A market has at most ${drawingsMax} drawings. Delete some first.`,
    link: { label: 'Chart', open },
  })
}

/** Events of the area on which a tool draws: press and drag, or press twice. */
function toolEvents(terminal: Terminal, plane: Plane, pending: Signal<Ends | null>) {
  const tool = terminal.drawings.tool.value
  return {
    onPointerDown: (event: PointerEvent) => {
      const at = plane.pointAt(pixelIn(event))
      if (at === null || event.button !== 0) return
      capture(event)
      pending.value ??= { from: at, to: at }
    },
    onPointerMove: (event: PointerEvent) => {
      const start = pending.peek()
      const to = plane.pointAt(pixelIn(event))
      if (start !== null && to !== null) pending.value = { from: start.from, to }
    },
    onPointerUp: (event: PointerEvent) => {
      const start = pending.peek()
      const pixel = pixelIn(event)
      const to = plane.pointAt(pixel)
      const from = start === null ? null : plane.pixelOf(start.from)
      if (tool === null || start === null || to === null || from === null) return
      const isFar = Math.hypot(pixel.x - from.x, pixel.y - from.y) > slack
      // A horizontal line has one point. Others wait for the second one.
      if (tool !== 'horizontal' && !isFar) return
      pending.value = null
      add(terminal, tool, { from: start.from, to })
    },
  } as const
}

/** Events of a drawing: select, move, delete. */
function shapeEvents({ drawings }: Terminal, plane: Plane, moving: Signal<Moving | null>) {
  return ({ id, from, to }: Drawing) =>
    ({
      onPointerDown: (event: PointerEvent) => {
        drawings.selected.value = id
        capture(event)
        moving.value = { id, from: pixelIn(event), by: { x: 0, y: 0 } }
      },
      onPointerMove: (event: PointerEvent) => {
        const now = moving.peek()
        if (now === null) return
        const { x, y } = pixelIn(event)
        moving.value = { ...now, by: { x: x - now.from.x, y: y - now.from.y } }
      },
      onPointerUp: () => {
        const by = moving.peek()?.by
        moving.value = null
        if (by !== undefined && Math.hypot(by.x, by.y) > slack)
          drawings.move(id, { from: plane.shifted(from, by), to: plane.shifted(to, by) })
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Delete' && event.key !== 'Backspace') return
        event.preventDefault()
        drawings.remove(id)
      },
      onFocus: () => {
        drawings.selected.value = id
      },
    }) as const
}

/** Texts of drawings, with the decimals of the market's prices. */
const textsOf = (places: number) => ({
  priceText: (price: number) => fixed(price, places),
  changeText: (from: ChartPoint, to: ChartPoint) => {
    const change = to.price - from.price
    const time = countdown(Math.abs(to.at - from.at))
    return [signed(change, places), signedPercent(change / from.price), time].join(' · ')
  },
})

export default function DrawingLayer({ chart }: { chart: PriceChart }) {
  const terminal = useTerminal()
  const { drawings, markets } = terminal
  const { tickPlaces } = markets.grid.value
  // The places of all drawings change with every redraw of the chart.
  const redraws = useSignal(0)
  const pending = useSignal<Ends | null>(null)
  const moving = useSignal<Moving | null>(null)
  useEffect(
    () =>
      chart.onRedraw(() => {
        redraws.value += 1
      }),
    [chart],
  )
  redraws.value
  const plane = new Plane(chart)
  const width = chart.chart.timeScale().width()
  const canvas = { width, ...textsOf(tickPlaces), pixelOf: plane.pixelOf }
  const move = moving.value
  const shown = (drawing: Drawing): Drawing =>
    move?.id !== drawing.id
      ? drawing
      : {
          ...drawing,
          from: plane.shifted(drawing.from, move.by),
          to: plane.shifted(drawing.to, move.by),
        }
  const tool = drawings.tool.value
  const ends = pending.value
  const preview = tool === null || ends === null ? null : { id: 0, kind: tool, ...ends }
  const eventsOf = shapeEvents(terminal, plane, moving)
  return (
    <svg
      class={`chart-drawings ${tool === null ? '' : 'drawing'}`}
      style={{ width: `${width}px`, height: `${chart.paneHeight()}px` }}
      aria-label="Drawings"
    >
      {tool !== null && (
        <rect
          class="drawing-area"
          width="100%"
          height="100%"
          {...toolEvents(terminal, plane, pending)}
        />
      )}
      {drawings.now.value.map((drawing) => (
        // biome-ignore lint/a11y/useSemanticElements: a shape cannot be a button.
        <g
          key={drawing.id}
          class={`drawing-shape ${drawings.selected.value === drawing.id ? 'selected' : ''}`}
          role="button"
          tabIndex={0}
          aria-label={`${drawingKinds[drawing.kind]}, Delete removes it`}
          {...eventsOf(drawing)}
        >
          <ShapeParts shape={shapeOf(shown(drawing), canvas)} />
        </g>
      ))}
      {preview !== null && (
        <g class="drawing-shape selected">
          <ShapeParts shape={shapeOf(preview, canvas)} />
        </g>
      )}
    </svg>
  )
}

/** Each line twice: visible, and wide enough for a pointer. */
function ShapeParts({ shape }: { shape: Shape | null }) {
  if (shape === null) return null
  const { lines, area, texts } = shape
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
