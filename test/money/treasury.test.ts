// The treasury: reports of custody become commands once, payable withdrawals become orders once,
// with real files, a real service, and an exchange that is killed in between.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKey } from '../../src/client/key.ts'
import { readConfig } from '../../src/config.ts'
import { signedHeaders } from '../../src/main/webhooks/message.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { adminToken, type Live, liveExchange } from '../support/http/live-exchange.ts'
import { Custody, head, runTreasuryRounds } from '../support/treasury/treasury-rounds.ts'

const home = mkdtempSync(join(tmpdir(), 'openperp-treasury-'))
const folder = join(home, 'treasury')
const custody = new Custody(folder)
const places = { in: join(folder, 'in'), refused: join(folder, 'in', 'refused') }
const secret = 'the secret of the treasury, long enough'.replaceAll(' ', '-')

/** The reports that the service returns, and the orders that it received. */
const service = {
  reports: [] as Row[],
  orders: [] as Row[],
  statuses: [] as number[],
  signs: secret,
  raw: null as string | null,
}

function answer(request: IncomingMessage, reply: ServerResponse, body: string): void {
  const signed = request.method === 'GET' ? request.url! : body
  const timestamp = Number(request.headers['openperp-timestamp'])
  const due = signedHeaders(signed, secret, timestamp * 1_000)
  assert.equal(request.headers['openperp-signature'], due['openperp-signature'])
  const status = service.statuses.shift() ?? 200
  if (request.method === 'POST') {
    if (status < 300) service.orders.push(JSON.parse(body))
    reply.writeHead(status).end()
    return
  }
  const from = Number(new URL(request.url!, 'http://x').searchParams.get('after') || 0)
  const reports = service.reports.slice(from, from + 2)
  const text = service.raw ?? JSON.stringify({ reports, next: `${from + reports.length}` })
  reply.writeHead(status, signedHeaders(text, service.signs, Date.now())).end(text)
}

const server = createServer(async (request, reply) => {
  let body = ''
  for await (const part of request) body += part
  answer(request, reply, body)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/custody`

const withFiles = await liveExchange(['--treasury', JSON.stringify({ kind: 'files', folder })])
const withService = await liveExchange([
  '--treasury',
  JSON.stringify({ kind: 'http', url, secret }),
])
after(async () => {
  await Promise.all([withFiles.close(), withService.close()])
  server.close()
  rmSync(home, { recursive: true, force: true })
})

async function until<T>(read: () => T | Promise<T>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found) return found
    await sleep(20)
  }
}
const treasuryOf = async (live: Live) => dataOf<Row>(await new AdminClient(live).get('/treasury'))
const pickedUp = () => until(() => !readdirSync(places.in).some((name) => name.endsWith('.csv')))
const moneyOf = async (live: Live, account: string) =>
  dataOf<{ money: Row }>(await new AdminClient(live).get('/accounts/show', { account })).money
const requestWithdrawal = async (live: Live, key: ReturnType<typeof newKey>, amount: string) =>
  Number(dataOf(await live.api.signed(key, '/account/withdraw', { amount })).withdrawal_id)
const why = async (live: Live) =>
  dataOf<Row[]>(await new AdminClient(live).get('/journal', { limit: 1 }))[0]!
/** The error text of the newest rejected file. */
function refusal(): string {
  const texts = readdirSync(places.refused).filter((name) => name.endsWith('.txt'))
  return readFileSync(join(places.refused, texts.sort().at(-1)!), 'utf8')
}

test('files: a deposit is credited once, however often and wherever it is reported', async () => {
  const { address } = newKey()
  custody.report(`deposit,tx-1,${address},250.5,,`, `deposit,tx-1,${address},250.5,,`)
  const more = [`deposit,ü1,${address},1,,`, `deposit,"tx,2",${address},1,,`]
  custody.report(`deposit,tx-1,${address},250.5,,`, ...more)
  await pickedUp()
  assert.equal((await moneyOf(withFiles, address)).balance, '252.5')
  const { reports_applied, reports_known, fault } = await treasuryOf(withFiles)
  assert.deepEqual([reports_applied, reports_known, fault], [3, 2, null])
  const { who, why: reason, outcome } = await why(withFiles)
  assert.deepEqual([who, reason, outcome], ['treasury', 'deposit tx,2', 'done'])
  // The admin plane recognizes the same payment, in any spelling.
  const again = { account: address, amount: '1', reference: 'ü1' }
  const credited = dataOf<Row>(await new AdminClient(withFiles).post('/deposits', again))
  assert.deepEqual(credited, { balance: '252.5', credited: false, waiting_credit_id: null })
  // Another amount under the same reference breaks a rule, and the journal says so.
  custody.report(`deposit,ü1,${address},2,,`)
  await pickedUp()
  const conflict = await why(withFiles)
  const { what, outcome: ended, rejection } = conflict
  assert.deepEqual([what, ended, rejection], ['Deposit', 'refused', 'DEPOSIT_CONFLICT'])
})

test('files: an invalid file is rejected whole, by line and column', async () => {
  const { address } = newKey()
  const good = `deposit,g-1,${address},5,,`
  for (const [row, says] of [
    [`deposit,g-2,${address},1.0000001,,`, /^line 3, column amount: "1.0000001" must be USD above/],
    [`deposit,g-2,${address},"12,5",,`, /^line 3, column amount: "12,5" must be USD above 0/],
    [`deposit,g-2,unknown,5,,`, /^line 3, column account: "unknown" must be an address/],
    [`deposit,,${address},5,,`, /^line 3, column reference: "" must be 1 to 128 characters/],
    [`deposit,g-2,${address},5,7,`, /column withdrawal_id: "7" must be empty in a row of type dep/],
    [`paid,g-2,${address},5,,`, /column type: "paid" must be deposit, completed or failed/],
    [`completed,tx,,,-1,`, /column withdrawal_id: "-1" must be the id of a withdrawal/],
    [`deposit,g-2,${address},5`, /^line 3: it has 4 columns, and must have 6/],
    [`deposit,"g-2,${address},5,,`, /^line 3: a quote is not closed/],
  ] as const) {
    const before = readdirSync(places.refused).length
    custody.report(good, row)
    await pickedUp()
    await until(() => readdirSync(places.refused).length === before + 2)
    assert.match(refusal(), says)
  }
  writeFileSync(join(places.in, 'head.csv'), `account,amount\n${address},5\n`)
  await pickedUp()
  assert.match(refusal(), /^line 1: the first line must be type,reference,account,amount,/)
  assert.equal(
    dataOf<Row>(await new AdminClient(withFiles).get('/accounts', { query: address })).found,
    0,
  )
  const ran = await openperp(['admin', 'treasury'], {
    environment: { OPENPERP_ADMIN_URL: withFiles.adminUrl, OPENPERP_ADMIN_TOKEN: adminToken },
  })
  assert.match(ran.out, /reports_refused +11[\s\S]*column amount/)
  const page = await (await fetch(`${withFiles.url}/metrics`)).text()
  assert.match(page, /^openperp_treasury_refused_total(\{[^}]*\})? 11$/m)
})

