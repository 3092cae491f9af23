// The statement of an account through a real exchange: the admin plane and the command line return
// the same, it agrees with the owner's reads, and it includes the account's proof of reserves.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { adminToken, frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
const home = mkdtempSync(join(tmpdir(), 'openperp-statement-'))
after(async () => {
  await live.close()
  rmSync(home, { recursive: true, force: true })
})
const plane = new AdminClient(live)
const environment = { OPENPERP_ADMIN_URL: live.adminUrl, OPENPERP_ADMIN_TOKEN: adminToken }
const alice = newKey()
const minuteMs = 60_000

type Line = Readonly<Record<string, string | number | null>>
type Statement = Row &
  Readonly<{
    lines: Line[]
    opening: Record<string, string>
    closing: Record<string, string>
    at_end: Row & { positions: Row[]; equity: string }
  }>
const statementOf = async (query: Row = {}) =>
  dataOf<Statement>(await plane.get('/accounts/statement', { account: alice.address, ...query }))
const now = async () => Number(dataOf(await live.api.get('/sandbox/clock')).engine_now)

/** To the next full minute. */
async function laterMinute(): Promise<number> {
  const at = await now()
  const next = (Math.floor(at / minuteMs) + 1) * minuteMs
  dataOf(await live.sandbox('clock', { advance_ms: next - at }))
  assert.equal(await now(), next)
  return next
}

async function credit(amount: string, reference: string): Promise<void> {
  const body = { account: alice.address, amount, reference, reason: 'a test' }
  dataOf(await plane.post('/deposits', body))
}

async function withdrawn(amount: string, verb: 'complete' | 'fail'): Promise<number> {
  const { withdrawal_id } = dataOf(await live.api.signed(alice, '/account/withdraw', { amount }))
  dataOf(await plane.post(`/withdrawals/${verb}`, { withdrawal_id, reason: 'a test' }))
  return Number(withdrawal_id)
}

const bob = await live.trader('50000')
await credit('10000', '=wire-1')
await live.price('BTC', '100000')
const half = await laterMinute()
const [paid, failed] = [await withdrawn('100', 'complete'), await withdrawn('40', 'fail')]
await live.trade({ seller: bob, buyer: alice, symbol: 'BTC', price: '100000', amount: '0.1' })
await live.trade({ seller: alice, buyer: bob, symbol: 'BTC', price: '100100', amount: '0.04' })
const waiting = dataOf(await live.api.signed(alice, '/account/withdraw', { amount: '7.5' }))

test('opening and lines add up to the closing, which the owner sees too', async () => {
  const whole = await statementOf()
  const { opening, lines, closing, at_end } = whole
  assert.deepEqual([whole.adds_up, whole.fault, whole.next], [true, null, null])
  assert.deepEqual(opening, { balance: '0', isolated: '0', pending_balance: '0', total: '0' })
  assert.deepEqual(
    lines.map(({ event_type, amount, pending_amount, realized_pnl }) => [
      ...[event_type, amount, pending_amount, realized_pnl],
    ]),
    [
      ['deposit', '10000', '0', '0'],
      ['withdraw', '-100', '100', '0'],
      ['withdraw_completed', '0', '-100', '0'],
      ['withdraw', '-40', '40', '0'],
      ['withdraw_failed', '40', '-40', '0'],
      ['trade', `-${lines[5]!.fee}`, '0', '0'],
      ['trade', lines[6]!.amount, '0', '4'],
      ['withdraw', '-7.5', '7.5', '0'],
    ],
  )
  const ids = [null, paid, paid, failed, failed, null, null, waiting.withdrawal_id]
  assert.deepEqual(
    lines.map(({ withdrawal_id }) => withdrawal_id),
    ids,
  )
  assert.equal(lines[0]!.reference, '=wire-1')
  const { money } = dataOf<{ money: Row }>(
    await plane.get('/accounts/show', { account: alice.address }),
  )
  assert.deepEqual(
    [closing.balance, closing.pending_balance, at_end.equity],
    [money.balance, money.pending_balance, money.account_equity],
  )
  const [position] = at_end.positions
  assert.deepEqual(
    [position!.symbol, position!.side, position!.amount, position!.entry_price],
    ['BTC', 'bid', '0.06', '100000'],
  )
  const fees = lines.reduce((sum, { fee }) => sum + Math.round(Number(fee) * 1e6), 0)
  const trades = dataOf<Row[]>(await live.api.get('/trades/history', { account: alice.address }))
  assert.equal(
    fees,
    trades.reduce((sum, { fee }) => sum + Math.round(Number(fee) * 1e6), 0),
  )
})

test('the opening of a period is the closing of the one before', async () => {
  const end = await laterMinute()
  const [first, second] = [
    await statementOf({ to: half }),
    await statementOf({ from: half, to: end }),
  ]
  assert.deepEqual([first.lines.length, second.lines.length], [1, 7])
  assert.deepEqual(first.closing, second.opening)
  assert.equal(first.at_end.equity, '10000')
  const page = await statementOf({ from: half, to: end, limit: 3 })
  const rest = await statementOf({ from: half, to: end, after: page.next })
  assert.deepEqual([page.next, page.at_end], [second.lines[2]!.line_id, null])
  assert.deepEqual([...page.lines, ...rest.lines], second.lines)
  assert.deepEqual([rest.opening, rest.closing], [page.closing, second.closing])
})

