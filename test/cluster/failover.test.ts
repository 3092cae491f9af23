// The real program as nodes of a cluster: the leader serves, and a follower takes over when it is
// killed, is stopped or steps down, with everything that was acknowledged.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '../../src/client/client.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { keySecretFile } from '../../src/sequencer/key-secret.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import { until } from '../support/http/held-sockets.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { adminToken } from '../support/running/child-exchange.ts'
import { alice, bob, ExchangeNode, sameState, sameVenue } from '../support/running/exchange-node.ts'
import { blockSignal, hang } from '../support/running/hanging.ts'
import { StreamClient } from '../support/streams/stream-client.ts'
import { Custody } from '../support/treasury/treasury-rounds.ts'

const databases = sharedDatabases()
const root = sharedFolder('failover')

/** The holder is known to have exited: a waiting node need not wait for its lease to expire. */
async function endLease(): Promise<void> {
  await databases.primary.query(`UPDATE ${databases.schema}.openperp_lead SET lease_ms = 100`)
}

test('two nodes lead in turn, however the leader ends, and nothing is lost', async () => {
  const url = await databases.empty()
  const [one, two] = [new ExchangeNode('one', root), new ExchangeNode('two', root)]
  one.start(url)
  await one.leads()
  await one.prepare()
  two.start(url)
  await two.follows(one)
  await standsBy(two)
  const signed = await one.trade()
  assert.equal(await one.position(bob), 0.01)
  await sameState(one, two)
  await bothSame(url, 'one')
  await killed(one, two, signed)
  one.start(url)
  await one.follows(two)
  await sameState(one, two)
  await bothSame(url, 'two')
  await stepsDown(url, two, one)
  two.start(url)
  await two.follows(one)
  await sameState(one, two)
  await isStopped(one, two)
  two.process.kill('SIGKILL')
})

test('a leader whose trading thread hangs loses the lead, and is ended', async () => {
  const url = await databases.empty()
  const [one, two] = [new ExchangeNode('hangs', root), new ExchangeNode('leads', root)]
  // Long enough for a slow machine, and waited for once.
  const leaseMs = '6000'
  one.start(url, leaseMs)
  await one.leads()
  await one.prepare()
  two.start(url, leaseMs)
  await two.follows(one)
  const signed = await one.trade()
  await hang(one.process, blockSignal)
  await two.leads()
  assert.equal(await two.position(bob), 0.01)
  const again = await two.post('/orders/create', signed)
  assert.match(JSON.stringify(again.body), /REPLAYED/)
  await two.trade()
  assert.equal(await two.position(bob), 0.02)
  assert.deepEqual(await one.process.ended, { code: null, signal: 'SIGKILL' })
  assert.match(one.process.errors, /no progress for 10000 ms: no more renewals/)
  assert.match(one.process.errors, /no longer leads, and its trading thread hangs; killed/)
  const { out } = await openperp(['cluster', 'status', '--cluster', url])
  assert.match(out, /^leader +leads, since \d{4}-\d\d-\d\d [\d:]{8} UTC \(\w+\)$/m)
  assert.match(out, /^changes +1 within the last hour$/m)
  two.process.kill('SIGKILL')
})

// Custody remembers nothing: a payment order sent twice would be paid twice.
test('the treasury belongs to the leader, and the next leader continues with it', async () => {
  const url = await databases.empty()
  const custody = new Custody(join(root, 'treasury'))
  const flags = ['--treasury', JSON.stringify({ kind: 'files', folder: custody.folder })]
  const [one, two] = [new ExchangeNode('three', root), new ExchangeNode('four', root)]
  one.start(url, undefined, flags)
  await one.leads()
  await one.prepare()
  two.start(url, undefined, flags)
  await two.follows(one)
  custody.report(`deposit,wire-1,${alice.address},10,,`)
  await until(async () => (await moneyOf(one)).balance === '100010')
  const first = await withdrawn(one, '4')
  await until(async () => {
    custody.work()
    return (await moneyOf(one)).pending_balance === '0'
  })
  const second = await withdrawn(one, '6')
  one.process.kill('SIGKILL')
  await one.process.ended
  custody.report(`deposit,wire-1,${alice.address},10,,`, `deposit,wire-2,${alice.address},5,,`)
  await endLease()
  await two.leads()
  await until(async () => {
    custody.work()
    const { balance, pending_balance } = await moneyOf(two)
    return balance === '100005' && pending_balance === '0'
  })
  const { adminPort } = await two.process.ready
  const plane = { OPENPERP_ADMIN_URL: `http://127.0.0.1:${adminPort}` }
  const environment = { ...plane, OPENPERP_ADMIN_TOKEN: adminToken }
  const { out } = await openperp(['admin', 'treasury'], { environment })
  assert.match(out, /^reports_refused +0$/m)
  assert.deepEqual(custody.paid, [first, second])
  two.process.kill('SIGKILL')
})

