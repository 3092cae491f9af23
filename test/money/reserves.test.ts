// Proofs of reserves: the liabilities to accounts are the net deposits, to the last micro-dollar,
// in any state; and every change of a proof is found.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { apply, createState, EventLog, type State } from '../../src/core/engine.ts'
import { type ExchangeView, viewOf } from '../../src/core/view/exchange-view.ts'
import { checkReserves } from '../../src/projections/reserves/check-reserves.ts'
import { checkInclusion, type Inclusion } from '../../src/projections/reserves/inclusion.ts'
import { makeReserves } from '../../src/projections/reserves/make-reserves.ts'
import { publishedReserves } from '../../src/projections/reserves/published-reserves.ts'
import { addsUp } from '../../src/projections/reserves/reserve-summary.ts'
import type { TimeMs } from '../../src/units/units.ts'
import { Generator } from '../programs/differential/generator.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { liveExchange } from '../support/http/live-exchange.ts'
import { BTC, freeTiers, given } from '../support/scene.ts'

const folder = mkdtempSync(join(tmpdir(), 'openperp-reserves-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const key = Buffer.alloc(32, 7)
const stateHash = '0'.repeat(64)
const made = (view: ExchangeView) => makeReserves({ view, seq: 5, stateHash, key })

/** A world after the given number of commands; `look` at each on the way. */
function worldOf(seed: number, commands: number, look: (state: State) => void): State {
  const generator = new Generator(seed, commands)
  const state = createState(generator.world.genesis)
  const log = new EventLog()
  for (let count = 0; count < commands; count++) {
    const { atMs, command } = generator.next()
    log.clear()
    apply(state, { seq: state.seq + 1, atMs: atMs as TimeMs, command }, log)
    generator.learn(log.readAll())
    look(state)
  }
  return state
}

/** The number of accounts that owe the exchange, in a state that adds up. */
function debtorsIn({ accounts, money }: ExchangeView): number {
  let owed = BigInt(money.fundingLeft())
  let debtors = 0
  for (let account = 1; account <= accounts.count; account++) {
    const { equity, pending } = accounts.numbersOf(account)
    assert.equal(accounts.owedTo(account), equity + pending)
    owed += BigInt(accounts.owedTo(account))
    if (accounts.owedTo(account) < 0) debtors += 1
  }
  assert.equal(owed, BigInt(money.deposits) - BigInt(money.withdrawn))
  assert.ok(money.fundingLeft() >= 0)
  return debtors
}

test('liabilities equal net deposits in any state', () => {
  let debtors = 0
  const look = (state: State) => {
    if (state.seq % 7 === 0) debtors += debtorsIn(viewOf(state))
  }
  for (let seed = 2; seed < 5 || (seed < 40 && debtors === 0); seed++) worldOf(seed, 500, look)
  assert.ok(debtors > 0)
})

test('so they do while a funding payment is in progress', () => {
  const longs = 200
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { B: 10 ** 12 } })
  scene.quietly(() => {
    scene.ask('B', 101 * longs, 60_000)
    for (let n = 1; n <= longs; n++) {
      scene.deposit(`L${n}`, 100_000_000)
      scene.bid(`L${n}`, 101, 60_000, { tif: 'IOC' })
    }
    for (let n = 0; n < 720; n++) scene.later(5_000).tick(BTC, 60_000)
  })
  assert.ok(scene.state.openPools > 0)
  debtorsIn(scene.view)
  assert.ok(scene.view.money.fundingLeft() > 0)
})

const state = worldOf(2, 500, () => undefined)
const view = viewOf(state)
const written = (name: string, parts: readonly Buffer[]) => {
  const file = join(folder, name)
  writeFileSync(file, Buffer.concat([...parts]))
  return file
}
/** The view of an operator who cheats, consistently. */
const forged = (changed: object): ExchangeView => {
  const accounts = Object.create(view.accounts, Object.getOwnPropertyDescriptors(changed))
  return Object.create(view, { accounts: { value: accounts } })
}

