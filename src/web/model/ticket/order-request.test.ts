import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyRow } from '../levels/level-rows.ts'
import { gridOf } from '../market/market-grid.ts'
import { untoldLimits } from '../market/markets.ts'
import { type Draft, emptyDraft } from './order-draft.ts'
import { figuresOf } from './order-preview.ts'
import { build } from './order-request.ts'

const grid = gridOf({ tick_size: '0.5', lot_size: '0.001' })
const limits = { ...untoldLimits, twap_seconds_min: 60, twap_seconds_max: 86_400 }
const built = (part: Partial<Draft>, amount = '2') =>
  build(
    { ...emptyDraft, price: '100', size: amount, ...part },
    { symbol: 'BTC', amount, grid, mark: 100, now: 0, limits, minOrderUsd: 0.1 },
  )
const bodyOf = (part: Partial<Draft>) => {
  const { request, problem } = built(part)
  return request?.body ?? problem
}

test('of an OCO with an order that rests both legs are for the same', () => {
  const oco: Partial<Draft> = { kind: 'oco', side: 'ask', reduceOnly: true, price: '110' }
  const leg = { side: 'ask', amount: '2', reduce_only: true }
  assert.deepEqual(bodyOf({ ...oco, stop: '90' }), {
    symbol: 'BTC',
    legs: [
      { ...leg, price: '110' },
      { ...leg, stop_price: '90' },
    ],
  })
  assert.deepEqual(bodyOf({ ...oco, trails: true, trail: '2', stop: '' }), {
    symbol: 'BTC',
    legs: [
      { ...leg, price: '110' },
      { ...leg, trailing_percent: '2' },
    ],
  })
  assert.deepEqual(bodyOf(oco), { field: 'stop', message: 'The trigger price is missing' })
})

test('a stop brings the levels of the position that it opens, measured from where it fires', () => {
  const stop: Partial<Draft> = { kind: 'stop', stop: '120', withLevels: true }
  const percent = { ...emptyRow, text: '5', by: 'percent' } as const
  const body = bodyOf({ ...stop, takeProfits: [percent], stopLosses: [percent] })
  assert.deepEqual(body, {
    symbol: 'BTC',
    side: 'bid',
    reduce_only: false,
    stop_order: { stop_price: '120', amount: '2' },
    take_profit: { stop_price: '126' },
    stop_loss: { stop_price: '114' },
  })
})

test('of two stops the one that fires against its side says which way', () => {
  const stops: Partial<Draft> = { kind: 'oco', pair: 'stops', stop: '110', below: '90' }
  const leg = (side: string) => ({ side, amount: '2', reduce_only: false })
  const legs = (part: Partial<Draft>) => {
    const body = bodyOf({ ...stops, ...part }) as { legs: readonly object[] }
    return body.legs
  }
  assert.deepEqual(legs({ side: 'ask' }), [
    { ...leg('ask'), stop_price: '110', trigger_direction: 'gte' },
    { ...leg('ask'), stop_price: '90' },
  ])
  assert.deepEqual(legs({ side: 'bid' }), [
    { ...leg('bid'), stop_price: '110' },
    { ...leg('bid'), stop_price: '90', trigger_direction: 'lte' },
  ])
  assert.deepEqual(legs({ pair: 'breakout', side: 'ask' }), [
    { ...leg('bid'), stop_price: '110' },
    { ...leg('ask'), stop_price: '90' },
  ])
  const missing = { field: 'below', message: 'The lower trigger price is missing' }
  assert.deepEqual(bodyOf({ ...stops, below: '' }), missing)
})

test('an iceberg shows a part that is neither too large nor too small', () => {
  const iceberg: Partial<Draft> = { kind: 'iceberg', display: '0,5' }
  const common = { symbol: 'BTC', side: 'bid', reduce_only: false, amount: '2' }
  assert.deepEqual(bodyOf(iceberg), { ...common, display_amount: '0.5', price: '100' })
  const range = {
    field: 'display',
    message: 'Visible size must be from 0.02 to 2 (at most 100 parts)',
  }
  assert.deepEqual(bodyOf({ ...iceberg, display: '0.019' }), range)
  assert.deepEqual(bodyOf({ ...iceberg, display: '2.001' }), range)
  const missing = { field: 'display', message: 'What it shows is missing' }
  assert.deepEqual(bodyOf({ ...iceberg, display: '' }), missing)
})

