import assert from 'node:assert/strict'
import { test } from 'node:test'
import { optional, timeMs } from '../../protocol/schemas/field-types.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import { queryValues } from './query.ts'

const schema = Type.Object({
  limit: optional(Type.Integer()),
  all: Type.Optional(Type.Boolean()),
  symbol: Type.String(),
})

test('text is converted by the schema, and unknown parameters are dropped', () => {
  const values = queryValues(schema, { limit: '25', all: 'true', symbol: '007', more: 'x' })
  assert.deepEqual(values, { limit: 25, all: true, symbol: '007' })
})

test('an empty value and null are the same as absent', () => {
  assert.deepEqual(queryValues(schema, { limit: '', all: 'null', symbol: 'BTC' }), {
    symbol: 'BTC',
  })
})

test('a whole number is written as one', () => {
  for (const limit of [
    '1.5',
    '1e3',
    ' 5',
    '5 ',
    '+5',
    '0x10',
    '05',
    '9007199254740992',
    'NaN',
    '--1',
  ])
    assert.throws(() => queryValues(schema, { limit }), /limit must be a whole number/, limit)
  assert.deepEqual(queryValues(schema, { limit: '-5' }), { limit: -5 })
})

test('a number that is too large gets its range, however long it is', () => {
  const bounded = Type.Object({ limit: optional(Type.Integer({ minimum: 1, maximum: 1_000 })) })
  for (const limit of ['9'.repeat(20), '9'.repeat(200)])
    assert.throws(
      () => queryValues(bounded, { limit }),
      /limit must be a whole number <= 1000, not "9/,
    )
  const least = { limit: `-${'9'.repeat(30)}` }
  assert.throws(() => queryValues(bounded, least), /limit must be a whole number >= 1, not "-9/)
})

test('a value above the int64 of a schema counts as the largest int64', () => {
  const times = Type.Object({
    end_time: optional(timeMs('End')),
    offset: Type.Optional(Type.Integer({ minimum: 0, format: 'int64' })),
  })
  const most = '9223372036854775807'
  assert.deepEqual(queryValues(times, { end_time: most, offset: most }), {
    end_time: 8_640_000_000_000_000,
    offset: Number.MAX_SAFE_INTEGER,
  })
  assert.deepEqual(queryValues(times, { end_time: '8640000000000001' }), {
    end_time: 8_640_000_000_000_000,
  })
  for (const end_time of ['9223372036854775808', '99999999999999999999', '-9223372036854775808'])
    assert.throws(() => queryValues(times, { end_time }), /end_time must be a whole number/)
})

test('a parameter appears once', () => {
  assert.throws(
    () => queryValues(schema, { symbol: ['BTC', 'ETH'] }),
    /symbol stands more than once/,
  )
})
