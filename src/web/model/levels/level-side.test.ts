import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridOf } from '../market/market-grid.ts'
import { type Entered, emptyRow, type LevelKind, type LevelRow } from './level-rows.ts'
import { sideProblem } from './level-side.ts'

const grid = gridOf({ tick_size: '0.5', lot_size: '0.001' })
const long: Entered = { side: 'bid', entry: 100, mark: 104, amount: '2', open: true }
const short: Entered = { ...long, side: 'ask' }

test('a level on the wrong side of the mark is flagged in its row, even with a gain', () => {
  const said = (kind: LevelKind, entered: Entered, ...texts: readonly string[]) =>
    sideProblem(
      texts.map((text) => ({ ...emptyRow, text })),
      kind,
      entered,
      grid,
    )
  assert.deepEqual(said('stop_loss', long, '103.5', '104.5'), {
    row: 1,
    message: 'The stop loss of a long has to be below the mark, 104.0',
  })
  assert.equal(said('take_profit', short, '104')?.message.slice(-21), 'below the mark, 104.0')
  assert.match(said('take_profit', long, '104')!.message, /a long has to be above the mark/)
  assert.match(said('stop_loss', short, '99')!.message, /a short has to be above the mark/)
  // Above the entry and below the mark: it keeps a gain.
  assert.equal(said('stop_loss', long, '103.5', '', 'x'), null)
  assert.equal(said('stop_loss', { ...long, mark: 0 }, '200'), null)
})

test('percent are from the entry; trails, other prices and existing levels are not checked', () => {
  const was = { id: 1, text: '110', share: '100', amount: null, fields: {} }
  const isWrong = (part: Partial<LevelRow>, of = long) =>
    sideProblem([{ ...emptyRow, text: '110', ...part }], 'stop_loss', of, grid) !== null
  assert.ok(isWrong({}))
  assert.ok(isWrong({ by: 'percent', text: '5' }, { ...long, mark: 90 }))
  assert.ok(!isWrong({ by: 'percent', text: '5' }))
  assert.ok(!isWrong({ by: 'trail', text: '5' }))
  assert.ok(!isWrong({ was }))
  assert.ok(isWrong({ was, text: '111' }))
  const fields = { trigger_price_type: 'mid_price' } as const
  assert.ok(!isWrong({ was: { ...was, fields }, text: '111' }))
})
