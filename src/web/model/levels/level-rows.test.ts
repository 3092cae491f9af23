import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { gridOf, stepsOf } from '../market/market-grid.ts'
import type { OpenOrder, Position } from '../wire.ts'
import {
  bodiesOf,
  type Entered,
  emptyRow,
  figuresOf,
  type LevelRow,
  rowNamed,
  rowsProblem,
  sizesOf,
  uncovered,
  withoutRow,
  withRow,
} from './level-rows.ts'
import { asNow, haveChanged, partsOf, rowsOf, sizesMoved, typedOver } from './position-levels.ts'

const grid = gridOf({ tick_size: '0.5', lot_size: '0.001' })
const long: Entered = { side: 'bid', entry: 100, mark: 104, amount: '2' }
const row = (text: string, share = '100', part: Partial<LevelRow> = {}): LevelRow => ({
  ...emptyRow,
  text,
  share,
  ...part,
})
const shares = (rows: readonly LevelRow[]) => rows.map(({ share }) => share)

test('one level for everything has no size, parts of it have one each', () => {
  assert.deepEqual(bodiesOf([row('110')], 'take_profit', long, grid), [{ stop_price: '110' }])
  const two = [row('10', '50', { by: 'percent' }), row(''), row('120', '25')]
  assert.deepEqual(bodiesOf(two, 'take_profit', long, grid), [
    { stop_price: '110', amount: '1' },
    { stop_price: '120', amount: '0.5' },
  ])
  const losses = [row('1.2', '50', { by: 'percent' }), row('2', '50', { by: 'trail' })]
  assert.deepEqual(bodiesOf(losses, 'stop_loss', long, grid), [
    { stop_price: '99', amount: '1' },
    { trailing_percent: '2', amount: '1' },
  ])
  const short = { ...long, side: 'ask' } as const
  const [loss] = bodiesOf([row('5', '100', { by: 'percent' })], 'stop_loss', short, grid)
  assert.deepEqual(loss, { stop_price: '105' })
})

test('a row shows the size it closes, and the gain or loss', () => {
  const [first, second] = figuresOf([row('110', '50'), row('x', '50')], 'take_profit', long, grid)
  assert.deepEqual([first!.amount, first!.price, first!.gain.toFixed(2)], ['1', '110', '10.00'])
  assert.equal(second, null)
  const trailing = [row('5', '100', { by: 'trail' })]
  // Five percent behind the mark of 104, on the grid.
  const [trail] = figuresOf(trailing, 'stop_loss', long, grid)
  assert.deepEqual([trail!.price, trail!.gain.toFixed(2)], ['99', '-2.00'])
})

// Few lots and shares of hundredths of a percent, so that rounding has to choose.
test('sizes are on the grid, and add up to the position', () => {
  const input = fc.record({
    lots: fc.integer({ min: 1, max: 5_000 }),
    cuts: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 4 }),
  })
  fc.assert(
    fc.property(input, ({ lots, cuts }) => {
      const ends = [...cuts.sort((one, other) => one - other), 10_000]
      const rows = ends.map((end, at) => row('1', String((end - (ends[at - 1] ?? 0)) / 100)))
      const sizes = sizesOf(rows, String(lots / 1_000), grid)
      const sum = sizes.reduce((all, size) => all + (stepsOf(size ?? '', grid.lot) ?? 0), 0)
      assert.equal(sum, lots)
      for (const [at, size] of sizes.entries()) {
        const exact = (lots * Number(rows[at]!.share)) / 100
        assert.ok(Math.abs(Number(size) * 1_000 - exact) < 1, `${size} of ${exact}`)
      }
    }),
  )
})

test('even shares stay even, others leave the remainder', () => {
  const two = withRow([row('110')])
  assert.deepEqual(shares(two), ['50', '50'])
  assert.deepEqual(shares(withRow(two)), ['34', '33', '33'])
  assert.deepEqual(shares(withoutRow(withRow(two), 1)), ['50', '50'])
  assert.deepEqual(shares(withRow([row('110', '30'), row('120', '20')])), ['30', '20', '50'])
  assert.deepEqual(withoutRow([row('110')], 0), [emptyRow])
})

test('more than 100 % is shown as it is, before it is refused', () => {
  assert.deepEqual(sizesOf([row('110', '60'), row('120', '50')], '0.03', grid), ['0.018', '0.015'])
})

