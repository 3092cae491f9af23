import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualTime } from '../../../test/support/manual-time.ts'
import { Thinner } from './thinner.ts'

function thinned(symbols: number) {
  const time = new ManualTime(1_000)
  const sent: string[] = []
  const { wall, timers } = time
  const onQuote = ({ symbol, price }: { symbol: string; price: string }) => {
    sent.push(`${time.now} ${symbol} ${price}`)
  }
  const thinner = new Thinner({ symbols, wall, timers, onQuote })
  const take = (symbol: string, price: string) =>
    thinner.take({ symbol, price, atMs: null, receivedMs: time.now, receivedAt: time.now })
  return { time, sent, thinner, take }
}

test('a price is passed on immediately, later ones ten times a second', async () => {
  const { time, sent, take } = thinned(2)
  take('BTC', '1')
  for (const price of ['2', '3', '4']) take('BTC', price)
  take('ETH', '9')
  assert.deepEqual(sent, ['1000 BTC 1'])
  await time.pass(99)
  take('BTC', '5')
  await time.pass(1)
  assert.deepEqual(sent.slice(1), ['1100 BTC 5', '1100 ETH 9'])
  await time.pass(1_000)
  take('BTC', '6')
  assert.deepEqual(sent.slice(3), ['2100 BTC 6'])
})

test('waiting prices are dropped at the end', async () => {
  const { time, sent, take, thinner } = thinned(1)
  take('BTC', '1')
  take('BTC', '2')
  thinner.close()
  await time.pass(1_000)
  assert.deepEqual(sent, ['1000 BTC 1'])
  assert.equal(time.armed, 0)
})

test('number and length of messages in a tenth of a second are limited', async () => {
  const { time, thinner } = thinned(2)
  const readOf = (times: number, length: number) =>
    Array.from({ length: times }, () => thinner.takesMessage(length)).filter(Boolean).length
  assert.equal(readOf(1_000, 100), 8 + 2 * 4)
  await time.pass(99)
  assert.equal(readOf(1_000, 100), 0)
  await time.pass(1)
  assert.equal(readOf(1_000, 30_000), 2)
  await time.pass(100)
  assert.equal(readOf(5, 100_000), 1)
  // A clock that was set back begins a new tenth.
  time.now -= 3_600_000
  assert.equal(readOf(5, 100), 5)
})
