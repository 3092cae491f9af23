import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldRefusal, ofRung, type RefusedOrder } from './refusal-field.ts'

const order: RefusedOrder = {
  price: '100000.5',
  amount: '0.0000012',
  stop: '',
  below: '',
  levels: { take_profit: [], stop_loss: [] },
  side: 'bid',
  reduceOnly: false,
  tick: { stepValue: 1, stepScale: 0 },
  lot: { stepValue: 1, stepScale: 5 },
  mark: 100_000,
  minOrderUsd: 10,
  parts: 1,
  maxAmount: '0.25',
  position: '0.4',
}

const levels = (kind: 'take_profit' | 'stop_loss', ...prices: readonly string[]) => ({
  levels: { ...order.levels, [kind]: prices.map((price) => ({ price })) },
})

const placed = (code: number, message: string, part: Partial<RefusedOrder> = {}) => {
  const { field, accepted } = fieldRefusal(code, message, { ...order, ...part })
  return [field, accepted]
}

test('the offered value is the one the exchange names', () => {
  const off = 'INVALID_TICK_SIZE: price 100000.5 is not a multiple …; nearest: 100000 or 100001'
  assert.deepEqual(placed(52, off), ['price', '100000'])
  const poor =
    'INSUFFICIENT_BALANCE: insufficient balance: 9 USD required, …; the largest amount ' +
    'accepted now is 0.19 BTC'
  assert.deepEqual(placed(5, poor), ['amount', '0.19'])
  const band = 'PRICE_TOO_FAR_FROM_MARK: price 9 is outside the band 10 to 130 …; nearest: 10.5'
  assert.deepEqual(placed(30, band), ['price', '10.5'])
})

test('where it names nothing, the numbers of the market do', () => {
  assert.deepEqual(placed(7, 'ORDER_AMOUNT_TOO_LOW: too small', { price: '99999' }), [
    'amount',
    '0.00011',
  ])
  assert.deepEqual(placed(22, 'INVALID_REDUCE_ONLY_ORDER_AMOUNT: too much'), ['amount', '0.4'])
  assert.deepEqual(placed(5, 'INSUFFICIENT_BALANCE: no', { maxAmount: '0' }), ['amount', null])
})

test('a size that is offered is a lot at least, and worth as much as the least order', () => {
  const none = 'INVALID_AMOUNT: amount 0 is not a positive multiple of the lot size 0.00001'
  const size = (part: Partial<RefusedOrder>, message = none) =>
    placed(59, message, { amount: '0', price: '100000', ...part })
  assert.deepEqual(size({}), ['amount', '0.0001'])
  assert.deepEqual(size({ price: '', mark: 99_999 }), ['amount', '0.00011'])
  assert.deepEqual(size({ minOrderUsd: 0 }), ['amount', '0.00001'])
  assert.deepEqual(size({ price: '', mark: 0 }), ['amount', null])
  // Each slice of a TWAP is an order.
  assert.deepEqual(size({ parts: 21 }), ['amount', '0.0021'])
  // Dust can be closed, as a whole.
  assert.deepEqual(size({ reduceOnly: true, position: '0.00003' }), ['amount', '0.00003'])
  assert.deepEqual(size({ reduceOnly: true }), ['amount', '0.0001'])
  const stop = 'INVALID_AMOUNT: stop_order.amount 0 is not a positive multiple'
  assert.deepEqual(size({ stop: '110000' }, stop), ['amount', '0.0001'])
  const off = (near: string) => `INVALID_AMOUNT: amount is not a …; nearest: ${near}`
  const little = size({ amount: '0.000015' }, off('0.00001 or 0.00002'))
  assert.deepEqual(little, ['amount', '0.0001'])
  const enough = size({ amount: '0.120004' }, off('0.12 or 0.12001'))
  assert.deepEqual(enough, ['amount', '0.12'])
})