test('an invalid, too large or too small number is reported at its row', () => {
  const said = (rows: readonly LevelRow[]) => rowsProblem(rows, 'take_profit', '0.002', grid)
  assert.equal(said([row('110', '60'), row('', '90'), row('120', '40')]), null)
  assert.deepEqual(said([row('110', '60'), row('x', '40')])?.row, 1)
  const much = said([row('110', '60'), row('120', '50')])
  assert.deepEqual(much, {
    row: 1,
    message: 'The shares of the take profits add up to 110 %, at most to 100',
  })
  const little = said([row('110', '10'), row('120', '90')])
  assert.match(little!.message, /^10 % of 0\.002 is less than the smallest size, 0\.001$/)
})

test('an impossible value is reported, and excluded from sums', () => {
  const wrong: readonly (readonly [LevelRow, string])[] = [
    [row('-5'), 'The take profit is not a number'],
    [row('abc'), 'The take profit is not a number'],
    [row('-5', '100', { by: 'percent' }), 'The take profit is not a number'],
    [row('110', 'abc'), 'The share is not a number'],
    [row('110', '-1'), 'The share is not a number'],
    [row('110', ''), 'The share is missing'],
    [row('110', '33.333'), 'The share has at most two decimals'],
    [row('110', '150'), 'The share is at most 100 %'],
    [row('110', '9'.repeat(30)), 'The share is at most 100 %'],
  ]
  const open: Entered = { ...long, amount: '0.07', open: true }
  for (const [each, message] of wrong) {
    const rows = [row('120', '50'), each]
    const about = `${each.text} ${each.share}`
    const said = { row: 1, message }
    assert.deepEqual(rowsProblem(rows, 'take_profit', '0.07', grid), said, about)
    const [right, none] = figuresOf(rows, 'take_profit', open, grid)
    assert.deepEqual([right?.amount, none], ['0.035', null], about)
    assert.equal(uncovered(rows, 'take_profit', open, grid), '', about)
  }
})

test('a refusal names its row by its place among those that were sent, or by its price', () => {
  const rows = [{ price: '110' }, { price: null }, { price: '120' }]
  const named = (message: string) => rowNamed(message, 'take_profit', rows)
  assert.equal(named('take_profit[1].stop_price 120 is not a multiple'), 2)
  assert.equal(named('take_profit.stop_price 110 is not a multiple'), 0)
  assert.equal(named('stop price 120 is reached already'), 2)
  assert.equal(named('stop_loss.stop_price 120 is not a multiple'), null)
  assert.equal(named('something else'), null)
})

test('of an open position the level that is reached last closes the rest, however it grows', () => {
  const open: Entered = { ...long, open: true }
  const two = [row('120', '50'), row('110', '50')]
  assert.deepEqual(bodiesOf(two, 'take_profit', open, grid), [
    { stop_price: '120' },
    { stop_price: '110', amount: '1' },
  ])
  assert.deepEqual(bodiesOf([row('90', '40'), row('80', '60')], 'stop_loss', open, grid), [
    { stop_price: '90', amount: '0.8' },
    { stop_price: '80' },
  ])
  const sizes = (rows: readonly LevelRow[]) =>
    bodiesOf(rows, 'stop_loss', open, grid).map(({ amount }) => amount)
  // Less than everything stays less, and it is unknown when a trail is reached.
  const part = [row('90', '40'), row('80', '50')]
  assert.deepEqual(sizes(part), ['0.8', '1'])
  assert.equal(uncovered(part, 'stop_loss', open, grid), '0.2 has no stop loss.')
  const trail = [row('90', '50'), row('2', '50', { by: 'trail' })]
  assert.deepEqual(sizes(trail), ['1', '1'])
  assert.match(uncovered(trail, 'stop_loss', open, grid), /what the position grows by has no stop/)
  assert.equal(uncovered([row('90')], 'stop_loss', open, grid), '')
  assert.equal(uncovered([row('90', '40'), row('80', '60')], 'stop_loss', open, grid), '')
})

