import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type LabelItem, type LabelLayout, labelHeight, layoutLabels } from './label-layout.ts'

const area = { width: 900, height: 600, top: 34 }

const label = (id: string, y: number, width = 120, grouped = true): LabelItem => ({
  id,
  y,
  width,
  grouped,
})

function boxesOf(items: readonly LabelItem[], { labels, groups }: LabelLayout) {
  const widths = new Map(items.map(({ id, width }) => [id, width]))
  return [
    ...labels.map(({ id, left, top }) => ({ left, top, width: widths.get(id)! })),
    ...groups.map(({ left, top }) => ({ left, top, width: 84 })),
  ]
}

test('a label is at its line, and those beyond the range are at the edges, nearest first', () => {
  const items = [label('far', 2_000), label('in', 300), label('near', 700), label('up', -50)]
  const { labels, groups } = layoutLabels(items, area)
  assert.deepEqual(groups, [])
  const at = new Map(labels.map((each) => [each.id, each]))
  assert.deepEqual(at.get('in'), { id: 'in', side: 'within', left: 10, top: 291 })
  assert.deepEqual(at.get('up'), { id: 'up', side: 'above', left: 10, top: 34 })
  assert.deepEqual(at.get('near'), { id: 'near', side: 'below', left: 10, top: 582 })
  assert.deepEqual(at.get('far'), { id: 'far', side: 'below', left: 134, top: 582 })
})

test('a label within the range gives room to one at the edge', () => {
  const { labels } = layoutLabels([label('edge', -10), label('in', 40)], area)
  assert.deepEqual(
    labels.map(({ id, left, top }) => [id, left, top]),
    [
      ['edge', 10, 34],
      ['in', 134, 34],
    ],
  )
})

test('beyond eight, labels of orders become one with their number, until it is opened', () => {
  const orders = Array.from({ length: 20 }, (_, at) => label(`o${at}`, 300 + at))
  const items = [...orders, label('liquidation', 330, 120, false)]
  const { labels, groups } = layoutLabels(items, area)
  assert.equal(groups.length, 1)
  assert.equal(labels.length, 8)
  assert.equal(groups[0]!.ids.length, 13)
  assert.ok(labels.some(({ id }) => id === 'liquidation'))
  const opened = layoutLabels(items, area, new Set([groups[0]!.key]))
  assert.deepEqual([opened.labels.length, opened.groups.length], [21, 0])
})

// Few heights and wide labels on purpose: rows fill up, and clusters meet the labels at the edges.
const items = fc
  .array(
    fc.record({
      y: fc.integer({ min: -200, max: 800 }),
      width: fc.integer({ min: 40, max: 260 }),
      grouped: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((rows) => rows.map((row, at) => ({ ...row, id: String(at) })))

test('each label is shown or counted once, inside of the area, and none covers another', () => {
  fc.assert(
    fc.property(items, (all) => {
      const layout = layoutLabels(all, area)
      const found = [
        ...layout.labels.map(({ id }) => id),
        ...layout.groups.flatMap(({ ids }) => ids),
      ]
      assert.deepEqual(found.toSorted(), all.map(({ id }) => id).toSorted())
      const boxes = boxesOf(all, layout)
      for (const { left, top, width } of boxes) {
        assert.ok(left >= 10 && left + width <= Math.max(area.width, 270))
        assert.ok(top >= area.top && top + labelHeight <= area.height)
      }
      boxes.forEach((a, at) => {
        for (const b of boxes.slice(at + 1))
          assert.ok(
            Math.abs(a.top - b.top) >= labelHeight ||
              a.left >= b.left + b.width ||
              b.left >= a.left + a.width,
            JSON.stringify([a, b]),
          )
      })
    }),
  )
})
