import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyRow } from '../levels/level-rows.ts'
import { gridOf, numberOnGrid, onGrid } from '../market/market-grid.ts'
import { untoldLimits } from '../market/markets.ts'
import {
  amountOf,
  changed,
  cleared,
  type Draft,
  emptyDraft,
  shareOf,
  textOf,
} from './order-draft.ts'
import { figuresOf } from './order-preview.ts'
import { build, type Ordered } from './order-request.ts'

const grid = gridOf({ tick_size: '0.5', lot_size: '0.001' })
const draft = (part: Partial<Draft>): Draft => ({
  ...emptyDraft,
  price: '100.5',
  size: '2',
  ...part,
})
const ordered = (part: Partial<Ordered> = {}): Ordered => ({
  symbol: 'BTC',
  amount: '2',
  grid,
  mark: 100,
  now: 0,
  limits: untoldLimits,
  minOrderUsd: 0,
  ...part,
})
const bodyOf = (part: Partial<Draft>) => {
  const each = draft(part)
  const { request, problem } = build(each, ordered({ amount: amountOf(each, grid, 100) }))
  return request ?? problem
}

test('each kind of order becomes the request it needs, and nothing more', () => {
  const common = { symbol: 'BTC', side: 'bid', reduce_only: false }
  assert.deepEqual(bodyOf({}), {
    kind: 'limit',
    body: { ...common, amount: '2', price: '100.5', tif: 'GTC' },
  })
  assert.deepEqual(bodyOf({ postOnly: true, tif: 'IOC' }), {
    kind: 'limit',
    body: { ...common, amount: '2', price: '100.5', tif: 'ALO' },
  })
  assert.deepEqual(
    bodyOf({ kind: 'market', withLevels: true, stopLosses: [{ ...emptyRow, text: '90' }] }),
    {
      kind: 'market',
      body: { ...common, amount: '2', slippage_percent: '1', stop_loss: { stop_price: '90' } },
    },
  )
  assert.deepEqual(bodyOf({ kind: 'stop', stop: '1,200.', stopLimit: true }), {
    kind: 'stop',
    body: {
      ...common,
      stop_order: { stop_price: '1200', amount: '2', limit_price: '100.5' },
    },
  })
})

test('a stop fires the way that is chosen, and one that is reached says how to turn it', () => {
  const stop = (part: Partial<Draft>) => bodyOf({ kind: 'stop', ...part })
  const common = { symbol: 'BTC', reduce_only: false }
  const dip = { stop_price: '90', trigger_direction: 'lte', amount: '2' }
  const body = { ...common, side: 'bid', stop_order: dip }
  assert.deepEqual(stop({ stop: '90', way: 'lte' }), { kind: 'stop', body })
  const usual = { ...common, side: 'ask', stop_order: { stop_price: '90', amount: '2' } }
  assert.deepEqual(stop({ stop: '90', side: 'ask', way: 'lte' }), { kind: 'stop', body: usual })
  const message =
    '90.0 is reached already: the mark, 100.0, is at or above it. To wait until the mark falls ' +
    'to it, choose that next to the price'
  assert.deepEqual(stop({ stop: '90' }), { field: 'stop', message })
})

test('a trailing stop has a distance to the mark, and an activation price', () => {
  const stop = (part: Partial<Draft>) =>
    bodyOf({ kind: 'stop', side: 'ask', trails: true, ...part })
  const common = { symbol: 'BTC', side: 'ask', reduce_only: false }
  const follows = { trailing_percent: '1.5', amount: '2' }
  const body = { ...common, stop_order: follows }
  assert.deepEqual(stop({ trail: '1,5', stopLimit: true }), { kind: 'stop', body })
  const later = { ...common, stop_order: { ...follows, activation_price: '120' } }
  assert.deepEqual(stop({ trail: '1.5', activation: '120' }), { kind: 'stop', body: later })
  assert.deepEqual(stop({ trail: 'x' }), {
    field: 'trail',
    message: 'The distance is not a number',
  })
})

test('a size in dollars is rounded down to lots at the price of the order', () => {
  const usd = (part: Partial<Draft>) =>
    amountOf(draft({ sizeUnit: 'usd', size: '250', ...part }), grid, 100)
  assert.equal(usd({}), '2.487')
  assert.equal(usd({ kind: 'market' }), '2.5')
  assert.equal(usd({ kind: 'stop', stop: '125' }), '2')
  assert.equal(usd({ size: '0.01' }), '0')
})