test('the level that closes the rest is one of them when they are read and moved again', () => {
  const position = { s: 'BTC', d: 'bid', a: '4', p: '100' } as Position
  const level = (part: object) =>
    ({ ot: 'take_profit_market', I: null, c: '0', ...part }) as OpenOrder
  const half = level({ a: '1', sp: '110' })
  const rest = level({ a: '4', sp: '120', whole_position: true })
  assert.deepEqual(partsOf(position, 'take_profit', [half, rest]), [0.25, 0.75])
  const rows = rowsOf(position, 'take_profit', [half, rest], grid)
  assert.deepEqual(shares(rows), ['25', '75'])
  const open: Entered = { ...long, amount: position.a, open: true }
  const bodies = (price: string) =>
    bodiesOf([rows[0]!, { ...rows[1]!, text: price }], 'take_profit', open, grid)
  assert.deepEqual(bodies('120'), [{ stop_price: '110', amount: '1' }, { stop_price: '120' }])
  // Before the other it closes its part, and the other one what is left then.
  assert.deepEqual(bodies('105'), [{ stop_price: '110' }, { stop_price: '105', amount: '3' }])
  const moved = (sp: string) =>
    sizesMoved(position, 'take_profit', {
      before: [half, rest],
      after: [half, { ...rest, sp }],
      lot: grid.lot,
    })
  assert.deepEqual(moved('115'), [{ amount: '1' }, {}])
  assert.deepEqual(moved('105'), [{}, { amount: '3' }])
})

test('levels that were not edited keep their size, even if the position has changed', () => {
  const position = { s: 'BTC', d: 'bid', a: '0.072', p: '100' } as Position
  const level = (i: number, part: object) =>
    ({ i, ot: 'take_profit_market', I: null, c: '0', ...part }) as OpenOrder
  const first = level(1, { a: '0.024', sp: '110' })
  const rest = level(2, { a: '0.072', sp: '120', whole_position: true })
  const fixed = level(3, { a: '0.048', sp: '120' })
  const bodies = (
    levels: readonly OpenOrder[],
    amount: string,
    change: (rows: readonly LevelRow[]) => readonly LevelRow[],
  ) => {
    const open: Entered = { ...long, amount, open: true }
    const rows = change(rowsOf(position, 'take_profit', levels, grid))
    return bodiesOf(rows, 'take_profit', open, grid).map((body) => [body.stop_price, body.amount])
  }
  const moved = (price: string) => (rows: readonly LevelRow[]) =>
    rows.with(1, { ...rows[1]!, text: price })
  // A third of 0.072 is shown as 33.33 %, which is less than 0.024.
  assert.deepEqual(bodies([first, rest], '0.072', moved('130')), [
    ['110', '0.024'],
    ['130', undefined],
  ])
  assert.deepEqual(bodies([first, rest], '0.09', moved('105')), [
    ['110', undefined],
    ['105', '0.066'],
  ])
  for (const amount of ['0.072', '0.09'])
    assert.deepEqual(bodies([first, fixed], amount, moved('130')), [
      ['110', '0.024'],
      ['130', '0.048'],
    ])
  // The share of the other is changed: of the position of now.
  const share = (rows: readonly LevelRow[]) => rows.with(1, { ...rows[1]!, share: '50' })
  assert.deepEqual(bodies([first, fixed], '0.09', share), [
    ['110', '0.024'],
    ['120', '0.045'],
  ])
  // Cut by the exchange meanwhile, and not grown again with the position.
  const after = (...levels: readonly OpenOrder[]) => {
    return (rows: readonly LevelRow[]) => {
      const typed = typedOver(moved('130')(rows), rows, undefined)
      return asNow(typed, rowsOf(position, 'take_profit', levels, grid))
    }
  }
  assert.deepEqual(bodies([first, fixed], '0.072', after({ ...first, c: '0.02' }, fixed)), [
    ['110', '0.004'],
    ['130', '0.048'],
  ])
  // The first has fired meanwhile: what is typed into the other sets that one only.
  assert.deepEqual(bodies([first, fixed], '0.048', after(fixed)), [['130', '0.048']])
})

test('typed values stay, and levels that came meanwhile are kept', () => {
  const position = { s: 'BTC', d: 'bid', a: '0.07', p: '100' } as Position
  const loss = (i: number, sp: string) =>
    [{ i, ot: 'stop_loss_market', I: null, c: '0', a: '0.07', sp, whole_position: true }] as never
  const rowsWith = (levels: readonly OpenOrder[]) => rowsOf(position, 'stop_loss', levels, grid)
  const [before, after, none] = [rowsWith(loss(1, '90')), rowsWith(loss(2, '92')), rowsWith([])]
  const typed = typedOver([{ ...before[0]!, text: '91' }], before, undefined)
  const texts = (rows: readonly LevelRow[]) => rows.map(({ text }) => text)
  assert.deepEqual([texts(asNow(typed, before)), haveChanged(typed, before)], [['91'], false])
  // Replaced: both are there to choose from, and 200 % cannot be saved.
  assert.deepEqual([texts(asNow(typed, after)), haveChanged(typed, after)], [['91', '92'], true])
  assert.match(rowsProblem(asNow(typed, after), 'stop_loss', '0.07', grid)!.message, /200 %/)
  // Ended: what was typed is a new one, what was not goes with it.
  assert.deepEqual(asNow(typed, none), [row('91')])
  const shared = typedOver([...before, row('80')], before, undefined)
  assert.deepEqual([texts(asNow(shared, none)), haveChanged(shared, none)], [['80'], true])
  assert.deepEqual(asNow(typedOver(before, before, undefined), none), [emptyRow])
  // A level that was shown may be removed.
  const taken = typedOver([row('91')], after, typed)
  assert.deepEqual([texts(asNow(taken, after)), haveChanged(taken, after)], [['91'], false])
})