test('a proof holds, and adds up to the total of the core', async () => {
  const { summary, parts } = made(view)
  assert.ok(addsUp(summary))
  assert.equal(summary.accounts, view.accounts.count)
  assert.equal(summary.total, BigInt(view.money.deposits) - BigInt(view.money.withdrawn))
  const { findings, leaves } = await checkReserves(written('whole', parts))
  assert.deepEqual(findings, [])
  assert.equal(new Set(leaves.map(({ address }) => address)).size, view.accounts.count)
})

test('a changed, dropped or doubled line is found', async () => {
  const lines = Buffer.concat([...made(view).parts])
    .toString()
    .split('\n')
  const found = async (change: (lines: string[]) => string[]) => {
    const file = written('changed', [Buffer.from(change([...lines]).join('\n'))])
    const { findings } = await checkReserves(file)
    assert.notEqual(findings.length, 0)
    return findings.join('; ')
  }
  const rich = lines.findIndex((line) => /^[0-9a-f]{64} +[1-9]\d{6}/.test(line))
  const less = await found((all) =>
    all.map((line, at) => (at === rich ? line.replace(/ (\d)(?=\d{6,} )/, ' 0') : line)),
  )
  assert.match(less, /the accounts do not make the root/)
  assert.match(await found((all) => all.toSpliced(rich, 1)), /bytes, and \d+ accounts take/)
  const twice = await found((all) => all.toSpliced(rich + 1, 1, all[rich]!))
  assert.match(twice, /it occurs twice/)
  assert.match(await found((all) => all.toSpliced(-2, 1, all.at(-3)!)), /is not what its children/)
})

test('so is one in a file whose hashes were recomputed', async () => {
  const { count } = view.accounts
  const rich = Array.from({ length: count }, (_, at) => at + 1).find(
    (account) => view.accounts.owedTo(account) > 1,
  )!
  /** As if that account had not been opened. */
  const without = (account: number) => (account < rich ? account : account + 1)
  const findingsOf = async (accounts: object) => {
    const { findings } = await checkReserves(written('forged', made(forged(accounts)).parts))
    return findings.join('; ')
  }
  const dropped = await findingsOf({
    count: count - 1,
    addressOf: (account: number) => view.accounts.addressOf(without(account)),
    owedTo: (account: number) => view.accounts.owedTo(without(account)),
    isReserved: (account: number) => view.accounts.isReserved(without(account)),
  })
  const changed = await findingsOf({
    owedTo: (account: number) => view.accounts.owedTo(account) - (account === rich ? 1 : 0),
  })
  const doubled = await findingsOf({
    count: count + 1,
    addressOf: (account: number) => view.accounts.addressOf(Math.min(account, count)),
    owedTo: (account: number) => view.accounts.owedTo(Math.min(account, count)),
    isReserved: (account: number) => view.accounts.isReserved(Math.min(account, count)),
  })
  for (const text of [dropped, changed]) assert.match(text, /that came in and did not leave/)
  assert.match(doubled, /it occurs twice/)
})

test('every account is included, and its proof is invalid for anything else', async () => {
  const { summary, parts } = made(view)
  written(`reserves-${'5'.padStart(16, '0')}.txt`, parts)
  const published = publishedReserves(folder)
  assert.deepEqual(await published.newest(), summary)
  const check = (inclusion: unknown) => checkInclusion(inclusion, summary.root).findings
  for (let account = 1; account <= view.accounts.count; account++) {
    const inclusion = await published.inclusionOf(view.accounts.addressOf(account))
    assert.deepEqual(check(inclusion), [], view.accounts.addressOf(account))
  }
  assert.equal(await published.inclusionOf('unknown'), null)
  const one = (await published.inclusionOf(view.accounts.addressOf(6))) as Inclusion
  const [first, ...rest] = one.path
  const altered: readonly Partial<Inclusion>[] = [
    { ...one, liability: '0.000001' },
    { ...one, account: 'another' },
    { ...one, salt: '00'.repeat(32) },
    { ...one, path: rest },
    { ...one, path: [{ ...first!, sum: '1234567' }, ...rest] },
    { ...one, path: [{ ...first!, sum: '-1' }, ...rest] },
    { ...one, accounts: one.accounts * 2 },
    { ...one, liabilities: '1' },
    { ...one, index: -1 },
    {},
  ]
  for (const each of altered) assert.notEqual(check(each).length, 0, JSON.stringify(each))
  assert.match(checkInclusion(one, stateHash).findings.join(), /published is 0000/)
})

