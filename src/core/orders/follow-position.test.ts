// Fills and reduce-only orders add up in one command, and do not multiply: otherwise one order of
// one account would delay all others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bob,
  NOW_MS,
  order,
  smallExchange,
} from '../../../test/support/small-exchange/small-exchange.ts'
import { apply, EventLog, type State } from '../engine.ts'
import { decodeState } from '../snapshot/decode.ts'

const reducing = 300
const fills = 200

function run(state: State, command: object): EventLog {
  const log = new EventLog()
  apply(state, { seq: state.seq + 1, atMs: NOW_MS, command: command as never }, log)
  return log
}

function count(log: EventLog, type: string): number {
  return log.readAll().filter((event) => event.type === type).length
}

test('a taker with many reduce-only orders cuts each of them once', () => {
  const state = decodeState(smallExchange().bytes)
  const own = { ...order, side: 'ask', reduceOnly: true, size: 500 }
  for (let n = 0; n < reducing; n++) run(state, { ...own, price: 61_000 + n })
  for (let n = 0; n < fills; n++) run(state, { ...order, account: bob, price: 59_900, size: 2 })
  const sale = { ...order, side: 'ask', price: 59_900, size: 2 * fills, tif: 'IOC' }
  const log = run(state, sale)
  assert.equal(count(log, 'Traded'), fills)
  // And the one that the small exchange has.
  assert.equal(count(log, 'OrderReduced'), reducing + 1)
})

test('makers with many reduce-only orders cut each of them once', () => {
  const state = decodeState(smallExchange().bytes)
  const own = { ...order, side: 'ask', reduceOnly: true }
  for (let n = 0; n < fills; n++) run(state, { ...own, price: 60_000, size: 2 })
  for (let n = 0; n < reducing; n++) run(state, { ...own, price: 61_000, size: 500 })
  const log = run(state, { ...order, account: bob, price: 60_000, size: 2 * fills, tif: 'IOC' })
  assert.equal(count(log, 'Traded'), fills)
  assert.equal(count(log, 'OrderReduced'), reducing + 1)
})
