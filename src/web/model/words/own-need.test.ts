import assert from 'node:assert/strict'
import { test } from 'node:test'
import { availableFor, ownNeed } from './own-need.ts'

test('a refusal for lack of margin has the numbers of the order, as the ticket has', () => {
  const numbers = { as: '6212.59', aw: '6000' }
  const refusal =
    'INSUFFICIENT_BALANCE: insufficient balance: 61838.112345 USD required, 10006.46 USD available'
  assert.equal(
    ownNeed(`${refusal}; largest amount accepted now is 0.5`, numbers),
    'INSUFFICIENT_BALANCE: insufficient balance: 58,044.24 USD required, with fees and the loss ' +
      'at its worst price, 6,212.59 USD available; largest amount accepted now is 0.5',
  )
  assert.equal(ownNeed(refusal, null), refusal)
  const isolated = `${refusal} (isolated margin is paid from the balance)`
  for (const other of [isolated, 'OVER_WITHDRAWAL: 5 USD', ''])
    assert.equal(ownNeed(other, numbers), other)
})

test('an isolated order uses no profit of other positions', () => {
  assert.equal(availableFor({ as: '20', aw: '15' }, false), '20')
  assert.equal(availableFor({ as: '20', aw: '15' }, true), '15')
  assert.equal(availableFor({ as: '5', aw: '15' }, true), '5')
})
