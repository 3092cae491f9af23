// A wall clock that steps while its node leads: what is signed then must still be done once, and no
// client may stay locked out when the clock is right again. And clocks of all nodes that are a
// little wrong all the time, differently in every round.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { keyOfSeed } from '../../../../src/client/key.ts'
import { signedBody } from '../../../../src/client/signed-body.ts'
import { dataOf, errorOf, type Reply } from '../../../support/running/connection.ts'
import type { Random } from '../../differential/random.ts'
import type { TradingNodes } from './trading-nodes.ts'

const deposited = '1000'
const amount = '10'
const left = '990'
const stepMs = 60_000
/** Further off the database's clock a node does not lead. */
const standingMs = 8_000
/** As clients do whose request fails. */
const triesMax = 5

type ClockScene = Readonly<{ nodes: TradingNodes; random: Random }>

export function skewAll(nodes: TradingNodes, random: Random): void {
  for (const { clock } of nodes.all) void clock.setSkew(random.between(-standingMs, standingMs))
}

/** Before and after are the standing skew; the step is up to a minute, either way. */
export async function stepClock({ nodes, random }: ClockScene) {
  // The traders draw theirs from seeds.
  const key = keyOfSeed(randomBytes(32))
  const account = key.address
  const post = (path: string, body: unknown): Promise<Reply> =>
    nodes.ask((api) => api.post(`/api/v1${path}`, body))
  const cancelAll = (timestamp: number) => {
    const fields = { all_symbols: true, exclude_reduce_only: false }
    return signedBody(key, fields, { type: 'cancel_all_orders', timestamp })
  }
  dataOf(await post('/sandbox/faucet', { account, amount: deposited }))
  const signing = { type: 'withdraw', timestamp: Date.now() } as const
  const text = await signedBody(key, { amount }, { ...signing, expiryWindow: stepMs })
  await accepted(() => post('/account/withdraw', text))
  const { clock } = await nodes.someLeader()
  const standing = clock.skewMs
  await clock.setSkew(random.between(-stepMs, stepMs))
  // By the clock as it is now: what used to empty the memory of signed texts.
  await post('/orders/cancel_all', await cancelAll(Date.now() + clock.skewMs))
  const during = await post('/account/withdraw', text)
  await wait(random.below(300))
  await clock.setSkew(standing)
  const after = await post('/account/withdraw', text)
  for (const again of [during, after]) assert.match(errorOf(again), /^(REPLAYED|EXPIRED|NOT_READY)/)
  const read = await nodes.ask((api) => api.get(`/api/v1/account?account=${account}`))
  assert.equal(dataOf<{ balance: string }>(read).balance, left, 'withdrawn once')
  await accepted(async () => post('/orders/cancel_all', await cancelAll(Date.now())))
  return undefined
}

/** Done now, or by an attempt before that had no answer. */
async function accepted(send: () => Promise<Reply>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const reply = await send()
    if (reply.status === 200 || errorOf(reply).startsWith('REPLAYED')) return
    if (reply.status !== 503 || tries === triesMax) dataOf(reply)
    await wait(100 * tries)
  }
}