test('an operator makes one next to a running exchange, and owners check theirs', async () => {
  const live = await liveExchange()
  after(() => live.close())
  const { api } = live
  const data = join(live.folder, 'data')
  assert.equal(dataOf<null>(await api.get('/info/reserves')), null)
  const [alice, bob] = [await live.trader('1000'), await live.trader('2500.5')]
  dataOf(await api.signed(bob, '/account/withdraw', { amount: '100' }))
  const { code, json } = await openperpJson(['reserves', '--data', data])
  assert.equal(code, 0)
  assert.equal(statSync(String(json.file)).mode & 0o077, 0)
  const summary = dataOf(await api.get('/info/reserves'))
  assert.deepEqual([summary.root, summary.total], [json.root, json.total])
  const mine = dataOf(await api.signed(bob, '/account/reserves', {}))
  assert.deepEqual([mine.account, mine.liability], [bob.address, '2500.5'])
  const file = join(folder, 'mine.json')
  writeFileSync(file, JSON.stringify(mine))
  const root = String(summary.root)
  const verified = await openperp(['verify', file, '--root', root])
  assert.deepEqual([verified.code, verified.err], [0, ''])
  assert.match(verified.out, /HOLDS: .* is owed 2500.5 USD under the root/)
  writeFileSync(file, JSON.stringify({ ...mine, liability: '2500.6' }))
  assert.equal((await openperp(['verify', file])).code, 4)
  const theirs = await api.body(alice, '/account/reserves', {})
  refused(await api.post('/account/reserves', { ...theirs, account: bob.address }), {
    status: 400,
    says: /signature/i,
  })
  const late = await live.trader('1')
  assert.equal(dataOf<null>(await api.signed(late, '/account/reserves', {})), null)
  const whole = await openperpJson(['verify', String(json.file), '--data', data])
  assert.deepEqual(whole.json.findings, [])
  const text = readFileSync(String(json.file), 'utf8')
  const altered = join(folder, 'altered.txt')
  writeFileSync(altered, text.replace(bob.address, alice.address))
  const wrong = await openperpJson<{ findings: string[] }>(['verify', altered, '--data', data])
  assert.equal(wrong.code, 4)
  assert.ok(wrong.json.findings.some((each) => each.includes(`${bob.address}: it is owed 2500.5`)))
  const again = await openperp(['reserves', '--data', data, '--at', String(json.seq)])
  assert.deepEqual([again.code, /will not be overwritten/.test(again.err)], [1, true])
  const admin = new AdminClient(live)
  assert.deepEqual(dataOf(await admin.get('/reserves/proof')).newest, summary)
  const next = dataOf(await admin.post('/reserves/prove', { reason: 'of the month' }))
  assert.ok(Number(next.seq) > Number(summary.seq))
  assert.deepEqual(dataOf(await api.get('/info/reserves')), next)
  const mineNext = dataOf(await api.signed(late, '/account/reserves', {}))
  assert.deepEqual(checkInclusion(mineNext, String(next.root)).findings, [])
  const [noted] = dataOf<Row[]>(await admin.get('/journal', { limit: 1 }))
  assert.deepEqual([noted!.who, noted!.why], ['root', 'of the month'])
  assert.ok(String(noted!.command).includes(String(next.root)))
})
