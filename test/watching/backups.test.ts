// Backups by a schedule: each is proved and durable before it has a name, and only what is outdated
// and of ours is deleted.

import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type KeptBackup, keepBackup } from '../../src/cli/offline/backups/keep-backups.ts'
import { backupName, outdated } from '../../src/cli/offline/backups/retention.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { DiskHistory } from '../support/disk-history.ts'

const history = new DiskHistory(12)
let folder = ''
before(async () => {
  await history.open()
  await history.run(200, 2)
  await history.data.snapshotNow()
  folder = join(history.root, 'backups')
})
after(() => history.end())

const dayMs = 86_400_000
const monday = Date.UTC(2026, 10, 16, 3)

test('a backup of a running exchange is verified, named and reported, and restores', async () => {
  const textfile = join(history.root, 'openperp.prom')
  const flags = ['--data', history.folder, '--textfile', textfile]
  const { code, json } = await openperpJson<KeptBackup>(['backups', folder, ...flags])
  assert.equal(code, 0)
  assert.equal(json.manifest.stateHash, history.hash)
  assert.equal(json.manifest.seq, history.data.sequencer.seq)
  assert.deepEqual(
    JSON.parse(readFileSync(join(json.folder, 'backup.json'), 'utf8')),
    json.manifest,
  )
  const text = readFileSync(textfile, 'utf8')
  const [, seconds] = /^openperp_backup_last_success_timestamp_seconds (\d+)$/m.exec(text)!
  assert.ok(Math.abs(Date.now() / 1_000 - Number(seconds)) < 600)
  const restored = join(history.root, 'restored')
  const put = await openperpJson<{ stateHash: string }>([
    ...['restore', json.folder, '--data', restored],
  ])
  assert.equal(put.json.stateHash, history.hash)
})

const kept = (now: number, data = history.folder) =>
  keepBackup({
    ...{ data, backups: folder, kept: { daily: 2, weekly: 2 }, onProgress: () => undefined },
    now: () => now,
  })

test('older ones go, and nothing else does', async () => {
  const foreign = ['notes', backupName(monday - 90 * dayMs, 3)]
  for (const name of foreign) mkdirSync(join(folder, name))
  symlinkSync(join(history.root, 'restored'), join(folder, backupName(monday - 91 * dayMs, 4)))
  const made: string[] = []
  for (const days of [-15, -8, -1, 0, 1]) made.push((await kept(monday + days * dayMs)).folder)
  // The first test made one by the clock of the machine, which is of another day.
  const left = made.filter((path) => existsSync(path)).length
  assert.ok(left >= 1 && left < made.length)
  for (const name of foreign) assert.ok(existsSync(join(folder, name)), name)
  assert.ok(existsSync(join(folder, backupName(monday - 91 * dayMs, 4))), 'a link is not ours')
  assert.ok(existsSync(join(history.root, 'restored', 'genesis.json')))
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.')),
    [],
  )
})

test('a copy that is not whole is not kept, and then nothing is deleted', async () => {
  const before = readdirSync(folder).toSorted()
  const copy = history.copy()
  const [segment] = readdirSync(join(copy, 'journal')).filter((name) => name.endsWith('.seg'))
  const path = join(copy, 'journal', segment!)
  const bytes = readFileSync(path)
  // The head and the first frames: behind them the file may be zeros.
  bytes[600]! ^= 1
  writeFileSync(path, bytes)
  await assert.rejects(kept(monday + 400 * dayMs, copy), /is not whole|damaged|seal/)
  assert.deepEqual(readdirSync(folder).toSorted(), before)
})

test('a folder within the data folder, and counts that are none, are refused', async () => {
  const within = await openperp(['backups', join(history.folder, 'b'), '--data', history.folder])
  assert.equal(within.code, 2)
  assert.match(within.err, /is in the data folder/)
  const count = await openperp(['backups', folder, '--data', history.folder, '--daily', 'x'])
  assert.equal(count.code, 2)
})

test('the newest of each of the last days and weeks stays, and always the newest', () => {
  const names = Array.from({ length: 40 }, (_, day) => backupName(monday - day * dayMs, 100 - day))
  const twice = [...names, backupName(monday - 3_600_000, 99)]
  const gone = new Set(outdated(twice, { daily: 3, weekly: 2 }))
  const stay = twice.filter((name) => !gone.has(name))
  // Monday, Sunday, Saturday; of this week Monday, of the last one Sunday.
  assert.deepEqual(stay, names.slice(0, 3))
  const weeks = twice.filter((name) => !outdated(twice, { daily: 0, weekly: 3 }).includes(name))
  assert.deepEqual(weeks, [names[0], names[1], names[8]])
  assert.deepEqual(
    twice.filter((name) => !outdated(twice, { daily: 0, weekly: 0 }).includes(name)),
    [names[0]],
  )
  assert.deepEqual(outdated(['data', 'openperp-x', '.going'], { daily: 0, weekly: 0 }), [])
})
