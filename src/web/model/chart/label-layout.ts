// Places the labels of lines over the chart, as a pure function. All labels are placed together, so
// that none covers another: those of lines beyond the visible prices at the upper or lower edge,
// the others at their line, or next to it. Where more than eight labels of orders come together,
// the rest becomes one label with their number.

export type LabelItem = Readonly<{
  id: string
  /** Height of the line in pixels from the top. */
  y: number
  width: number
  /** Whether it may be hidden in a group. Labels of positions never are. */
  grouped: boolean
}>

export type LabelArea = Readonly<{
  /** Width and height that labels may use. */
  width: number
  height: number
  /** Top of the first row, below the legend of the chart. */
  top: number
}>

export type Side = 'above' | 'below' | 'within'

export type PlacedLabel = Readonly<{ id: string; side: Side; left: number; top: number }>

/** The labels of a group that are not shown. Its key stays the same while the group changes. */
export type LabelGroup = Readonly<{
  key: string
  left: number
  top: number
  ids: readonly string[]
}>

export type LabelLayout = Readonly<{
  labels: readonly PlacedLabel[]
  groups: readonly LabelGroup[]
}>

export const labelHeight = 18
const gap = 4
const rowHeight = labelHeight + 2
const edge = 10
/** Labels that are shown of those that come together. */
const shownMax = 8
const groupWidth = 84
const half = labelHeight / 2

type Box = Readonly<{ left: number; top: number; width: number }>

const overlaps = (a: Box, b: Box) =>
  Math.abs(a.top - b.top) < labelHeight && a.left < b.left + b.width && b.left < a.left + a.width

/** Places boxes where no other one is. */
class Space {
  private readonly boxes: Box[] = []
  private readonly area: LabelArea

  constructor(area: LabelArea) {
    this.area = area
  }

  /** The first free place in the row at `top`; otherwise in the next rows, downwards or upwards. */
  place(top: number, width: number, step: 1 | -1): Box {
    const lowest = this.area.height - labelHeight
    const first = Math.min(Math.max(top, this.area.top), Math.max(lowest, this.area.top))
    let at = first
    let direction = step
    for (let turn = 0; turn < 2; turn++) {
      for (; at >= this.area.top && at <= lowest; at += direction * rowHeight) {
        const left = this.freeIn(at, width)
        if (left !== null) return this.taken({ left, top: at, width })
      }
      direction = direction === 1 ? -1 : 1
      at = first + direction * rowHeight
    }
    return this.taken({ left: edge, top: first, width })
  }

  private freeIn(top: number, width: number): number | null {
    let left = edge
    for (;;) {
      const box = { left: left - gap, top, width: width + gap }
      const met = this.boxes.filter((each) => overlaps(each, box))
      if (met.length === 0) return left
      left = Math.max(...met.map((each) => each.left + each.width)) + gap
      if (left + width > this.area.width) return null
    }
  }

  private taken(box: Box): Box {
    this.boxes.push(box)
    return box
  }
}

type Cluster = Readonly<{ key: string; side: Side; items: readonly LabelItem[] }>

/** Splits labels into those beyond either edge, and neighbours within the range. */
function clustersOf(items: readonly LabelItem[], { top, height }: LabelArea): readonly Cluster[] {
  const sorted = items.toSorted((a, b) => a.y - b.y)
  const bottom = height - half
  const above = sorted.filter(({ y }) => y < top - half).toReversed()
  const below = sorted.filter(({ y }) => y > bottom)
  const clusters: { key: string; side: Side; items: LabelItem[] }[] = [
    { key: 'above', side: 'above', items: above },
    { key: 'below', side: 'below', items: below },
  ]
  let last = Number.NEGATIVE_INFINITY
  for (const item of sorted.slice(above.length, sorted.length - below.length)) {
    if (item.y - last < labelHeight) clusters.at(-1)!.items.push(item)
    else clusters.push({ key: `within-${item.id}`, side: 'within', items: [item] })
    last = item.y
  }
  return clusters.filter(({ items: its }) => its.length > 0)
}

/** Splits a cluster into the labels that are shown and those of the group. A group of one would
 *  need as much space as its label. */
function shownOf({ key, items }: Cluster, opened: ReadonlySet<string>) {
  const surplus = items.length - shownMax
  if (surplus < 2 || opened.has(key)) return { shown: items, rest: [] }
  const rest = items.filter(({ grouped }) => grouped).slice(-surplus)
  return { shown: items.filter((item) => !rest.includes(item)), rest }
}

/** `opened` has the keys of groups whose labels are all shown. */
export function layoutLabels(
  items: readonly LabelItem[],
  area: LabelArea,
  opened: ReadonlySet<string> = new Set(),
): LabelLayout {
  const space = new Space(area)
  const labels: PlacedLabel[] = []
  const groups: LabelGroup[] = []
  for (const cluster of clustersOf(items, area)) {
    const { key, side } = cluster
    const { shown, rest } = shownOf(cluster, opened)
    const step = side === 'below' ? -1 : 1
    const wanted = (y: number) =>
      side === 'above' ? area.top : side === 'below' ? area.height - labelHeight : y - half
    for (const { id, y, width } of shown) {
      const { left, top } = space.place(wanted(y), width, step)
      labels.push({ id, side, left, top })
    }
    if (rest.length === 0) continue
    const { left, top } = space.place(wanted(rest.at(-1)!.y), groupWidth, step)
    groups.push({ key, left, top, ids: rest.map(({ id }) => id) })
  }
  return { labels, groups }
}
