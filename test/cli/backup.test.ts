// A restored backup is the same exchange, by hash; nothing is ever overwritten.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { DiskHistory } from '../support/disk-history.ts'

type Copied = Readonly<{ seq: number; stateHash: string; to: string }>

const history = new DiskHistory(11)
before(async () => {
  await history.open()
  await history.run(200, 2)
})
after(() => history.end())

test('a running exchange, its backup and a start from it have one state', async () => {
  const { seq } = history.data.sequencer
  const backup = join(history.root, 'backup')
  const restored = join(history.root, 'restored')
  const made = await openperpJson<Copied>(['backup', backup, '--data', history.folder])
  assert.equal(made.code, 0)
  assert.deepEqual([made.json.seq, made.json.stateHash], [seq, history.hash])
  const put = await openperpJson<Copied>(['restore', backup, '--data', restored])
  assert.equal(put.json.stateHash, history.hash)
  const again = new DiskHistory(11)
  const data = await again.open({ folder: restored })
  assert.equal(again.hash, history.hash)
  assert.equal(data.sequencer.seq, seq)
  await again.end()
})

test('neither overwrites existing files', async () => {
  const target = join(history.root, 'full')
  mkdirSync(target)
  writeFileSync(join(target, 'precious'), 'x')
  const backup = await openperp(['backup', target, '--data', history.folder])
  assert.equal(backup.code, 1)
  assert.match(backup.err, /not empty/)
  const restore = await openperp(['restore', history.folder, '--data', target])
  assert.equal(restore.code, 1)
  rmSync(target, { recursive: true })
})

test('a copy without its durability mark is not restored, with the reason', async () => {
  const copy = history.copy()
  rmSync(join(copy, 'journal', 'durable.mark'))
  const restored = join(history.root, 'unmarked')
  const { code, err } = await openperp(['restore', copy, '--data', restored])
  assert.equal(code, 4)
  assert.match(err, /durable\.mark is missing .* --accept-missing-mark/)
  assert.equal(existsSync(restored), false)
  const audit = await openperp(['audit', '--data', copy])
  assert.match(audit.out + audit.err, /durable\.mark is missing/)
})

test('a damaged backup is not restored', async () => {
  const copy = history.copy()
  writeFileSync(join(copy, 'genesis.json'), '{}')
  const restored = join(history.root, 'never')
  const { code } = await openperp(['restore', copy, '--data', restored])
  assert.equal(code, 4)
})
