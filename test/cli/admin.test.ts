// `openperp admin …` against a real exchange: every operation has its command, and the output of a
// command is what the admin plane reports.

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commandSpecs } from '../../src/cli/admin/admin-words.ts'
import { newKey } from '../../src/client/key.ts'
import { adminOperations } from '../../src/gateway/admin/admin-operations.ts'
import { allCommands } from '../../src/main/command-line.ts'
import { needsReason } from '../../src/protocol/admin/admin-row.ts'
import { openperp, openperpJson, type Ran } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { adminToken, frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
const home = mkdtempSync(join(tmpdir(), 'openperp-admin-'))
after(async () => {
  await live.close()
  rmSync(home, { recursive: true, force: true })
})
const plane = new AdminClient(live)
const trader = await live.trader('10000')

const environment = { OPENPERP_ADMIN_URL: live.adminUrl, OPENPERP_ADMIN_TOKEN: adminToken }
const admin = (...args: string[]): Promise<Ran> => openperp(['admin', ...args], { environment })
async function json<T = Row>(...args: string[]): Promise<T> {
  const ran = await openperpJson<T>(['admin', ...args], { environment })
  assert.equal(ran.code, 0, JSON.stringify(ran.json))
  return ran.json
}
const newest = async () => dataOf<Row[]>(await plane.get('/journal', { limit: 1 }))[0]!
const why = ['--reason', 'a test', '--yes']
const marketNow = async (symbol: string) =>
  dataOf<Row[]>(await plane.get('/markets')).find((market) => market.symbol === symbol)!

test('every operation has a command with its fields, and no two have the same name', () => {
  const parts = allCommands.find(({ name }) => name === 'admin')!.parts!
  const names = parts.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const { name, http, scope, request } of adminOperations) {
    const said = parts.filter(({ about }) => about!.startsWith(`${http} of`))
    assert.ok(said.length > 0, name)
    const fields = Object.keys((request as unknown as { properties: Row }).properties)
    for (const { arguments: words = [], options } of said) {
      const typed = [...words.map((word) => word.name), ...Object.keys(options)]
      const { spreads = '', gives = {} } = commandSpecs[name]?.[0] ?? {}
      for (const field of fields.filter((each) => each !== spreads && !(each in gives)))
        assert.ok(typed.includes(field.replaceAll('_', '-')), `${name}: ${field}`)
      assert.equal('reason' in options, needsReason({ http, scope }), name)
      assert.ok(!('token' in options), 'a token is never a flag')
    }
  }
})

test('the plane is found by its address, or by its port on this machine', async () => {
  const OPENPERP_ADMIN_PORT = new URL(live.adminUrl).port
  const token = { OPENPERP_ADMIN_TOKEN: adminToken }
  const run = (given: Row, ...flags: string[]) =>
    openperp(['admin', 'markets', ...flags], { environment: { ...token, ...given } as never })
  assert.equal((await run({ OPENPERP_ADMIN_PORT })).code, 0)
  assert.equal((await run({ OPENPERP_ADMIN_PORT }, '--admin-url', 'http://127.0.0.1:1')).code, 3)
  const nowhere = { OPENPERP_ADMIN_URL: 'http://127.0.0.1:1' }
  assert.equal((await run({ OPENPERP_ADMIN_PORT, ...nowhere })).code, 3)
  for (const port of ['x', '0', '65536', ' 8081', '1@elsewhere']) {
    const wrong = await run({ OPENPERP_ADMIN_PORT: port })
    assert.equal(wrong.code, 2)
    assert.ok(wrong.err.includes(`OPENPERP_ADMIN_PORT is "${port}"; it must be a whole number`))
  }
  const none = await run({ OPENPERP_ADMIN_PORT: '1' })
  assert.match(
    none.err,
    /no reply from the admin plane at http:\/\/127\.0\.0\.1:1\b.*OPENPERP_ADMIN_PORT/s,
  )
})

test('a token comes from the environment, or a file that only its owner can read', async () => {
  const file = join(home, 'token')
  const hashWith = (env: Readonly<Record<string, string>>, ...flags: string[]) =>
    openperp(['admin', 'hash', '--admin-url', live.adminUrl, ...flags], { environment: env })
  const none = await hashWith({})
  assert.equal(none.code, 2)
  assert.match(none.err, /requires a token[\s\S]*OPENPERP_ADMIN_TOKEN, --token-file/)
  writeFileSync(file, `${adminToken}\n`, { mode: 0o600 })
  assert.equal((await hashWith({}, '--token-file', file)).code, 0)
  assert.equal((await hashWith({ OPENPERP_ADMIN_TOKEN_FILE: file })).code, 0)
  chmodSync(file, 0o640)
  const open = await hashWith({}, '--token-file', file)
  assert.equal(open.code, 1)
  assert.match(open.err, /may be read by others \(mode 640\)/)
  assert.match(
    (await hashWith({}, '--token', 'x')).err,
    /no flag --token; did you mean --token-file/,
  )
  assert.match((await hashWith({}, '--token-file', join(home, 'no'))).err, /cannot be read/)
})