test('slippage is offered as far as the best price is away', () => {
  const far = 'NO_REASONABLE_PRICE: no matching orders (the best is 104000); raise …'
  assert.deepEqual(placed(25, far), ['slippage', '4.1'])
  assert.deepEqual(placed(422, 'INVALID_TIME: time 5 must be at least 6'), ['expiry', null])
  const own = 'NO_REASONABLE_PRICE: the first order that it meets is one of your own (the best …'
  assert.deepEqual(placed(25, own), ['form', null])
  assert.deepEqual(placed(25, 'NO_REASONABLE_PRICE: the book is empty'), ['slippage', null])
})

test('a stop that is already reached gets no offer: it would change its purpose', () => {
  const reached = 'INVALID_STOP_TICK: stop price 99000 is reached already'
  assert.deepEqual(placed(16, reached, { stop: '99000' }), ['stop', null])
  assert.deepEqual(placed(16, reached, { stop: '99000', side: 'ask' }), ['stop', null])
})

test('a level is known by its name or its price', () => {
  const reached = 'INVALID_STOP_TICK: stop price 99000 is reached already'
  assert.deepEqual(placed(16, reached, levels('take_profit', '99000')), ['take_profit', '101001'])
  assert.deepEqual(placed(16, reached, levels('stop_loss', '99000')), ['stop_loss', '99000'])
  const both = 'INVALID_STOP_TICK: stop price 101000 is …; nearest: 100999 or 101001, by its side'
  assert.deepEqual(placed(16, both, levels('take_profit', '101000')), ['take_profit', '101001'])
  const off = 'INVALID_TICK_SIZE: stop_loss.stop_price 9.5 is not a multiple …; nearest: 9 or 10'
  assert.deepEqual(placed(52, off), ['stop_loss', '9'])
})

test('where nothing may be taken, the nearest that rests or reduces is offered', () => {
  const rests = 'ORACLE_NOT_AVAILABLE: nothing matches …; the nearest price that rests is 100009'
  assert.deepEqual(placed(119, rests), ['price', '100009'])
  assert.deepEqual(placed(119, rests, { price: '' }), ['form', null])
  const reduces = 'TRADING_DISABLED: …; the largest amount accepted now is 0.4 BTC; the nearest '
  assert.deepEqual(placed(38, `${reduces}price that rests is 100009`), ['amount', '0.4'])
})

test('a sentence that begins with a field is shown at it, with any code', () => {
  const percent = 'is not a percentage from 0.1 to 50 with at most four decimals'
  const trail = `INVALID_AMOUNT: stop_order.trailing_percent 200 ${percent}`
  assert.deepEqual(placed(59, trail), ['trail', null])
  assert.deepEqual(placed(59, `INVALID_AMOUNT: legs[1].trailing_percent 200 ${percent}`), [
    'trail',
    null,
  ])
  const slippage = `INVALID_AMOUNT: slippage_percent 500 ${percent}`
  assert.deepEqual(placed(59, slippage), ['slippage', null])
  const off = 'is not a multiple of the tick size 1; nearest: 105000 or 105001'
  const starts = `INVALID_TICK_SIZE: stop_order.activation_price 105000.5 ${off}`
  assert.deepEqual(placed(52, starts), ['activation', '105000'])
})

test('a refusal without a field is shown at the form', () => {
  const refusal = fieldRefusal(38, 'TRADING_DISABLED: BTC rejected this request', order)
  assert.deepEqual(refusal, {
    field: 'form',
    code: 38,
    message: 'BTC rejected this request',
    accepted: null,
  })
})

test('a TWAP that is too short or too long is offered the nearest time in minutes', () => {
  const outside = (seconds: number) =>
    placed(46, `TWAP_DURATION: ${seconds} seconds is outside 60 to 86400`)
  assert.deepEqual(outside(30), ['duration', '1'])
  assert.deepEqual(outside(90_000), ['duration', '1440'])
})

