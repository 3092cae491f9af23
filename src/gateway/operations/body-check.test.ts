import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, optional } from '../../protocol/schemas/field-types.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import { bodyCheck } from './body-check.ts'

const check = bodyCheck(
  Type.Object({
    side: Type.Enum(['bid', 'ask']),
    count: Type.Integer({ minimum: 1, maximum: 5 }),
    level: optional(Type.Object({ price: Type.String() })),
  }),
)

const message = (value: unknown, where = '') => {
  try {
    check(value, where)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

test('the error names the field and the expected value', () => {
  assert.match(message({ side: 'bid' }), /the request lacks count/)
  assert.match(message({ side: 'up', count: 1 }), /side must be one of bid, ask/)
  assert.match(message({ side: 'bid', count: '1' }), /count must be integer/)
  assert.match(message({ side: 'bid', count: 9 }), /count must be <= 5/)
  assert.match(
    message({ side: 'bid', count: 1, level: { price: 5 } }),
    /level\.price must be a string/,
  )
  assert.match(message([]), /^MALFORMED_REQUEST: the request must be an object$/)
  assert.match(message({ side: 'bid' }, 'actions[2].data'), /actions\[2\]\.data lacks count/)
})

test('a value out of range gets the range, and no hint about null', () => {
  const bounded = bodyCheck(Type.Object({ ms: optional(Type.Integer({ maximum: 5 })) }))
  const says = (ms: unknown) => {
    let text = ''
    assert.throws(
      () => bounded({ ms }, ''),
      (error: Error) => {
        text = error.message
        return true
      },
    )
    return text
  }
  assert.match(says(9), /: ms must be <= 5, not 9$/)
  assert.match(says('9'), /: ms must be integer or null$/)
})

test('null is the same as absent', () => {
  assert.equal(message({ side: 'bid', count: 1, level: null }), 'accepted')
  assert.match(message({ side: 'bid', count: null }), /: the request lacks count$/)
  assert.match(message({ side: null, count: 1 }), /: the request lacks side$/)
  assert.match(message({ side: 'bid', count: 1, level: { price: null } }), /: level lacks price$/)
})

test('the error of a union is that of the branch that fits best', () => {
  const union = bodyCheck(
    Type.Object({
      level: Type.Union([
        Type.Object({ ticks: Type.Integer() }),
        Type.Object({ price: decimal('A price') }),
        Type.Null(),
      ]),
    }),
  )
  const errorOf = (level: unknown) => {
    try {
      union({ level }, '')
    } catch (error) {
      return (error as Error).message
    }
    return 'accepted'
  }
  assert.match(errorOf({ price: 5 }), /: level\.price must be a string$/)
  assert.match(
    errorOf({ price: '1e5' }),
    /: level\.price must be a decimal in plain digits, such as "12\.5"$/,
  )
  assert.match(errorOf({}), /: level lacks ticks or price$/)
  assert.equal(errorOf(null), 'accepted')
})