test('nothing is done without confirmation: a dry run, no terminal, and a no', async () => {
  const before = dataOf<Row[]>(await plane.get('/journal', { limit: 1 }))
  const halt = ['market', 'halt', 'SOL', '--reason', 'a test']
  const dry = await admin(...halt, '--dry-run')
  assert.equal(dry.code, 0, dry.err)
  assert.match(dry.out, /Stop all trading in a market[\s\S]*symbol +SOL[\s\S]*Now:\n +status +live/)
  assert.match(dry.out, /Nothing was done/)
  const alone = await admin(...halt)
  assert.equal(alone.code, 2)
  assert.match(alone.err, /standard input is not a terminal: nothing was done\n--yes skips/)
  const said = (answers: string[], args = halt) =>
    openperp(['admin', ...args], { environment, answers })
  assert.match((await said(['no'])).err, /status +live[\s\S]*nothing was done/)
  assert.match((await admin('market', 'halt', 'SOL', '--yes')).err, /--reason is required/)
  assert.equal((await marketNow('SOL')).status, 'live')
  assert.match((await admin('status')).out, /^now +20\d\d-\d\d-\d\dT[\d:.]+Z$/m)
  assert.deepEqual(dataOf<Row[]>(await plane.get('/journal', { limit: 1 })), before)
  const halted = await said(['drill', 'y'], ['market', 'halt', 'SOL'])
  assert.match(halted.out, /^status +halted$/m)
  const journal = (await admin('journal', '--limit', '1')).out
  assert.match(journal, /drill +SetMarketMode +done +symbol SOL, mode halted\n$/)
  assert.equal((await marketNow('SOL')).status, 'halted')
  assert.equal((await newest()).why, 'drill')
  await json('market', 'resume', 'SOL', ...why)
})

test('a change is shown before and after, announced, and cancelled', async () => {
  const flags = ['--max-leverage', '10', '--min-order-size', '20', '--risk-tiers', '[]']
  const change = ['market', 'change', 'ETH', ...flags]
  const dry = await admin(...change, '--reason', 'a test', '--dry-run')
  assert.match(dry.out, /max_leverage +\d+ → 10[\s\S]*Accounts affected[\s\S]*below_maintenance +0/)
  const { change_id } = await json(...change, ...why)
  const { pending_changes } = await marketNow('ETH')
  assert.deepEqual((pending_changes as Row[])[0]!.change, {
    max_leverage: 10,
    min_order_size: '20',
    risk_tiers: [],
  })
  const shown = await admin('market', 'cancel-change', 'ETH', `${change_id}`, '--dry-run', ...why)
  assert.match(shown.out, /change_id +1\n +effective_at +\d{4}-/)
  await json('market', 'cancel-change', 'ETH', `${change_id}`, ...why)
  assert.deepEqual((await marketNow('ETH')).pending_changes, [])
  const tiers = '[{"from_value":"50000","max_leverage":5}]'
  await json('market', 'change', 'ETH', '--risk-tiers', tiers, '--immediate', ...why)
  const { params } = await marketNow('ETH')
  assert.deepEqual((params as Row).risk_tiers, JSON.parse(tiers))
  const broken = await admin('market', 'change', 'ETH', '--risk-tiers', '[{', ...why)
  assert.equal(broken.code, 2)
  assert.match(broken.err, /risk-tiers must be JSON/)
  const none = await admin('market', 'cancel-change', 'ETH', 'three', ...why)
  assert.match(none.err, /change-id must be a whole number, not three/)
})

test('every mode of a market and of the exchange can be set', async () => {
  for (const [words, mode] of [
    [['market', 'reduce-only', 'SOL'], 'reduce_only'],
    [['market', 'post-only', 'SOL'], 'post_only'],
    [['market', 'cancel-only', 'SOL'], 'cancel_only'],
    [['market', 'resume', 'SOL'], 'open'],
    [['exchange', 'mode', 'post_only'], 'post_only'],
    [['exchange', 'mode', 'open'], 'open'],
  ] as const) {
    await json(...words, ...why)
    assert.equal((await marketNow('SOL')).mode, mode)
  }
  const unknown = await admin('market', 'halt', 'NONE', ...why)
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /BOOK_NOT_FOUND/)
})

