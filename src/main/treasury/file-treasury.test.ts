import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newKey } from '../../client/key.ts'
import { openFileTreasury } from './file-treasury.ts'

const folder = mkdtempSync(join(tmpdir(), 'openperp-orders-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const out = join(folder, 'out')
const orders = () => readdirSync(out).filter((name) => !name.startsWith('.'))
const row = {
  seq: 20,
  place: 1,
  atMs: 0,
  kind: 'withdrawal.approved',
  account: 'A',
  amount: 5,
  withdrawal: 7,
  reference: null,
} as const

// Each opening is a start after a crash.
test('an order is published when its place is durable, and never again', async () => {
  const before = await openFileTreasury(folder)
  assert.equal(await before.pay(row), null)
  assert.deepEqual(orders(), [])
  const again = await openFileTreasury(folder)
  await again.kept({ seq: 20, place: 0 })
  assert.deepEqual(orders(), [])
  assert.equal(await again.pay(row), null)
  const noted = await openFileTreasury(folder)
  await noted.kept({ seq: 20, place: 1 })
  assert.deepEqual(orders(), ['withdrawal-7.csv'])
  rmSync(join(out, 'withdrawal-7.csv'))
  await (await openFileTreasury(folder)).kept({ seq: 20, place: 1 })
  assert.deepEqual(readdirSync(out), [])
})

// Everything below is of one folder of reports.
const inbox = join(folder, 'in')
const account = newKey().address
const head = 'type,reference,account,amount,withdrawal_id,reason'
const report = (reference: string) => `${head}\ndeposit,${reference},${account},5,,\n`
/** Written elsewhere and renamed, as custody has to do it. */
function put(name: string, content: string | Buffer): void {
  writeFileSync(join(folder, 'unfinished'), content)
  renameSync(join(folder, 'unfinished'), join(inbox, name))
}
type Opened = Awaited<ReturnType<typeof openFileTreasury>>
async function references({ next }: Opened) {
  // A folder that was read to its end is read again.
  const delivery = ((await next()) ?? (await next()))!
  return { ...delivery, all: delivery.reports.map((each) => (each.report as Row).reference) }
}
type Row = Readonly<{ reference: string }>

test('another file under the name of one that is being read is not put away unread', async () => {
  const treasury = await openFileTreasury(folder)
  put('payments.csv', report('p-1'))
  const first = await references(treasury)
  put('payments.csv', report('p-2'))
  await first.end([])
  const second = await references(treasury)
  assert.deepEqual([first.all, second.all], [['p-1'], ['p-2']])
  await second.end([])
  assert.equal(await treasury.next(), null)
})

test('a file with the longest name that there is can be put away, done and refused', async () => {
  const treasury = await openFileTreasury(folder)
  const name = `${'\u00fc'.repeat(125)}.csv`
  for (const refused of [[], [{ at: 'line 2', says: 'no' }]]) {
    put(name, report('long'))
    await (await references(treasury)).end(refused)
    assert.equal(await treasury.next(), null)
  }
  assert.equal(readdirSync(join(inbox, 'refused')).length, 2)
})

test('invalid UTF-8 is refused: two references must not become one', async () => {
  const treasury = await openFileTreasury(folder)
  put('latin.csv', Buffer.from(report('\u00fc-1'), 'latin1'))
  const { all, refused, end } = await references(treasury)
  assert.deepEqual([all, refused.length], [[], 1])
  assert.match(refused[0]!.says, /not UTF-8/)
  await end(refused)
})

test('an endless row is read only until the error is found', async () => {
  const treasury = await openFileTreasury(folder)
  put('wide.csv', `${head}\n${','.repeat(1_000_000)}\n`)
  const { refused, end } = await references(treasury)
  assert.match(refused[0]!.says, /^it has 64 columns/)
  await end([])
})

test('a report that was not filed is repeated before later ones', async () => {
  const treasury = await openFileTreasury(folder)
  for (const name of ['a', 'b']) put(`${name}.csv`, report(name))
  const order = [(await references(treasury)).all, (await references(treasury)).all]
  assert.deepEqual(order, [['a'], ['a']])
  for (const name of ['a', 'b']) rmSync(join(inbox, `${name}.csv`))
})

test('an order is not written through a link', async () => {
  const treasury = await openFileTreasury(folder)
  const target = join(folder, 'other owner')
  writeFileSync(target, 'untouched')
  mkdirSync(out, { recursive: true })
  symlinkSync(target, join(out, '.withdrawal-7.20-1.part'))
  assert.equal(await treasury.pay(row), null)
  assert.equal(readFileSync(target, 'utf8'), 'untouched')
})