test('levels that are there become rows, and unchanged rows become the same levels', () => {
  const position = { s: 'BTC', d: 'bid', a: '0.003', p: '100' } as Position
  const level = (part: object) =>
    ({ ot: 'stop_loss_market', I: null, c: '0', ...part }) as OpenOrder
  const by = { trigger_price_type: 'mid_price' }
  const trailing = { trailing_percent: null, trailing_distance: '4', activation_price: '110' }
  const levels = [
    level({ a: '0.001', sp: '90', ot: 'stop_loss_limit', ip: '89.5', I: 'mine', ...by }),
    level({ a: '0.003', sp: '95', trailing, whole_position: true }),
  ]
  const rows = rowsOf(position, 'stop_loss', levels, grid)
  assert.deepEqual(shares(rows), ['33.33', '100'])
  assert.equal(rowsProblem(rows, 'stop_loss', position.a, grid), null)
  assert.deepEqual(bodiesOf(rows, 'stop_loss', { ...long, amount: position.a }, grid), [
    { stop_price: '90', limit_price: '89.5', client_order_id: 'mine', amount: '0.001', ...by },
    { trailing_distance: '4', activation_price: '110' },
  ])
})

test('a level of a position says how far its order may go, or nothing', () => {
  const sent = (part: Partial<LevelRow>, text = '99') =>
    bodiesOf([row(text, '100', part)], 'stop_loss', long, grid)[0]
  assert.deepEqual(sent({ slippage: ' ' }), { stop_price: '99' })
  assert.deepEqual(sent({ slippage: '1,5' }), { stop_price: '99', slippage_percent: '1.5' })
  const trailing = sent({ slippage: '2', by: 'trail' }, '3')
  assert.deepEqual(trailing, { trailing_percent: '3', slippage_percent: '2' })
  const problem = (slippage: string, part: Partial<LevelRow> = {}) =>
    rowsProblem([row('99', '100', { slippage, ...part })], 'stop_loss', '2', grid)?.message
  assert.equal(problem('x'), 'The slippage is not a number')
  assert.equal(problem('10.1'), 'The slippage is at most 10 %')
  assert.deepEqual([problem('10'), problem('')], [undefined, undefined])
})

test('the slippage of a level is shown, changed, taken away and kept', () => {
  const level = { i: 7, ot: 'stop_loss', sp: '99', whole_position: true, a: '2', c: '0', I: null }
  const position = { s: 'BTC', d: 'bid', a: '2', p: '100' } as Position
  const rowWith = (part: object) =>
    rowsOf(position, 'stop_loss', [{ ...level, ...part } as unknown as OpenOrder], grid)[0]!
  const shown = rowWith({ slippage_percent: '0.7' })
  const sent = (rows: readonly LevelRow[]) => bodiesOf(rows, 'stop_loss', long, grid)
  assert.deepEqual(sent([shown]), [{ stop_price: '99', slippage_percent: '0.7' }])
  assert.deepEqual(sent([{ ...shown, slippage: '1' }])[0]!.slippage_percent, '1')
  assert.deepEqual(sent([{ ...shown, slippage: '' }]), [{ stop_price: '99' }])
  // A level that has ended goes with its row, unless another slippage was typed into it.
  const over = (row: LevelRow) => asNow(typedOver([row], [shown], undefined), [])
  assert.deepEqual(over(shown), [emptyRow])
  assert.equal(over({ ...shown, slippage: '1' })[0]!.slippage, '1')
  // With a limit price there is none to type.
  const limited = rowWith({ ot: 'stop_loss_limit', ip: '98' })
  assert.deepEqual(sent([{ ...limited, slippage: '1' }]), [{ stop_price: '99', limit_price: '98' }])
})
