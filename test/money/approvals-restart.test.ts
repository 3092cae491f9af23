// Approvals by a second person, over a restart of a venue: waiting credits, daily sums, and the
// brake that is on by default at a new venue.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { type Live, liveExchange } from '../support/http/live-exchange.ts'

const named = [
  'root:the-token-of-the-operator:read+operate',
  'ann:the-token-of-ann-alone:read+money+prices',
  'bob:the-token-of-bob-alone:read+money',
]
const settings = ['--mode', 'venue', '--admin-tokens', named.join(',')]
const clientsOf = (live: Live) => {
  const [root, ann, bob] = named.map((each) => new AdminClient(live, each.split(':')[1]!))
  return { root: root!, ann: ann!, bob: bob! }
}
const { address: account } = newKey()

test('a restart keeps the sums, the waiting credit and the brake', async () => {
  let live = await liveExchange(settings)
  const { folder } = live
  after(() => rmSync(folder, { recursive: true, force: true }))
  const before = clientsOf(live)
  const brake = dataOf(await before.root.get('/withdrawals/brake'))
  assert.deepEqual([brake.enabled, brake.fund_part, brake.profit_above], [true, '0.05', '1000'])
  const limits = { approval_above: '10', daily_max: '100', credit_approval_above: '1000' }
  assert.deepEqual(dataOf(await before.root.post('/withdrawals/limits', limits)).warnings, [])
  const credit = async (who: AdminClient, amount: string, reference: string) =>
    dataOf(await who.post('/deposits', { account, amount, reference }))
  assert.equal((await credit(before.ann, '900', 'wire-1')).credited, true)
  assert.equal((await credit(before.ann, '200', 'wire-2')).waiting_credit_id, 1)
  await live.running.close()

  live = await liveExchange(settings, folder)
  after(() => live.close())
  const { root, ann, bob } = clientsOf(live)
  assert.equal(dataOf(await root.get('/withdrawals/brake')).enabled, true)
  assert.equal(dataOf<Row[]>(await root.get('/deposits/waiting')).length, 1)
  // The earlier 900 count.
  assert.equal((await credit(ann, '101', 'wire-3')).waiting_credit_id, 2)
  refused(await ann.post('/deposits/approve', { credit_id: 1 }), {
    status: 422,
    says: /CREDIT_APPROVER_REPEATED/,
  })
  const { balance } = dataOf(await bob.post('/deposits/approve', { credit_id: 1 }))
  assert.equal(balance, '1100')
})