test('files: a half-written file is waited for, and a link is not followed', async () => {
  const { address } = newKey()
  const file = join(places.in, 'slow.csv')
  writeFileSync(file, `${head}deposit,slow-1,${address},1,,\ndeposit,slow-2,${address},`)
  symlinkSync('/etc/passwd', join(places.in, 'link.csv'))
  custody.report(`deposit,slow-0,${address},1,,`)
  await until(() => readdirSync(places.in).filter((name) => name.endsWith('.csv')).length === 2)
  assert.equal((await moneyOf(withFiles, address)).balance, '1')
  appendFileSync(file, '1,,\n')
  await until(() => !existsSync(file))
  assert.equal((await moneyOf(withFiles, address)).balance, '3')
  rmSync(join(places.in, 'link.csv'))
  writeFileSync(file, `${head}deposit,slow-3,${address},1,,`)
  utimesSync(file, 1, 1)
  await pickedUp()
  assert.match(refusal(), /^the file: its last line has no end/)
})

test('files: a payable withdrawal is an order once, and ends as custody reports', async () => {
  const admin = new AdminClient(withFiles)
  const key = newKey()
  custody.report(`deposit,out-1,${key.address},1000,,`)
  await pickedUp()
  dataOf(await admin.post('/withdrawals/limits', { approval_above: '100', daily_max: null }))
  const [paid, failed, waits] = [
    await requestWithdrawal(withFiles, key, '10'),
    await requestWithdrawal(withFiles, key, '20'),
    await requestWithdrawal(withFiles, key, '200'),
  ]
  const order = (id: number) => join(folder, 'out', `withdrawal-${id}.csv`)
  await until(() => existsSync(order(paid)) && existsSync(order(failed)))
  const [columns, row] = readFileSync(order(paid), 'utf8').split('\n')
  assert.equal(columns, 'withdrawal_id,account,amount,approved_at')
  assert.match(row!, new RegExp(`^${paid},${key.address},10,\\d{4}-`))
  custody.report(`completed,0xabc,,,${paid},`, `failed,,,,${failed},the address does not exist`)
  await pickedUp()
  assert.equal((await why(withFiles)).why, 'not paid: the address does not exist')
  const money = await moneyOf(withFiles, key.address)
  assert.deepEqual([money.balance, money.pending_balance], ['790', '200'])
  assert.ok(!existsSync(order(waits)))
  const contradicted = [
    [`completed,0xdef,,,${waits},`, /WITHDRAWAL_NOT_APPROVED/],
    [`completed,0xdef,,,${failed},`, /failed before, and its 20 USD are back in the account/],
    [`failed,,,,${paid},too late`, /of 10 USD was completed before: it cannot fail any more/],
    [`completed,0xdef,,,999,`, /there is no withdrawal 999/],
    [`deposit,out-1,${key.address},1001,,`, /DEPOSIT_CONFLICT/],
  ] as const
  for (const [text, says] of contradicted) {
    const before = readdirSync(places.refused).length
    custody.report(text)
    await until(() => readdirSync(places.refused).length === before + 2)
    assert.match(refusal(), says)
  }
  dataOf(await admin.post('/withdrawals/fail', { withdrawal_id: waits }))
  assert.ok(!existsSync(order(waits)))
})

