import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, InvariantViolation, invariant } from './invariant.ts'

test('an invariant that holds says nothing', () => {
  invariant(true, 'never seen')
})

test('an invariant that does not hold stops with its message', () => {
  assert.throws(() => invariant(false, 'the book is crossed'), {
    name: 'InvariantViolation',
    message: 'the book is crossed',
  })
})

test('a broken number is reported with its name and value', () => {
  assert.throws(
    () => broken('ticks', -1.5),
    (error) => error instanceof InvariantViolation && error.message === 'ticks: -1.5',
  )
})
