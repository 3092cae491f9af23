import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals'
import { Drawings, drawingsMax } from './drawings.ts'
import { shapeOf } from './shapes.ts'
import { indexAt, timeAt } from './time-axis.ts'

function board() {
  const texts = new Map<string, string>()
  const storage = {
    get: (name: string) => texts.get(name) ?? null,
    set: (name: string, value: string) => void texts.set(name, value),
    remove: (name: string) => void texts.delete(name),
  }
  const symbol = signal('BTC')
  return { symbol, texts, open: () => new Drawings(storage, symbol) }
}

const a = { at: 0, price: 100 }
const b = { at: 60_000, price: 110 }

test('drawings are kept for each market, and undone step by step', () => {
  const { symbol, open } = board()
  const drawings = open()
  drawings.add('trend', a, b)
  drawings.add('horizontal', b, b)
  drawings.move(1, { from: b, to: a })
  symbol.value = 'ETH'
  assert.deepEqual(drawings.now.value, [])
  symbol.value = 'BTC'
  assert.equal(drawings.now.value.length, 2)
  assert.deepEqual(open().now.value, drawings.now.value)
  drawings.remove(2)
  drawings.clear()
  drawings.undo()
  drawings.undo()
  assert.equal(drawings.now.value.length, 2)
  assert.equal(drawings.undoable.value, false)
  drawings.undo()
  assert.equal(drawings.now.value.length, 2)
})

test('damaged drawings are ignored, and their number is limited', () => {
  const { texts, open } = board()
  texts.set('openperp.drawings', '{"BTC":[{"id":1,"kind":"trend"},null]}')
  const drawings = open()
  assert.deepEqual(drawings.now.value, [])
  for (let at = 0; at < drawingsMax; at++) assert.ok(drawings.add('trend', a, b))
  assert.equal(drawings.add('trend', a, b), false)
  assert.equal(drawings.now.value.length, drawingsMax)
})

const canvas = {
  width: 500,
  priceText: String,
  changeText: (from: typeof a, to: typeof a) => `${to.price - from.price} in ${to.at - from.at}`,
  pixelOf: ({ at, price }: typeof a) => ({ x: at / 1_000, y: 200 - price }),
}
const drawing = { id: 1, from: a, to: b }

test('a ray continues to the edge, in its direction', () => {
  const shape = shapeOf({ ...drawing, kind: 'ray' }, canvas)
  assert.deepEqual(shape?.lines[0]?.to, { x: 500, y: 100 - (10 / 60) * 500 })
  const back = shapeOf({ ...drawing, kind: 'ray', from: b, to: a }, canvas)
  assert.deepEqual(back?.lines[0]?.to, { x: 0, y: 100 })
})

test('a retracement has its seven levels, from the end of the move', () => {
  const texts = shapeOf({ ...drawing, kind: 'fibonacci' }, canvas)!.texts.map(({ text }) => text)
  assert.deepEqual(
    [texts.length, texts[0], texts[3], texts[6]],
    [7, '0 (110)', '0.5 (105)', '1 (100)'],
  )
})

test('a measurement describes the way between its points', () => {
  const shape = shapeOf({ ...drawing, kind: 'measure' }, canvas)
  assert.equal(shape?.texts[0]?.text, '10 in 60000')
})

test('times and places of the axis agree, in gaps and beyond the bars', () => {
  const rows = [{ t: 0 }, { t: 60 }, { t: 300 }, { t: 360 }]
  assert.equal(indexAt(rows, 60, 180), 1.5)
  assert.equal(indexAt(rows, 60, 480), 5)
  assert.equal(indexAt(rows, 60, -60), -1)
  for (const at of [-120, 0, 30, 60, 200, 300, 360, 900])
    assert.equal(timeAt(rows, 60, indexAt(rows, 60, at)), at)
  assert.equal(indexAt([], 60, 5), 0)
})
