// Webhooks: who is told of deposits and withdrawals, signed, in order, until it is taken; and that
// a kill of either side loses nothing.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import type { WebhookTime } from '../../src/main/webhooks/webhook.ts'
import { openperpJson } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { adminToken, liveExchange } from '../support/http/live-exchange.ts'
import { type Message, receiver, secret } from '../support/webhooks/receiver.ts'
import { runWebhookRounds } from '../support/webhooks/webhook-rounds.ts'

const got: Message[] = []
const statuses: number[] = []
const hook = await receiver((message) => {
  const status = statuses.shift() ?? 204
  if (status < 300) got.push(message)
  return status
})
const quiet: string[] = []
const other = await receiver(({ type }) => {
  quiet.push(type)
  return 200
})
/** When each attempt of the deposit of 13 was signed, in seconds. */
const attempts: number[] = []
const taken: string[] = []
const wallet = await receiver(({ amount }, headers) => {
  if (amount === '13') attempts.push(Number(headers['openperp-timestamp']))
  else taken.push(amount)
  return amount === '13' ? 503 : 204
})
const webhooks = JSON.stringify([
  { name: 'payments', url: hook.url, secret },
  { name: 'failures', url: other.url, secret, kinds: ['withdrawal.failed'] },
  { name: 'wallet', url: wallet.url, secret, kinds: ['deposit.credited'], tryMinutes: 1 },
])
/** Whoever waits for longer than a moment has waited: the clock goes on instead. */
let aheadMs = 0
const webhookTime: WebhookTime = {
  now: () => Date.now() + aheadMs,
  async sleep(forMs, signal) {
    if (forMs > 400) aheadMs += forMs
    await sleep(Math.min(forMs, 20), undefined, { signal })
  },
}
const live = await liveExchange(['--webhooks', webhooks], undefined, { webhookTime })
after(async () => {
  await live.close()
  await hook.close()
  await other.close()
  await wallet.close()
})
const admin = new AdminClient(live)

/** All messages, when there are so many. */
async function told(count: number): Promise<readonly Message[]> {
  while (got.length < count) await sleep(20)
  return got
}

test('every step is told once, in order, with an id of its own', async () => {
  const trader = await live.trader('1000')
  const ask = async (amount: string) =>
    dataOf<{ withdrawal_id: number }>(
      await live.api.signed(trader, '/account/withdraw', { amount }),
    )
  const [one, two] = [await ask('100.5'), await ask('20')]
  dataOf(await admin.post('/withdrawals/complete', one))
  dataOf(await admin.post('/withdrawals/fail', two))
  const messages = await told(7)
  const { withdrawal_id: first } = one
  const { withdrawal_id: second } = two
  assert.deepEqual(
    messages.map(({ type, amount, withdrawal_id }) => [type, amount, withdrawal_id]),
    [
      ['deposit.credited', '1000', null],
      ['withdrawal.requested', '100.5', first],
      ['withdrawal.approved', '100.5', first],
      ['withdrawal.requested', '20', second],
      ['withdrawal.approved', '20', second],
      ['withdrawal.completed', '100.5', first],
      ['withdrawal.failed', '20', second],
    ],
  )
  assert.ok(messages.every(({ account }) => account === trader.address))
  assert.equal(new Set(messages.map(({ id }) => id)).size, messages.length)
  assert.equal(messages[1]!.id, `${messages[1]!.seq}-0`)
  assert.equal(messages[2]!.id, `${messages[1]!.seq}-1`)
  while (quiet.length === 0) await sleep(20)
  assert.deepEqual(quiet, ['withdrawal.failed'])
})

test('one that needs approval is approved when the last has approved', async () => {
  dataOf(await admin.post('/withdrawals/limits', { approval_above: null, daily_max: '0' }))
  const trader = await live.trader('50')
  const ask = await live.api.signed(trader, '/account/withdraw', { amount: '30' })
  const withdrawal = dataOf<{ withdrawal_id: number }>(ask)
  assert.equal((await told(9)).at(-1)!.type, 'withdrawal.requested')
  dataOf(await admin.post('/withdrawals/limits', { approval_above: null, daily_max: null }))
  dataOf(await admin.post('/withdrawals/approve', withdrawal))
  assert.equal((await told(10)).at(-1)!.type, 'withdrawal.approved')
})