test('http: orders are posted until accepted, reports are fetched page by page', async () => {
  const key = newKey()
  const deposit = (reference: string, amount: string) => ({
    ...{ type: 'deposit', reference, account: key.address, amount },
  })
  service.reports.push(deposit('h-1', '100'), deposit('h-1', '100'), deposit('h-2', '5'))
  await until(async () => (await treasuryOf(withService)).reports_applied === 2)
  assert.equal((await moneyOf(withService, key.address)).balance, '105')
  service.statuses.push(503, 302)
  const id = await requestWithdrawal(withService, key, '25')
  await until(() => service.orders.length > 0)
  const [{ type, withdrawal_id, amount, account } = {} as Row] = service.orders
  assert.deepEqual(
    [type, withdrawal_id, amount, account],
    ['withdrawal.approved', id, '25', key.address],
  )
  service.reports.push({ type: 'completed', withdrawal_id: id, reference: '0x51' })
  await until(async () => (await moneyOf(withService, key.address)).pending_balance === '0')
  assert.equal((await moneyOf(withService, key.address)).balance, '80')
  assert.equal(service.orders.length, 1)
})

test('http: unsigned, non-JSON or invalid reports are fetched again', async () => {
  const { address: account } = newKey()
  const faultIs = async (says: RegExp) =>
    until(async () => says.test(`${(await treasuryOf(withService)).fault}`))
  service.signs = 'another secret, as long as the other is'
  service.reports.push({ type: 'deposit', reference: 'h-9', account, amount: '7' })
  await faultIs(/not signed with the secret/)
  service.signs = secret
  service.raw = 'nonsense'
  await faultIs(/is not JSON such as/)
  service.raw = JSON.stringify({
    reports: [
      { type: 'deposit', reference: 'h-10', account, amount: '1' },
      { type: 'deposit', reference: 'h-11', account, amount: 'much' },
    ],
    next: '99',
  })
  await faultIs(/report 1, amount: "much" must be USD/)
  service.raw = null
  await until(async () => (await treasuryOf(withService)).fault === null)
  await until(async () => (await treasuryOf(withService)).reports_applied === 4)
  assert.equal((await moneyOf(withService, account)).balance, '7')
})

test('killed at any moment, nothing is credited or paid twice, and nothing is lost', async () => {
  const { credited, due, paid, withdrawals, open } = await runTreasuryRounds(4, 7)
  assert.equal(credited, due)
  assert.equal(new Set(paid).size, paid.length)
  assert.deepEqual([paid.length, open], [withdrawals, 0])
  assert.ok(withdrawals > 0)
})

test('an invalid setting is rejected by name, and no secret is repeated', () => {
  const read = (item: unknown) => readConfig(['--treasury', JSON.stringify(item)], {}, '/').treasury
  const http = { kind: 'http', url: 'https://custody.example/', secret }
  assert.deepEqual(read(http), { ...http, url: 'https://custody.example' })
  for (const [item, says] of [
    [[], /must be an object/],
    [{ kind: 'bank' }, /kind must be files or http/],
    [{ kind: 'files', folder: 'here' }, /folder must be a path that begins with \//],
    [{ kind: 'files', folder: '/x', url: 'y' }, /of kind files has no field url/],
    [{ ...http, url: 'file:///x' }, /url must be an address/],
    [{ ...http, url: 'https://x/?a=1' }, /must have no \?/],
    [{ ...http, secret: 'short' }, /secret must be 32 to 256/],
  ] as const)
    assert.throws(() => read(item), says)
})
