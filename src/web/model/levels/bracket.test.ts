import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridOf } from '../market/market-grid.ts'
import type { OpenOrder, Position } from '../wire.ts'
import { afterOrder, bracketWarning } from './bracket.ts'
import { type Entered, emptyRow, figuresOf, type LevelRow } from './level-rows.ts'

const grid = gridOf({ tick_size: '0.5', lot_size: '0.001' })
const buy: Entered = { side: 'bid', entry: 100, mark: 104, amount: '1' }
const long = { s: 'BTC', d: 'bid', a: '3', p: '120' } as Position
const short = { ...long, d: 'ask', a: '0.4' } as Position
const row = (text: string, share = '100'): LevelRow => ({ ...emptyRow, text, share })

test('a level for everything closes the position after the order', () => {
  assert.deepEqual(afterOrder(buy, undefined, grid), { amount: '1', entry: 100 })
  const after = afterOrder(buy, long, grid)
  assert.deepEqual(after, { amount: '4', entry: 115 })
  assert.deepEqual(afterOrder(buy, short, grid), { amount: '0.6', entry: 100 })
  assert.equal(afterOrder(buy, { ...short, a: '1' }, grid), null)
  const of = (rows: readonly LevelRow[]) =>
    figuresOf(rows, 'stop_loss', { ...buy, after: after! }, grid).map((figures) => [
      figures!.whole,
      figures!.amount,
      figures!.gain.toFixed(2),
    ])
  // All of the position, from 115 on average, not the one of the order from 100.
  assert.deepEqual(of([row('90')]), [[true, '4', '-100.00']])
  // Those with sizes close a part of the same position.
  assert.deepEqual(of([row('90', '50'), row('80', '50')]), [
    [false, '0.5', '-12.50'],
    [false, '0.5', '-17.50'],
  ])
})

test('the gain and distance of a level use the entry price after the fill', () => {
  const of = (rows: readonly LevelRow[], position?: Position) => {
    const after = position === undefined ? null : afterOrder(buy, position, grid)
    const entered = after === null ? buy : { ...buy, after }
    return figuresOf(rows, 'take_profit', entered, grid).map((figures) => [
      figures!.price,
      figures!.gain.toFixed(2),
      (figures!.away * 100).toFixed(2),
    ])
  }
  // 3 from 120 and 1 from 100 are 4 from 115: at 110 even a take profit loses.
  assert.deepEqual(of([row('110')], long), [['110', '-20.00', '-4.35']])
  assert.deepEqual(of([row('110', '50')], long), [['110', '-2.50', '-4.35']])
  // Percent are still measured from the order's price, as they are sent.
  assert.deepEqual(of([{ ...row('10', '50'), by: 'percent' }], long), [['110', '-2.50', '-4.35']])
  assert.deepEqual(of([row('110', '50')], short), [['110', '5.00', '10.00']])
  assert.deepEqual(of([row('110', '50')]), [['110', '5.00', '10.00']])
})

test('replaced levels, and an unprotected rest, are shown before it is sent', () => {
  const levels = [{ sp: '95' }, { sp: '90.5' }] as OpenOrder[]
  const said = (rows: readonly LevelRow[], position?: Position, present = levels) =>
    bracketWarning({ rows, kind: 'stop_loss', entered: buy, position, present, grid })
  assert.equal(
    said([row('90')], long),
    'When it fills it replaces the stop losses of the position: 95.0, 90.5.',
  )
  assert.equal(
    said([row('90', '50'), row('80', '50')], long, levels.slice(0, 1)),
    'When it fills it replaces the stop loss of the position: 95.0. ' +
      '3 of the position has no stop loss then.',
  )
  assert.equal(said([row('')], long), '')
  assert.equal(said([row('90')], long, []), '')
  assert.equal(said([row('90')]), '')
  assert.equal(said([row('90')], short, []), '')
  const shrinks = said([row('90')], { ...short, a: '2' } as Position)
  assert.equal(shrinks, 'The order only shrinks the short: no stop loss comes of it.')
})