test('what is not taken, or redirected, is tried again, and nothing overtakes it', async () => {
  statuses.push(500, 302)
  const account = (await live.trader('1')).address
  const deposit = { account, amount: '2', reference: 'wire 1' }
  dataOf(await admin.post('/deposits', deposit))
  const messages = await told(12)
  assert.deepEqual(
    messages.slice(-2).map(({ amount }) => amount),
    ['1', '2'],
  )
  assert.equal(messages.at(-1)!.reference, 'wire 1')
  const [row] = dataOf<Row[]>(await admin.get('/webhooks'))
  assert.deepEqual(
    [row!.name, row!.failed, row!.delivered, row!.failing_since, row!.given_up],
    ['payments', 2, 12, null, []],
  )
  const page = await (await fetch(`${live.url}/metrics`)).text()
  assert.match(page, /openperp_webhook_delivered_total\{[^}]*webhook="payments"[^}]*\} 12/)
})

test('what nobody takes is given up after its minutes, and the next one follows', async () => {
  const account = (await live.trader('12')).address
  for (const amount of ['13', '14'])
    dataOf(await admin.post('/deposits', { account, amount, reference: `wire of ${amount}` }))
  while (!taken.includes('14')) await sleep(20)
  const [first, last, before] = [attempts[0]!, attempts.at(-1)!, attempts.at(-2)!]
  assert.ok(last - first >= 59 && before - first <= 60, `${attempts}`)
  const { id } = (await told(15)).find(({ amount }) => amount === '13')!
  const environment = { OPENPERP_ADMIN_URL: live.adminUrl, OPENPERP_ADMIN_TOKEN: adminToken }
  const ran = await openperpJson<Row[]>(['admin', 'webhooks'], { environment })
  const row = ran.json.find(({ name }) => name === 'wallet')!
  const [{ at, ...gone }] = row.given_up as [Row]
  assert.deepEqual(gone, { id, type: 'deposit.credited', fault: 'it answered 503' })
  assert.ok(Math.abs(Number(at) / 1_000 - last) < 30)
  assert.deepEqual([row.abandoned, row.failed, row.failing_since], [1, attempts.length, null])
  const page = await (await fetch(`${live.url}/metrics`)).text()
  const metrics = ['given_up', 'given_up_total', 'failing_seconds', 'waiting_seconds'].map((name) =>
    new RegExp(`^openperp_webhook_${name}\\{[^}]*webhook="wallet"[^}]*\\} (.*)$`, 'm').exec(page),
  )
  assert.deepEqual(
    metrics.map((match) => match?.[1]),
    ['1', '1', '0', '0'],
  )
})

test('a setting that cannot be is refused by name, and no secret is repeated', () => {
  const good = { name: 'a', url: 'https://pay.example/hook', secret }
  const read = (items: unknown) => readConfig(['--webhooks', JSON.stringify(items)], {}, '/')
  assert.equal(read([good]).webhooks[0]!.tryMinutes, 1_440)
  for (const [items, says] of [
    [{}, /must be a list/],
    [[{ ...good, url: 'file:///etc/passwd' }], /url must be an address/],
    [[{ ...good, secret: 'short' }], /secret must be 32 to 256/],
    [[{ ...good, kinds: ['trade'] }], /kinds must be a list of deposit.credited/],
    [[{ ...good, tryMinutes: 0 }], /tryMinutes must be a whole number/],
    [[{ ...good, method: 'GET' }], /has no field method/],
    [[good, good], /a name of its own/],
  ] as const)
    assert.throws(() => read(items), says)
})

test('killed on either side, nothing is lost and nothing applied twice', async () => {
  const said: string[] = []
  const report = await runWebhookRounds({ rounds: 3, seed: 3, say: (text) => said.push(text) })
  assert.deepEqual(report.wrong, [])
  assert.ok(report.kills.exchange > 0 && report.kills.receiver > 0, JSON.stringify(report.kills))
})