test('accounts are found, shown, frozen and unfrozen', async () => {
  const { address } = trader
  const found = await json<{ found: number; accounts: Row[] }>('accounts', address.slice(3, 12))
  assert.deepEqual([found.found, found.accounts[0]!.account], [1, address])
  await live.order(trader, { symbol: 'BTC', side: 'bid', price: '50000', amount: '0.01' })
  const shown = await json('account', 'show', address)
  assert.equal((shown.open_orders as Row[]).length, 1)
  assert.equal((shown.money as Row).balance, '10000')
  const shownAsText = await admin('account', 'show', address)
  assert.match(shownAsText.out, /^balance +10000$/m)
  assert.match(shownAsText.out, /^open_orders:\norder_id/m)
  const dry = await admin('account', 'freeze', address, '--reason', 'x', '--dry-run')
  assert.match(dry.out, /frozen +yes[\s\S]*Now:\n +frozen +no\n +balance +10000/)
  await json('account', 'freeze', address, ...why)
  assert.equal((await json('account', 'show', address)).frozen, true)
  await json('account', 'unfreeze', address, ...why)
  assert.equal((await json('account', 'show', address)).frozen, false)
  assert.equal((await json('account', 'cancel-orders', address, ...why)).cancelled_count, 1)
  await json('account', 'owner-limit', address, 'BTC', '2', ...why)
  const unknown = await admin('account', 'show', newKey().address)
  assert.match(unknown.err, /ACCOUNT_NOT_FOUND/)
  assert.match((await admin('agent', 'unbind', address, ...why)).err, /AGENT_NOT_FOUND/)
  dataOf(await plane.get('/accounts/show', { account: address }))
})

test('accounts nearest to liquidation are first, those without positions absent', async () => {
  const [long, short] = [await live.trader('1000'), await live.trader('5000')]
  const order = { symbol: 'BTC', price: '105000', amount: '0.05' }
  await live.order(long, { ...order, side: 'bid' })
  await live.order(short, { ...order, side: 'ask' })
  const reply = await plane.get<Row>('/accounts', { order: 'margin_ratio' })
  const { found, accounts } = dataOf<{ found: number; accounts: Row[] }>(reply)
  assert.equal(found, 2)
  assert.deepEqual(
    accounts.map(({ account, margin_scope }) => [account, margin_scope]),
    [
      [long.address, 'cross'],
      [short.address, 'cross'],
    ],
  )
  for (const { account } of accounts) {
    const { margin_ratio, money } = await json<Row & { money: Row }>(
      'account',
      'show',
      `${account}`,
    )
    const ratio = Number(money.cross_account_equity) / Number(money.cross_mmr)
    assert.ok(Math.abs(Number(margin_ratio) - ratio) < 1e-6, `${margin_ratio} is not ${ratio}`)
  }
  assert.match((await admin('accounts', '--order', 'margin_ratio', '--limit', '1')).out, /found +2/)
})

test('a preview lists the accounts that a change would affect, and changes nothing', async () => {
  const words = ['market', 'preview-change', 'BTC', '--max-leverage', '1', '--risk-tiers', '[]']
  const reply = await plane.post<Row>('/markets/preview_change', {
    symbol: 'BTC',
    change: { max_leverage: 1, risk_tiers: [] },
  })
  const preview = dataOf<Row & { liquidated: Row[]; short_of_margin: Row[] }>(reply)
  const nearest = dataOf<{ accounts: Row[] }>(
    await plane.get('/accounts', { order: 'margin_ratio' }),
  )
  // The long has 1,000 USD for a value of 5,250; its maintenance is then half of the value.
  const [long, short] = nearest.accounts.map(({ account }) => account)
  assert.deepEqual(
    preview.liquidated.map(({ account, scope, fate }) => [account, scope, fate]),
    [[long, 'cross', 'backstop']],
  )
  assert.deepEqual(
    preview.short_of_margin.map(({ account }) => account),
    [long, short],
  )
  assert.deepEqual(await json(...words), preview)
  assert.notEqual(((await marketNow('BTC')).params as Row).max_leverage, 1)
})

