import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, field, fieldsOf, typed } from './form-field.ts'

const tiers = {
  type: 'array',
  description: 'Tiers',
  items: { properties: { from_value: { type: 'string' }, max_leverage: { type: 'integer' } } },
} as const
const schema = {
  properties: {
    symbol: { type: 'string', description: 'Which' },
    max_leverage: { type: 'integer' },
    isolated_only: { type: 'boolean' },
    mode: { anyOf: [{ enum: ['open', 'halted'] }, { type: 'null' }] },
    risk_tiers: { anyOf: [tiers, { type: 'null' }] },
    reason: { type: 'string' },
  },
  required: ['symbol', 'reason'],
} as const
const fields = fieldsOf(schema)

test('fields are those of the schema except the reason, which every action requires', () => {
  assert.deepEqual(
    fields.map(({ name, kind, optional }) => [name, kind, optional]),
    [
      ['symbol', 'text', false],
      ['max_leverage', 'whole', true],
      ['isolated_only', 'flag', true],
      ['mode', 'choice', true],
      ['risk_tiers', 'rows', true],
    ],
  )
  assert.match(fields[4]!.hint, /A line each: from value, max leverage/)
})

test('untouched fields are not sent, and whole numbers are numbers', () => {
  assert.deepEqual(bodyOf(fields, { symbol: ' BTC ' }), { symbol: 'BTC' })
  const values = { symbol: 'BTC', max_leverage: '20', isolated_only: 'false', mode: 'open' }
  assert.deepEqual(bodyOf(fields, values), {
    ...{ symbol: 'BTC', max_leverage: 20, isolated_only: false, mode: 'open' },
  })
  const odd = { symbol: 'BTC', max_leverage: 'twenty' }
  assert.equal(bodyOf(fields, odd).max_leverage, 'twenty', 'the exchange says what is wrong')
})

test('rows are typed a line each, and read back as they were', () => {
  const rows = [
    { from_value: '1000000', max_leverage: 20 },
    { from_value: '5000000', max_leverage: 10 },
  ]
  const text = typed(rows)
  assert.equal(text, '1000000, 20\n5000000, 10')
  assert.deepEqual(bodyOf(fields.slice(4), { risk_tiers: text }).risk_tiers, rows)
  const filled = [{ ...fields[4]!, initial: text }]
  assert.deepEqual(
    bodyOf(filled, { risk_tiers: ' ' }).risk_tiers,
    [],
    'an emptied field means none',
  )
  const spare = bodyOf(fields.slice(4), { risk_tiers: '1 2 3' }).risk_tiers
  assert.deepEqual(spare, [{ from_value: '1', max_leverage: 2, 'column 3': '3' }])
})

test('a required field is sent as it is', () => {
  assert.deepEqual(bodyOf([field('price', { initial: '12' })], {}), { price: '12' })
})
