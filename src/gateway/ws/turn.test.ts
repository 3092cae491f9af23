import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnOf } from './turn.ts'

test('requests of a connection are handed over in the order in which they came', async () => {
  const connection = { turn: Promise.resolve() as Promise<unknown> }
  const order: number[] = []
  const turns = [1, 2, 3].map((n) => ({ n, turn: turnOf(connection, false) }))
  const waits = turns.map(async ({ n, turn }) => {
    await turn.before
    order.push(n)
    turn.handedOver()
  })
  await Promise.all(waits)
  assert.deepEqual(order, [1, 2, 3])
  // One that is done early does not let the next pass the one before it.
  const [fourth, fifth] = [turnOf(connection, false), turnOf(connection, false)]
  fifth.handedOver()
  const isOver = Promise.race([connection.turn.then(() => true), turned().then(() => false)])
  assert.equal(await isOver, false)
  fourth.handedOver()
  await connection.turn
})

test('nothing of a request is kept once it was handed over', async () => {
  const connection = { turn: Promise.resolve() as Promise<unknown> }
  for (let n = 0; n < 3; n++) {
    const turn = turnOf(connection, true)
    await turn.before
    turn.handedOver()
  }
  assert.equal(await connection.turn, undefined)
})

const turned = () => new Promise((resolve) => setImmediate(resolve))