async function moneyOf(node: ExchangeNode) {
  const { body } = await node.get(`/api/v1/account?account=${alice.address}`)
  const { data } = body as { data: { balance: string; pending_balance: string } }
  return data
}

async function withdrawn(node: ExchangeNode, amount: string): Promise<number> {
  const { port } = await node.process.ready
  const client = new Client({ url: `http://127.0.0.1:${port}`, signer: alice })
  return (await client.withdraw({ amount })).withdrawal_id
}

type Status = Readonly<{ leader: string; nodes: readonly { is: string; state: string }[] }>

/** As `openperp cluster status` reports it. */
async function bothSame(url: string, leader: string): Promise<void> {
  let shown: Status | null = null
  await until(async () => {
    const { code, out } = await openperp(['cluster', 'status', '--cluster', url, '--json'])
    shown = JSON.parse(out) as Status
    return code === 0 && shown.nodes.every(({ state }) => state === 'same')
  })
  assert.equal(shown!.leader, leader)
  assert.deepEqual(shown!.nodes.map(({ is }) => is).toSorted(), ['follows', 'leads'])
}

/** By an operator: it releases the lead, and exits to be started again as a follower. */
async function stepsDown(url: string, leader: ExchangeNode, next: ExchangeNode) {
  const ran = await openperp(['cluster', 'step-down', '--cluster', url])
  assert.deepEqual([ran.code, ran.out], [0, `${leader.name} has given the lead to ${next.name}\n`])
  assert.deepEqual(await leader.process.ended, { code: 1, signal: null })
  assert.match(leader.process.errors, /step-down requested/)
  await next.leads()
  await next.trade()
  assert.equal(await next.position(bob), 0.03)
}

/** It answers with the leader's name and its own numbers, and with nothing else. */
async function standsBy(node: ExchangeNode): Promise<void> {
  assert.equal((await node.askStandby('/health')).status, 200)
  const ready = await node.askStandby('/ready')
  const reason = { status: 'not_ready', reason: 'standby', leader: 'one' }
  assert.deepEqual([ready.status, ready.body], [503, reason])
  assert.equal((await node.askStandby('/serving')).status, 503)
  const read = await node.askStandby('/api/v1/info')
  assert.equal(read.status, 503)
  assert.match(
    JSON.stringify(read.body),
    /NOT_READY: this node of the cluster is a standby: one leads/,
  )
  const { body: numbers } = await node.askStandby('/metrics')
  assert.match(String(numbers), /^openperp_node_leads 0$/m)
  assert.match(String(numbers), /^openperp_seq [1-9]\d*$/m)
}

/** The other one leads, with every position, and recognizes a text that is sent again. */
async function killed(leader: ExchangeNode, next: ExchangeNode, signed: string): Promise<void> {
  await armed(leader)
  assert.equal(await leader.openOrders(alice), 1)
  leader.process.kill('SIGKILL')
  await leader.process.ended
  await endLease()
  await next.leads()
  // Its connections ended with it, and orders armed to cancel with them are cancelled.
  assert.equal(await next.openOrders(alice), 0)
  const secrets = [leader, next].map(({ folder }) => readFileSync(keySecretFile(folder), 'utf8'))
  assert.equal(secrets[0], secrets[1])
  await sameVenue(leader, next)
  assert.equal(await next.position(bob), 0.01)
  const again = await next.post('/orders/create', signed)
  assert.equal(again.status, 400)
  assert.match(JSON.stringify(again.body), /REPLAYED/)
  await next.trade()
  assert.equal(await next.position(bob), 0.02)
}

/** An order that is cancelled with its connection. */
async function armed(leader: ExchangeNode): Promise<void> {
  await leader.order(alice, 'bid', '90000')
  const { port } = await leader.process.ready
  const streams = await StreamClient.open(`ws://127.0.0.1:${port}/ws`)
  const signing = { type: 'cancel_on_disconnect', timestamp: Date.now() } as const
  const params = await signedBody(alice, {}, signing)
  const answer = await streams.ask({ method: 'cancel_on_disconnect', params })
  assert.equal(answer.channel, 'cancel_on_disconnect', JSON.stringify(answer))
}

/** The lead is released: no node waits for the lease to expire. */
async function isStopped(leader: ExchangeNode, next: ExchangeNode): Promise<void> {
  leader.process.kill('SIGTERM')
  assert.deepEqual(await leader.process.ended, { code: 0, signal: null })
  await next.leads()
  await next.trade()
  assert.equal(await next.position(bob), 0.04)
}
