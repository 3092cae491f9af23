// The depth chart: the size that could be bought or sold up to each price.

import { useEffect, useRef } from 'preact/hooks'
import { fixed } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { useTerminal } from '../use-terminal.ts'
import { chartColours } from './price-chart.ts'

type Point = Readonly<{ price: number; sum: number }>

function sums(terminal: Terminal, side: 'bid' | 'ask'): Point[] {
  let sum = 0
  const points: Point[] = []
  for (const { price, size } of terminal.live.levels(side)) {
    sum += size
    points.push({ price, sum })
  }
  return points
}

/** Width of the chart on each side of the middle, which is that of the narrower side. */
function reach(bids: readonly Point[], asks: readonly Point[], middle: number): number {
  const down = middle - (bids.at(-1)?.price ?? middle)
  const up = (asks.at(-1)?.price ?? middle) - middle
  return Math.max(Math.min(down || up, up || down), middle * 1e-4)
}

function draw(canvas: HTMLCanvasElement, terminal: Terminal): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { width, height } = canvas.getBoundingClientRect()
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.scale(scale, scale)
  const bids = sums(terminal, 'bid')
  const asks = sums(terminal, 'ask')
  const best = [bids[0]?.price, asks[0]?.price].filter((each) => each !== undefined)
  if (best.length === 0) return
  const middle = best.reduce((sum, each) => sum + each, 0) / best.length
  const span = reach(bids, asks, middle)
  const within = (points: readonly Point[]) =>
    points.filter(({ price }) => Math.abs(price - middle) <= span)
  const most = Math.max(within(bids).at(-1)?.sum ?? 0, within(asks).at(-1)?.sum ?? 0, 1e-12)
  const x = (price: number) => ((price - middle + span) / (2 * span)) * width
  const y = (sum: number) => height - 22 - (sum / most) * (height - 44)
  const colours = chartColours()
  const area = (points: readonly Point[], line: string, fill: string, end: number) => {
    if (points.length === 0) return
    context.beginPath()
    context.moveTo(x(points[0]!.price), y(0))
    let sum = 0
    for (const point of points) {
      context.lineTo(x(point.price), y(sum))
      context.lineTo(x(point.price), y(point.sum))
      sum = point.sum
    }
    context.lineTo(end, y(sum))
    context.strokeStyle = line
    context.stroke()
    context.lineTo(end, y(0))
    context.fillStyle = fill
    context.fill()
  }
  area(within(bids), colours.up, colours.upFaint, 0)
  area(within(asks), colours.down, colours.downFaint, width)
  context.fillStyle = colours.text
  context.font = `11px ${colours.font}`
  context.textAlign = 'center'
  const { tickPlaces, lotPlaces } = terminal.markets.grid.peek()
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const price = middle - span + part * 2 * span
    context.fillText(fixed(price, tickPlaces), part * width, height - 6)
  }
  context.textAlign = 'left'
  context.fillText(`${fixed(most, lotPlaces)} ${terminal.markets.market.peek()?.base_asset}`, 8, 16)
}

const drawMs = 200

export function DepthChart() {
  const terminal = useTerminal()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const redraw = () => canvas.current !== null && draw(canvas.current, terminal)
    redraw()
    const timer = setInterval(redraw, drawMs)
    return () => clearInterval(timer)
  }, [terminal])
  return <canvas class="plot" ref={canvas} role="img" aria-label="Depth of the book" />
}
