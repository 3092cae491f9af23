// Lines of positions, orders and alerts over the chart, and the places of their labels.

import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import {
  alertLines,
  type ChartLine,
  lineGroupOf,
  linesOf,
} from '../../model/account/chart-lines.ts'
import {
  type LabelGroup,
  type LabelItem,
  type LabelLayout,
  labelHeight,
  layoutLabels,
  type PlacedLabel,
} from '../../model/chart/label-layout.ts'
import { useTerminal } from '../use-terminal.ts'
import { LineTag } from './line-tag.tsx'
import type { PriceChart } from './price-chart.ts'

/** Top of labels, below the legend of the chart. */
const top = 34
/** Explains why a label at the edge cannot be dragged: it is not at its price, so a drag would set
 *  a wrong price. */
const notDragged =
  'Beyond the scale of the chart: zoom out to drag it, or move it with the arrow keys'

const isPosition = ({ kind }: ChartLine) => kind !== 'order' && kind !== 'stop' && kind !== 'alert'

/** Puts a label to its place. The label of a line that is being moved stays where it is. */
function show(node: HTMLElement, y: number, placed: PlacedLabel | null) {
  const label = node.firstElementChild as HTMLElement
  const side = placed?.side ?? 'within'
  for (const each of ['above', 'below'] as const) node.classList.toggle(each, side === each)
  node.classList.toggle('beyond', side !== 'within')
  const isStuck = side !== 'within' && node.classList.contains('drags')
  label.title = isStuck ? notDragged : ''
  const half = labelHeight / 2
  const at = placed === null || side === 'within' ? y : placed.top + half
  // Not set by a transform, because every label must be above every line, whatever the order.
  node.style.top = `${at}px`
  label.style.marginTop = placed === null ? '' : `${placed.top + half - at}px`
  if (placed !== null) label.style.left = `${placed.left}px`
}

type Placing = Readonly<{
  chart: PriceChart
  lines: readonly ChartLine[]
  /** Lines that follow the user now. */
  held: ReadonlySet<string>
  opened: ReadonlySet<string>
}>

/** Reads sizes, computes the layout and applies it. Returns the groups of hidden labels. */
function place(box: HTMLElement, { chart, lines, held, opened }: Placing): readonly LabelGroup[] {
  box.style.right = `${chart.scaleWidth()}px`
  const area = { width: box.offsetWidth, height: chart.paneHeight(), top }
  const kinds = new Map(lines.map((line) => [line.id, line]))
  const shown = new Map<string, Readonly<{ node: HTMLElement; y: number }>>()
  const items: LabelItem[] = []
  for (const node of box.querySelectorAll<HTMLElement>('.line-tag')) {
    const { line: id = '', price } = node.dataset
    const y = chart.yOf(Number(price))
    const line = kinds.get(id)
    node.hidden = y === null || line === undefined
    if (y === null || line === undefined) continue
    shown.set(id, { node, y })
    // All labels have the same height and are measured while they are shown.
    const width = (node.firstElementChild as HTMLElement).offsetWidth
    if (!held.has(id)) items.push({ id, y, width, grouped: !isPosition(line) })
  }
  const layout: LabelLayout = layoutLabels(items, area, opened)
  const places = new Map(layout.labels.map((label) => [label.id, label]))
  for (const [id, { node, y }] of shown) {
    const placed = places.get(id) ?? null
    node.hidden = placed === null && !held.has(id)
    show(node, y, placed)
  }
  return layout.groups
}

/** Changes the signal only if the groups differ, so that redraws do not render the page again. */
function keepGroups(groups: Signal<readonly LabelGroup[]>, next: readonly LabelGroup[]): void {
  if (JSON.stringify(groups.peek()) !== JSON.stringify(next)) groups.value = next
}

export function ChartLines({ chart }: { chart: PriceChart }) {
  const { account, alerts, markets, preferences } = useTerminal()
  const symbol = markets.symbol.value
  const { positions, orders, algos } = account
  const hidden = preferences.now.value.hiddenLines
  const all = [
    ...linesOf(symbol, positions.value, orders.value, algos.value),
    ...alertLines(symbol, alerts.now.value),
  ]
  const lines = all.filter((line) => !hidden.includes(lineGroupOf(line)))
  const box = useRef<HTMLDivElement>(null)
  const current = useRef(lines)
  const held = useRef(new Set<string>()).current
  const opened = useSignal<ReadonlySet<string>>(new Set())
  const groups = useSignal<readonly LabelGroup[]>([])
  current.current = lines
  useLayoutEffect(() => {
    let due = false
    const now = () => {
      due = false
      if (box.current === null) return
      const state = { chart, lines: current.current, held, opened: opened.peek() }
      keepGroups(groups, place(box.current, state))
    }
    // The library reports one redraw up to nine times. Lines are placed once, before the page is
    // painted.
    return chart.onRedraw(() => {
      if (!due) queueMicrotask(now)
      due = true
    })
  }, [chart])
  useLayoutEffect(() => chart.redraw())
  const hold = (id: string, isHeld: boolean) => (isHeld ? held.add(id) : held.delete(id))
  return (
    <div class="chart-lines" ref={box}>
      {lines.map((line) => (
        <LineTag key={line.id} line={line} chart={chart} held={hold} />
      ))}
      {groups.value.map(({ key, left, top: at, ids }) => (
        <button
          key={key}
          type="button"
          class="line-group"
          style={{ left: `${left}px`, top: `${at}px` }}
          onClick={() => {
            opened.value = new Set([...opened.peek(), key])
            chart.redraw()
          }}
        >
          +{ids.length} orders
        </button>
      ))}
      {opened.value.size > 0 && (
        <button
          type="button"
          class="line-group fold"
          onClick={() => {
            opened.value = new Set()
            chart.redraw()
          }}
        >
          Group labels
        </button>
      )}
    </div>
  )
}
