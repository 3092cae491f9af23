import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPreferences, usual } from './preferences.ts'

test('a slippage that the exchange does not take is as of a new visitor', () => {
  for (const name of ['slippage', 'twapSlippage'] as const) {
    const read = (given: unknown) => readPreferences(JSON.stringify({ [name]: given }))[name]
    for (const good of ['0.5', '5', '100']) assert.equal(read(good), good)
    for (const bad of ['500', '-1', '', 'x', 5]) assert.equal(read(bad), usual[name])
  }
})
