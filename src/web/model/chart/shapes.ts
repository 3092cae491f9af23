// The geometry of drawings: lines, areas and texts in pixels, from points in time and price.

import type { Drawing } from './drawings.ts'

export type Pixel = Readonly<{ x: number; y: number }>
export type ShapeLine = Readonly<{ from: Pixel; to: Pixel }>
export type ShapeText = Readonly<{ at: Pixel; text: string }>
export type Shape = Readonly<{
  lines: readonly ShapeLine[]
  area: Readonly<{ x: number; y: number; width: number; height: number }> | null
  texts: readonly ShapeText[]
}>

type Canvas = Readonly<{
  width: number
  priceText: (price: number) => string
  /** Describes the way from one point to another. */
  changeText: (from: Drawing['from'], to: Drawing['to']) => string
  pixelOf: (point: Drawing['from']) => Pixel | null
}>

/** Shares of a Fibonacci retracement. */
const retracements = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1]

const line = (from: Pixel, to: Pixel): ShapeLine => ({ from, to })

function areaOf(a: Pixel, b: Pixel) {
  return {
    x: Math.min(a.x, b.x),
    y: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  }
}

/** Continues a line through `b` to the edge of the chart in its direction. */
function extended(a: Pixel, b: Pixel, width: number): Pixel {
  if (a.x === b.x) return { x: b.x, y: b.y < a.y ? -10_000 : 10_000 }
  const x = b.x > a.x ? width : 0
  return { x, y: a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x) }
}

/** `null` if the chart cannot place one of its points. */
export function shapeOf({ kind, from, to }: Drawing, canvas: Canvas): Shape | null {
  const a = canvas.pixelOf(from)
  const b = canvas.pixelOf(to)
  if (a === null || b === null) return null
  const { width, priceText, changeText } = canvas
  switch (kind) {
    case 'trend':
      return { lines: [line(a, b)], area: null, texts: [] }
    case 'ray':
      return { lines: [line(a, extended(a, b, width))], area: null, texts: [] }
    case 'horizontal': {
      const ends = [
        { x: 0, y: a.y },
        { x: width, y: a.y },
      ] as const
      const text = { at: { x: 4, y: a.y - 4 }, text: priceText(from.price) }
      return { lines: [line(...ends)], area: null, texts: [text] }
    }
    case 'rectangle':
      return { lines: [], area: areaOf(a, b), texts: [] }
    case 'fibonacci': {
      const left = Math.min(a.x, b.x)
      const right = Math.max(a.x, b.x)
      const rows = retracements.map((share) => ({
        y: b.y + (a.y - b.y) * share,
        text: `${share} (${priceText(to.price + (from.price - to.price) * share)})`,
      }))
      return {
        lines: rows.map(({ y }) => line({ x: left, y }, { x: right, y })),
        area: null,
        texts: rows.map(({ y, text }) => ({ at: { x: left + 2, y: y - 3 }, text })),
      }
    }
    case 'measure': {
      const text = { at: { x: b.x + 6, y: b.y }, text: changeText(from, to) }
      return { lines: [line(a, b)], area: areaOf(a, b), texts: [text] }
    }
    default:
      kind satisfies never
      return null
  }
}
