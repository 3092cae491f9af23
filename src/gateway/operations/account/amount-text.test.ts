import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../core/index.ts'
import { moneyText } from '../../../projections/market-text.ts'
import type { Quote } from '../../../units/units.ts'
import { moneyOf } from '../order-fields.ts'

test('too large an amount names the maximum, a malformed one a valid example', () => {
  const says = (text: string) => {
    try {
      return String(moneyOf('rules', 'amount', text))
    } catch (error) {
      return (error as Error).message
    }
  }
  const most = moneyText(limits.moneyMax as Quote)
  assert.equal(
    says('10000000000000000'),
    `INVALID_AMOUNT: amount 10000000000000000 is too large: at most ${most}`,
  )
  for (const text of ['12.1234567', '1e5', ''])
    assert.match(says(text), /is not an amount of money: at most six decimals, such as 12\.5$/)
})