test('a period that has not ended goes up to now, as one without an end', async () => {
  const whole = await statementOf({})
  const later = half + 1e6 * minuteMs
  assert.deepEqual(await statementOf({ to: later }), whole)
  assert.ok(Number(whole.to) < later && Number(whole.to) >= half, `${whole.to}`)
  for (const to of ['now', '2100-01-01']) {
    const command = ['admin', 'statement', alice.address, '--to', to]
    const { json } = await openperpJson<Statement>(command, { environment })
    assert.deepEqual([json.to, json.closing, json.adds_up], [whole.to, whole.closing, true])
  }
})

test('an impossible period is rejected with the nearest possible one', async () => {
  const refusal = async (query: Row, says: RegExp) =>
    refused(await plane.get('/accounts/statement', { account: alice.address, ...query }), {
      status: 400,
      says,
    })
  await refusal({ to: half + 1 }, new RegExp(`nearest: ${half} and ${half + minuteMs}`))
  await refusal({ from: half, to: half - minuteMs }, /from \d+ must not be after to, which is/)
  const unknown = { account: newKey().address }
  refused(await plane.get('/accounts/statement', unknown), {
    status: 422,
    code: 1,
    says: /ACCOUNT_NOT_FOUND/,
  })
  const ran = await openperp(['admin', 'statement', alice.address, '--from', 'monday'], {
    environment,
  })
  assert.equal(ran.code, 2)
  assert.match(ran.err, /--from monday is not a time\ntimes are written 2026-11-01 or/)
})

test('the command line has all of it, as JSON, as CSV and in short', async () => {
  const command = ['admin', 'statement', alice.address]
  const { json } = await openperpJson<Statement>(command, { environment })
  assert.deepEqual(json.lines, (await statementOf()).lines)
  const { out } = await openperp([...command, '--csv'], { environment })
  const rows = out.trimEnd().split('\n')
  assert.equal(rows.length, 1 + 1 + json.lines.length + 1)
  assert.match(rows[0]!, /^created_at,event_type,symbol,amount,pending_amount,realized_pnl,fee,/)
  assert.match(rows[1]!, /^,statement_opening,,,,,,0,0,0,/)
  assert.match(rows[2]!, /^\d{4}-\d\d-\d\dT[^,]+,deposit,,10000,0,0,0,10000,0,0,,'=wire-1,,/)
  assert.match(rows.at(-1)!, new RegExp(`statement_closing,,,,,,${json.closing.balance},0,7.5,`))
  const sums = rows
    .slice(2, -1)
    .map((row) => row.split(','))
    .reduce((sum, cells) => sum + Math.round((Number(cells[3]) + Number(cells[4])) * 1e6), 0)
  assert.equal(sums, Math.round(Number(json.closing.total) * 1e6))
  const short = await openperp(command, { environment })
  assert.equal(short.code, 0, short.err)
  assert.match(short.out, /^opening +0 +0 +0 +0$/m)
  assert.match(short.out, /^withdraw +3 +-147\.5 +147\.5 +0 +0$/m)
  assert.match(short.out, /It is in no proof of reserves[\s\S]*Opening and lines make the closing/)
})

test('a transfer from the fee account to the reserves is not a trade', async () => {
  const { fees_address: account, fees } = dataOf(await plane.get('/reserves'))
  const was = await statementOf({ account })
  const move = { from: 'fees', to: 'insurance', amount: '0.25', reason: 'a test' }
  dataOf(await plane.post('/reserves/move', move))
  await live.trade({ seller: bob, buyer: alice, symbol: 'BTC', price: '100000', amount: '0.01' })
  const { lines, adds_up, closing } = await statementOf({ account })
  const added = lines.slice(was.lines.length).map(({ event_type, amount }) => [event_type, amount])
  const left = Number(closing.balance) - Number(fees) + 0.25
  assert.deepEqual(added, [
    ['reserve_transfer', '-0.25'],
    ['trade', `${Math.round(left * 1e6) / 1e6}`],
  ])
  assert.deepEqual([adds_up, left > 0], [true, true])
  // Existing lines stay; at a full hour a share of the fees may have gone to the fund before.
  assert.deepEqual(lines.slice(0, was.lines.length), was.lines)
  const before = new Set(was.lines.map(({ event_type }) => event_type))
  assert.ok(before.delete('trade'))
  assert.deepEqual(
    [...before].filter((event) => event !== 'reserve_transfer'),
    [],
  )
})

test('with a proof of reserves made, it includes that of the account', async () => {
  const made = await openperpJson(['reserves', '--data', join(live.folder, 'data')])
  const { json } = await openperpJson<Statement>(['admin', 'statement', alice.address], {
    environment,
  })
  const file = join(home, 'statement.json')
  writeFileSync(file, JSON.stringify(json))
  const verified = await openperp(['verify', file, '--root', String(made.json.root)])
  assert.deepEqual([verified.code, verified.err], [0, ''])
  const owed = Number(json.at_end.equity) + Number(json.closing.pending_balance)
  assert.match(verified.out, new RegExp(`${alice.address} is owed ${owed} USD`))
})