test('money: deposits, withdrawals, reserves, fees', async () => {
  const { address } = newKey()
  const paid = ['deposit', address, '250.5', '--reference', 'wire-1']
  assert.match((await admin(...paid, '--dry-run', ...why)).out, /the deposit opens it/)
  assert.deepEqual(await json(...paid, ...why), {
    balance: '250.5',
    credited: true,
    waiting_credit_id: null,
  })
  assert.deepEqual(await json(...paid, ...why), {
    balance: '250.5',
    credited: false,
    waiting_credit_id: null,
  })
  const missing = await admin('deposit', address, '1', ...why)
  assert.match(missing.err, /--reference is required/)
  for (const amount of ['-5', '-.5', '-12.75']) {
    const flags = ['--reference', 'wire-2', address]
    const below = await admin('deposit', ...flags, amount, ...why)
    assert.ok(below.err.includes(`amount must be positive, not ${amount}`), below.err)
  }
  const again = await admin('deposit', address, '6', '--reference', 'wire-1', ...why, '--yes')
  assert.match(again.err, /DEPOSIT_CONFLICT/)
  const journal = await admin('journal', '--limit', '1')
  assert.match(journal.out, / CreditDeposit +refused: DEPOSIT_CONFLICT +account /)
  for (const verb of ['complete', 'fail'] as const) {
    const reply = await live.api.signed(trader, '/account/withdraw', { amount: '100' })
    const { withdrawal_id } = dataOf<Row>(reply)
    const words = ['withdrawal', verb, `${withdrawal_id}`]
    assert.match(
      (await admin('withdrawals')).out,
      new RegExp(`^ *${withdrawal_id} +${trader.address}`, 'm'),
    )
    assert.match((await admin(...words, '--dry-run', ...why)).out, /amount +100/)
    await json(...words, ...why)
    assert.match((await admin(...words, '--dry-run', ...why)).out, /no withdrawal \d+ waits/)
  }
  const limits = ['withdrawals', 'set-limits', '--approval-above', '500', '--daily-max', 'null']
  assert.equal((await json(...limits, ...why)).approval_above, '500')
  assert.equal((await json('withdrawals', 'limits')).daily_max, null)
  assert.match((await admin('reserves')).out, /^insurance_share +0\.1$/m)
  await json('fees', 'insurance-share', '0.2', ...why)
  assert.match((await admin('reserves')).out, /^insurance_share +0\.2$/m)
  await json('reserves', 'insurance-daily-max', '0.4', ...why)
  const moved = ['reserves', 'move', '10', '--from', address, '--to', 'insurance']
  assert.equal((await json(...moved, ...why)).from_balance, '240.5')
  const tiers = '[{"volume":0,"maker_fee_rate":"0.0001","taker_fee_rate":"0.0004"}]'
  await json('fees', 'set', tiers, ...why)
  assert.deepEqual((await json('fees')).tiers, JSON.parse(tiers))
})

test('the journal shows actor and reason; tokens are shown by name, never in full', async () => {
  const journal = await admin('journal', '--limit', '2')
  assert.match(journal.out, /^ *seq +at +who +why +what +outcome +details/m)
  assert.match(journal.out, /SetFeeTiers +done +tiers/)
  assert.match(journal.out, /SetFeeTiers/)
  const tokens = await admin('tokens')
  assert.match(tokens.out, /^name +scopes +yours\n\S+ +read.* yes$/m)
  assert.ok(!tokens.out.includes(adminToken))
  assert.equal(String((await json('hash')).state_hash).length, 64)
  assert.match((await admin('prices')).err, /a sandbox makes its own prices/)
  assert.match((await admin('weather')).err, /admin has no weather/)
  assert.match(
    (await admin('market', 'hlt', 'BTC')).err,
    /available: admin market templates, admin market list, /,
  )
})

test('an invalid token name is rejected, and moves no cursor', async () => {
  const file = join(home, 'tokens')
  const held = 'operator:the-token-of-an-operator:read\n'
  writeFileSync(file, held, { mode: 0o600 })
  const rotate = (name: string) => admin('token', 'rotate', name, '--tokens-file', file, '--yes')
  for (const name of ['a\nb', '\u001b[2J', 'a,b', 'a:b', '']) {
    const ran = await rotate(name)
    assert.equal(ran.code, 2, name)
    assert.ok(ran.err.includes(`${JSON.stringify(name)} is not a token name`), ran.err)
  }
  assert.equal(readFileSync(file, 'utf8'), held)
  assert.equal((await rotate('operator')).code, 0)
  assert.match(readFileSync(file, 'utf8'), /^operator:(?!the-token-of)[\w-]{43}:read\n$/)
})
