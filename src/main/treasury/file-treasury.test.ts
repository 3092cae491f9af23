import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
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