test('a TWAP runs for whole seconds, neither too short nor too long', () => {
  const twap = (minutes: string) => {
    const { request, problem } = built({ kind: 'twap', minutes }, '20')
    return request?.kind === 'twap' ? request.body.duration_in_seconds : problem
  }
  const range = 'is not a number of minutes from 1 to 1440'
  const outside = (minutes: string, accepted: string) => {
    assert.deepEqual(twap(minutes), { field: 'duration', message: `${minutes} ${range}`, accepted })
  }
  assert.deepEqual(['1', '1,05', '1440', '1.1'].map(twap), [60, 63, 86_400, 66])
  outside('0', '1')
  outside('0.95', '1')
  outside('1440.05', '1440')
  const message = '1.01 minutes is not a whole number of seconds: a multiple of 0.05 is'
  assert.deepEqual(twap('1.01'), { field: 'duration', message, accepted: '1' })
})

test('slices of a TWAP are worth an order each, or a shorter time is offered', () => {
  const twap = (minutes: string, size: string) => built({ kind: 'twap', minutes }, size).problem
  // A lot is worth 0.10 USD: one for each of 21 slices, and none to spare.
  assert.equal(twap('10', '0.021'), null)
  const message = 'Each of 21 slices would be worth 0.00 USD, the minimum is 0.10 USD'
  assert.deepEqual(twap('10', '0.020'), { field: 'duration', message, accepted: '9.5' })
  assert.equal(twap('9.5', '0.020'), null)
  // Not even the shortest.
  assert.equal(twap('1', '0.002')?.field, 'amount')
  assert.equal(twap('1', '0.003'), null)
})

test('a scale is limit orders whose sizes add up, and is previewed at its average', () => {
  const scale: Partial<Draft> = { kind: 'scale', to: '97', count: '4', rising: true }
  const { request } = built(scale)
  assert.equal(request?.kind, 'scale')
  const orders = request?.kind === 'scale' ? request.body.orders : []
  assert.deepEqual(
    orders.map(({ price, amount, tif }) => [price, amount, tif]),
    [
      ['100', '0.2', 'GTC'],
      ['99', '0.4', 'GTC'],
      ['98', '0.6', 'GTC'],
      ['97', '0.8', 'GTC'],
    ],
  )
  const figures = figuresOf(request!, 'me', '100')
  assert.deepEqual([figures.price, figures.amount], ['98', '2'])
  const wrong = (part: Partial<Draft>) => built({ ...scale, ...part }).problem?.field
  assert.equal(wrong({ count: '51' }), 'count')
  assert.equal(wrong({ count: '2.5' }), 'count')
  assert.equal(wrong({ to: '99.7' }), 'to')
  assert.equal(wrong({ to: '99', count: '9' }), 'to')
  assert.equal(wrong({ price: '100.3' }), 'price')
  assert.equal(built(scale, '0.003').problem?.field, 'amount')
})

test('a stop names the price that triggers it, unless that is the mark', () => {
  const trigger_price_type = 'last_trade_price'
  const stop: Partial<Draft> = { kind: 'stop', stop: '90', triggerBy: 'last' }
  const watched = { stop_price: '90', trigger_price_type, amount: '2' }
  // The mark is above it already, which does not matter.
  assert.deepEqual((bodyOf(stop) as { stop_order: object }).stop_order, watched)
  const trailing = { ...stop, trails: true, trail: '2' }
  const trails = { trailing_percent: '2', amount: '2' }
  assert.deepEqual((bodyOf(trailing) as { stop_order: object }).stop_order, trails)
  const oco: Partial<Draft> = { kind: 'oco', pair: 'stops', stop: '110', below: '80' }
  const { legs } = bodyOf({ ...oco, triggerBy: 'last' }) as { legs: readonly object[] }
  for (const leg of legs) assert.ok('trigger_price_type' in leg)
})
