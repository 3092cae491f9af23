import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { optional } from '../../protocol/schemas/field-types.ts'
import { queryValues } from './query.ts'

const schema = Type.Object({
  limit: optional(Type.Integer()),
  all: Type.Optional(Type.Boolean()),
  symbol: Type.String(),
})

test('text becomes what the schema says, and what it does not know is left out', () => {
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

test('a parameter stands once', () => {
  assert.throws(
    () => queryValues(schema, { symbol: ['BTC', 'ETH'] }),
    /symbol stands more than once/,
  )
})
