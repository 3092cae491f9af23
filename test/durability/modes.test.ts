import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { adminToken, ChildExchange } from '../support/running/child-exchange.ts'
import { Connection, dataOf } from '../support/running/connection.ts'

/** Every file and folder with any permission for others. */
function openToOthers(root: string): readonly string[] {
  const names = readdirSync(root, { recursive: true }).map((name) => join(root, String(name)))
  return [root, ...names].filter((path) => (statSync(path).mode & 0o077) !== 0)
}

test('other users cannot read a data folder or a backup, whatever the umask', async () => {
  const root = mkdtempSync(join(tmpdir(), 'openperp-modes-'))
  const data = join(root, 'data')
  // As an operator may have created them, by hand or with an earlier version.
  mkdirSync(join(data, 'journal'), { recursive: true, mode: 0o755 })
  writeFileSync(join(data, 'history.db'), '', { mode: 0o644 })
  const before = process.umask(0)
  const child = new ChildExchange(data)
  process.umask(before)
  const { port, adminPort } = await child.ready
  const trader = new Connection(port)
  const admin = new Connection(adminPort, { authorization: `Bearer ${adminToken}` })
  dataOf(await trader.post('/api/v1/sandbox/snapshot', {}))
  dataOf(await trader.post('/api/v1/sandbox/oracle', { symbol: 'BTC', price: '90000' }))
  const backup = dataOf<{ folder: string }>(await admin.post('/backup', { reason: 'a test' }))
  trader.close()
  admin.close()
  const names = readdirSync(data, { recursive: true }).map(String)
  for (const part of ['.seg', 'durable.mark', 'genesis.json', 'history.db', 'lock', '.snap'])
    assert.ok(
      names.some((name) => name.endsWith(part)),
      `there is a ${part} among ${names.join(' ')}`,
    )
  assert.deepEqual(openToOthers(data), [])
  assert.deepEqual(openToOthers(backup.folder), [])
  child.kill('SIGTERM')
  assert.deepEqual(await child.ended, { code: 0, signal: null })
  assert.deepEqual(openToOthers(data), [])
  // As after a copy by hand.
  for (const name of readdirSync(data, { recursive: true }).map(String))
    chmodSync(join(data, name), statSync(join(data, name)).isFile() ? 0o644 : 0o755)
  const again = new ChildExchange(data)
  await again.ready
  const left = openToOthers(data)
  again.kill('SIGKILL')
  await again.ended
  assert.deepEqual(left, [])
  rmSync(root, { recursive: true, force: true })
})