test('an invalid number is reported at its field, and no request is made', () => {
  assert.deepEqual(bodyOf({ price: '' }), { field: 'price', message: 'The price is missing' })
  assert.deepEqual(bodyOf({ size: '1e3' }), {
    field: 'amount',
    message: 'The size is not a number',
  })
  assert.deepEqual(bodyOf({ kind: 'stop' }), {
    field: 'stop',
    message: 'The trigger price is missing',
  })
})

test('a share is never more than the whole, and on the grid', () => {
  assert.equal(shareOf('1.234', 50, grid), '0.617')
  assert.equal(shareOf('0.003', 50, grid), '0.001')
  assert.equal(shareOf('1.234', 100, grid), '1.234')
})

test('a market stop may have a slippage limit; a limit stop does not', () => {
  const stop = (part: Partial<Draft>) =>
    build(draft({ kind: 'stop', stop: '120', price: '121', ...part }), ordered())
  const slippage = (part: Partial<Draft>) => {
    const { request } = stop(part)
    assert.equal(request?.kind, 'stop')
    return request.body.stop_order.slippage_percent
  }
  assert.deepEqual(
    [slippage({}), slippage({ stopSlippage: '1,5' }), slippage({ slippage: '3' })],
    [undefined, '1.5', undefined],
  )
  assert.equal(slippage({ stopSlippage: 'x', stopLimit: true }), undefined)
  const wrong = { field: 'slippage', message: 'The slippage is not a number' }
  assert.deepEqual(stop({ stopSlippage: 'x' }).problem, wrong)
  const { request } = stop({ stopSlippage: '2' })
  assert.equal(figuresOf(request!, 'me', '100').slippage_percent, '2')
})

test('the preview of a stop is that of the order it would make', () => {
  const { request } = build(draft({ kind: 'stop', stop: '120' }), ordered())
  assert.deepEqual(figuresOf(request!, 'me', '100'), {
    account: 'me',
    symbol: 'BTC',
    side: 'bid',
    reduce_only: false,
    amount: '2',
    slippage_percent: '10',
  })
})

test('a TWAP is requested in seconds, and previewed as a whole at the mark', () => {
  const { request } = build(draft({ kind: 'twap', minutes: '1.5', twapSlippage: '2' }), ordered())
  const common = { symbol: 'BTC', side: 'bid', reduce_only: false, amount: '2' }
  const body = { ...common, slippage_percent: '2', duration_in_seconds: 90 }
  assert.deepEqual(request, { kind: 'twap', body })
  assert.deepEqual(figuresOf(request!, 'me', '100'), {
    account: 'me',
    ...common,
    price: '100',
    tif: 'GTC',
  })
})

test('numbers of the screen land on the grid', () => {
  assert.equal(onGrid('100.3', grid.tick), '100.5')
  assert.equal(onGrid('100.2', grid.tick), '100')
  assert.equal(numberOnGrid(100.24, grid.tick), '100')
  assert.equal(numberOnGrid(0.1 + 0.2, grid.lot, 'down'), '0.3')
  assert.equal(numberOnGrid(1 / 3, grid.lot, 'up'), '0.334')
})

test('sending clears the sent fields; kind, side and later input stay', () => {
  const sent = draft({ kind: 'stop', stop: '90', reduceOnly: true, side: 'ask', postOnly: true })
  const how = { kind: 'stop', side: 'ask', postOnly: true } as const
  assert.deepEqual(cleared(sent, sent), { ...emptyDraft, ...how })
  const since = { ...sent, size: '3', reduceOnly: false }
  assert.deepEqual(cleared(since, sent), { ...emptyDraft, ...how, size: '3' })
})

test('a market order and a TWAP have each their own worst price', () => {
  const worst = { slippage: '3', twapSlippage: '0.5' }
  const sent = (kind: 'market' | 'twap', part: Partial<Draft> = {}) => {
    const { request, problem } = build(draft({ ...worst, kind, ...part }), ordered())
    return problem ?? (request!.body as { slippage_percent: string }).slippage_percent
  }
  assert.deepEqual([sent('market'), sent('twap')], ['3', '0.5'])
  const wrong = { field: 'slippage', message: 'The slippage is not a number' }
  assert.deepEqual(
    [sent('market', { twapSlippage: 'x' }), sent('twap', { slippage: 'x' })],
    ['3', '0.5'],
  )
  assert.deepEqual(sent('twap', { twapSlippage: 'x' }), wrong)
  assert.equal(textOf(draft({ ...worst, kind: 'twap' }), 'slippage'), '0.5')
  const left = cleared(draft(worst), draft(worst))
  assert.deepEqual([left.slippage, left.twapSlippage], ['3', '0.5'])
})

