// Webhooks: deposits and withdrawals are reported, signed, in order, until accepted; and a kill of
// either side loses nothing.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { openperpJson } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { adminToken, liveExchange } from '../support/http/live-exchange.ts'
import { hurriedTime } from '../support/webhooks/hurried-time.ts'
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
/** When each attempt of a rejected message was signed, in seconds. */
const attempts: number[] = []
const taken: Message[] = []
let refuses = '13'
const wallet = await receiver((message, headers) => {
  const isRefused = message.amount === refuses
  if (isRefused) attempts.push(Number(headers['openperp-timestamp']))
  else taken.push(message)
  return isRefused ? 503 : 204
})
const webhooks = JSON.stringify([
  { name: 'payments', url: hook.url, secret },
  { name: 'failures', url: other.url, secret, kinds: ['withdrawal.failed'] },
  { name: 'wallet', url: wallet.url, secret, kinds: ['deposit.credited'], tryMinutes: 1 },
])
const flags = ['--webhooks', webhooks]
const live = await liveExchange(flags, undefined, { webhookTime: hurriedTime() })
after(async () => {
  await live.close()
  await hook.close()
  await other.close()
  await wallet.close()
})
const admin = new AdminClient(live)

const environment = { OPENPERP_ADMIN_URL: live.adminUrl, OPENPERP_ADMIN_TOKEN: adminToken }
async function walletNow(): Promise<Row> {
  const ran = await openperpJson<Row[]>(['admin', 'webhooks'], { environment })
  return ran.json.find(({ name }) => name === 'wallet')!
}
async function metricOf(name: string): Promise<string | undefined> {
  const page = await (await fetch(`${live.url}/metrics`)).text()
  const line = new RegExp(`^openperp_webhook_${name}\\{[^}]*webhook="wallet"[^}]*\\} (.*)$`, 'm')
  return line.exec(page)?.[1]
}

/** All messages, once there are this many. */
async function messagesUpTo(count: number): Promise<readonly Message[]> {
  while (got.length < count) await sleep(20)
  return got
}

test('every step is reported once, in order, with its own id', async () => {
  const trader = await live.trader('1000')
  const ask = async (amount: string) =>
    dataOf<{ withdrawal_id: number }>(
      await live.api.signed(trader, '/account/withdraw', { amount }),
    )
  const [one, two] = [await ask('100.5'), await ask('20')]
  dataOf(await admin.post('/withdrawals/complete', one))
  dataOf(await admin.post('/withdrawals/fail', two))
  const messages = await messagesUpTo(7)
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

test('a withdrawal is approved once its last approval is given', async () => {
  dataOf(await admin.post('/withdrawals/limits', { approval_above: null, daily_max: '0' }))
  const trader = await live.trader('50')
  const ask = await live.api.signed(trader, '/account/withdraw', { amount: '30' })
  const withdrawal = dataOf<{ withdrawal_id: number }>(ask)
  assert.equal((await messagesUpTo(9)).at(-1)!.type, 'withdrawal.requested')
  dataOf(await admin.post('/withdrawals/limits', { approval_above: null, daily_max: null }))
  dataOf(await admin.post('/withdrawals/approve', withdrawal))
  assert.equal((await messagesUpTo(10)).at(-1)!.type, 'withdrawal.approved')
})

test('a rejected or redirected delivery is retried, and no other overtakes it', async () => {
  statuses.push(500, 302)
  const account = (await live.trader('1')).address
  const deposit = { account, amount: '2', reference: 'wire-1' }
  dataOf(await admin.post('/deposits', deposit))
  const messages = await messagesUpTo(12)
  assert.deepEqual(
    messages.slice(-2).map(({ amount }) => amount),
    ['1', '2'],
  )
  assert.equal(messages.at(-1)!.reference, 'wire-1')
  const [row] = dataOf<Row[]>(await admin.get('/webhooks'))
  assert.deepEqual(
    [row!.name, row!.failed, row!.delivered, row!.failing_since, row!.given_up],
    ['payments', 2, 12, null, []],
  )
  const page = await (await fetch(`${live.url}/metrics`)).text()
  assert.match(page, /openperp_webhook_delivered_total\{[^}]*webhook="payments"[^}]*\} 12/)
})

test('a message that is not accepted in time is given up, and the next one follows', async () => {
  const account = (await live.trader('12')).address
  for (const amount of ['13', '14'])
    dataOf(await admin.post('/deposits', { account, amount, reference: `wire-of-${amount}` }))
  while (taken.at(-1)?.amount !== '14') await sleep(20)
  const [first, last, before] = [attempts[0]!, attempts.at(-1)!, attempts.at(-2)!]
  assert.ok(last - first >= 59 && before - first <= 60, `${attempts}`)
  const { id } = (await messagesUpTo(15)).find(({ amount }) => amount === '13')!
  const row = await walletNow()
  const [{ at, ...gone }] = row.given_up as [Row]
  assert.deepEqual(gone, { id, type: 'deposit.credited', fault: 'it answered 503' })
  assert.ok(Math.abs(Number(at) / 1_000 - last) < 30)
  assert.deepEqual([row.abandoned, row.failed, row.failing_since], [1, attempts.length, null])
  while ((await metricOf('waiting_seconds')) !== '0') await sleep(20)
  for (const name of ['given_up', 'given_up_total']) assert.equal(await metricOf(name), '1', name)
  assert.equal(await metricOf('failing_seconds'), '0')
})

test("given-up messages are sent again at an operator's request, under the same id", async () => {
  const again = (name: string, from: string) =>
    openperpJson(['admin', 'webhook', 'tell-again', name, from, '--reason', 'is back', '--yes'], {
      environment,
    })
  const { seq } = taken.at(-1)!
  const beyond = await again('wallet', `${seq + 1}`)
  assert.match(
    JSON.stringify(beyond.json),
    new RegExp(`${seq + 1} is outside 1 to ${seq}, the last entry`),
  )
  const unknown = await again('ledger', '1')
  assert.match(JSON.stringify(unknown.json), /named ledger; available: payments, failures, wallet/)
  assert.equal(((await walletNow()).given_up as Row[]).length, 1)
  refuses = ''
  const [told13] = (await walletNow()).given_up as [Row]
  const from = Number.parseInt(String(told13.id), 10)
  const last = taken.at(-1)!
  taken.length = 0
  const reply = await again('wallet', `${from}`)
  assert.deepEqual(reply.json, { name: 'wallet', from_seq: from })
  while (taken.length < 2) await sleep(20)
  assert.deepEqual(
    taken.map(({ id, amount }) => [id, amount]),
    [
      [told13.id, '13'],
      [last.id, '14'],
    ],
  )
  assert.deepEqual((await walletNow()).given_up, [])
  const [newest] = dataOf<Row[]>(await admin.get('/journal', { limit: 1 }))
  assert.deepEqual([newest!.who, newest!.what, newest!.why], ['root', 'KeepNote', 'is back'])
})

test('an invalid setting is rejected by name, and no secret is repeated', () => {
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

test('with kills of either side nothing is lost and nothing applied twice', async () => {
  const said: string[] = []
  const report = await runWebhookRounds({ rounds: 3, seed: 3, say: (text) => said.push(text) })
  assert.deepEqual(report.wrong, [])
  assert.ok(report.kills.exchange > 0 && report.kills.receiver > 0, JSON.stringify(report.kills))
})