test('a limit off the grid is the price, an attached level gets the named value', () => {
  const limit =
    'INVALID_TICK_SIZE: stop_order.limit_price 79000.7 is not …; nearest: 79000 or 79001'
  assert.deepEqual(placed(52, limit, { stop: '80000' }), ['price', '79000'])
  const level = 'INVALID_STOP_TICK: stop price 99500 is … the price 99000; nearest: 98999'
  assert.deepEqual(placed(16, level, { ...levels('stop_loss', '99500'), price: '99000' }), [
    'stop_loss',
    '98999',
  ])
})

test('a refusal of an OCO is shown at its leg', () => {
  const off = (leg: string) => `INVALID_TICK_SIZE: ${leg} 9.5 is not a multiple …; nearest: 9 or 10`
  const twoStops = { stop: '101000', below: '99000' }
  assert.deepEqual(placed(52, off('legs[0].price')), ['price', '9'])
  assert.deepEqual(placed(52, off('legs[1].stop_price')), ['stop', '9'])
  assert.deepEqual(placed(52, off('legs[0].stop_price'), twoStops), ['stop', '9'])
  assert.deepEqual(placed(52, off('legs[1].stop_price'), twoStops), ['below', '9'])
  const reached = 'INVALID_STOP_TICK: stop price 99000 is reached already'
  assert.deepEqual(placed(16, reached, twoStops), ['below', null])
  const takes = 'WOULD_TAKE: an order at 100020 would trade immediately with 100010'
  assert.deepEqual(placed(422, takes), ['price', null])
  assert.deepEqual(placed(422, `${takes}; the nearest price that rests is 9`), ['price', '9'])
})

test('a level attached to a stop is recognised by its name, and measured from the stop', () => {
  const brought = { ...levels('take_profit', '101000'), stop: '110000', price: '' }
  const named = 'INVALID_STOP_TICK: take_profit: stop price 101000 is reached already or on the …'
  assert.deepEqual(placed(16, named, brought), ['take_profit', '111100'])
  const own = 'INVALID_STOP_TICK: stop price 110000 is reached already'
  assert.deepEqual(placed(16, own, brought), ['stop', null])
})

test('a post-only order that would be rejected is offered the price at which it rests', () => {
  const ends = 'post_only_rejected: it is post-only …; the nearest price that rests is 100009'
  assert.deepEqual(placed(0, ends), ['price', '100009'])
  const refusal = fieldRefusal(0, ends, order)
  assert.match(refusal.message, /^It is post-only/)
  const rung = (at: number) => ({ at, of: 4, price: '100050', amount: '0.02' })
  const last = ofRung(refusal, rung(3))
  assert.deepEqual([last.field, last.accepted], ['to', '100009'])
  assert.match(last.message, /^The last order, 0\.02 at 100,050: It is post-only/)
  const small = ofRung({ ...refusal, field: 'amount' }, rung(0))
  assert.deepEqual([small.field, small.accepted], ['amount', null])
  assert.match(small.message, /^The first order, 0\.02 at 100,050: /)
  const inner = ofRung({ ...refusal, field: 'amount' }, rung(1))
  assert.match(inner.message, /^Order 2 of 4, 0\.02 at 100,050: /)
})

test('a refusal by the policy of a key is shown at the field of its rule', () => {
  const rule = (number: number) => `AGENT_LIMIT: rule ${number} of this agent's policy: at most 5`
  assert.deepEqual(placed(403, rule(4)), ['price', null])
  assert.deepEqual(placed(403, rule(4), { price: '' }), ['slippage', null])
  assert.deepEqual(placed(403, rule(5)), ['amount', null])
  assert.deepEqual(placed(403, rule(6)), ['amount', null])
  assert.deepEqual(placed(403, rule(7)), ['form', null])
})

test('the visible size of an iceberg has a field of its own', () => {
  const off = 'INVALID_AMOUNT: display_amount 0.1234567 is not a …; nearest: 0.12345 or 0.12346'
  assert.deepEqual(placed(59, off), ['display', '0.12345'])
})