test('a comma is read by the decimals of the market', () => {
  const places = gridOf({ tick_size: '1', lot_size: '0.00001' })
  const built = (part: Partial<Draft>) => {
    const { request, problem } = build(draft(part), ordered({ grid: places }))
    return request === null ? problem : request.body
  }
  assert.equal((built({ price: '100,010' }) as { price: string }).price, '100010')
  assert.deepEqual(built({ price: '100.010' }), {
    field: 'price',
    message: 'The price may be 100010 or 100.010: write it so',
  })
  assert.deepEqual(built({ size: '1,234' }), {
    field: 'amount',
    message: 'The size may be 1234 or 1.234: write it so',
  })
  assert.equal(amountOf(draft({ size: '1,5' }), grid, 100), '1.5')
  assert.equal(amountOf(draft({ sizeUnit: 'usd', size: '1,000', price: '100' }), grid, 100), '10')
})

test('an order that can rest may have an expiry, and no other', () => {
  const now = 1_800_000_000_000
  const expiry = (part: Partial<Draft>) => {
    const { request, problem } = build(draft(part), ordered({ now }))
    return request === null ? problem : 'expire_time' in request.body && request.body.expire_time
  }
  assert.equal(expiry({}), false)
  assert.equal(expiry({ ends: '10m' }), now + 600_000)
  assert.equal(expiry({ ends: '1h', tif: 'TOB' }), now + 3_600_000)
  assert.equal(expiry({ ends: '1d', kind: 'stop', stop: '120' }), now + 86_400_000)
  for (const part of [
    { tif: 'IOC' },
    { tif: 'FOK' },
    { kind: 'market' },
    { kind: 'twap' },
  ] as const)
    assert.equal(expiry({ ends: '1d', ...part }), false)
  assert.equal(expiry({ ends: '1d', tif: 'IOC', postOnly: true }), now + 86_400_000)
  const at = (ms: number) => {
    // As a browser gives it: on the clock of the reader, without a zone.
    const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
    return { ends: 'at', endsAt: local.toISOString().slice(0, 19) } as const
  }
  assert.equal(expiry(at(now + 60_000)), now + 60_000)
  for (const part of [at(now), at(now - 60_000), { ends: 'at', endsAt: '' }] as const) {
    const problem = expiry(part)
    assert.ok(typeof problem === 'object' && problem?.field === 'expiry')
  }
})

test('self-trade prevention is sent if it is not the default, and stays in the ticket', () => {
  const given = (part: Partial<Draft>) => {
    const { request } = build(draft(part), ordered())
    return request !== null && 'stp' in request.body && request.body.stp
  }
  assert.equal(given({}), false)
  assert.equal(given({ stp: 'cancel_taker' }), 'cancel_taker')
  assert.equal(given({ stp: 'cancel_both', kind: 'market' }), 'cancel_both')
  assert.equal(given({ stp: 'cancel_both', kind: 'stop', stop: '120' }), false)
  const sent = draft({ stp: 'cancel_both' })
  assert.equal(cleared(sent, sent).stp, 'cancel_both')
})

test('an expiry is cleared after sending, and not carried over to a stop', () => {
  for (const ends of ['10m', 'at'] as const) {
    const sent = draft({ ends, endsAt: '2027-01-01T00:00' })
    assert.deepEqual([cleared(sent, sent).ends, cleared(sent, sent).endsAt], ['never', ''])
    const next = { ...sent, ends: '1d' } as const
    assert.equal(cleared(next, sent).ends, '1d')
    for (const kind of ['stop', 'oco'] as const) assert.equal(changed(sent, { kind }).ends, 'never')
    assert.equal(changed(sent, { kind: 'iceberg' }).ends, ends)
    assert.equal(changed({ ...sent, kind: 'stop' }, { kind: 'stop', size: '1' }).ends, ends)
    assert.equal(changed(sent, { kind: 'stop', ends: '1h' }).ends, '1h')
  }
})
