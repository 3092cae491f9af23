// Sealed files, what may be removed, and the watch over the disk.

import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { removeUnfinished, writeAtomically } from './atomic-file.ts'
import { DiskSpace } from './disk-space.ts'
import { makePrivateFolder } from './private-folder.ts'
import { pruneSegments, pruneSnapshots } from './retention.ts'
import { decodeSealed, readFacts, writeSealed } from './sealed-file.ts'
import { segmentFile } from './segment.ts'
import { snapshotFile } from './snapshot-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openperp-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a sealed file reads back as written, and no byte of it can change', async () => {
  const file = join(folder, 'a.snap')
  await writeSealed(file, { seq: 7, why: 'ünï' }, Buffer.from('content'))
  const bytes = readFileSync(file)
  const { facts, content } = decodeSealed(file, bytes)
  assert.deepEqual(facts, { seq: 7, why: 'ünï' })
  assert.equal(content.toString(), 'content')
  assert.deepEqual(readFacts(file), facts)
  const long = join(folder, 'long')
  await writeSealed(long, { why: 'x'.repeat(100_000) }, Buffer.alloc(0))
  assert.deepEqual(readFacts(long), { why: 'x'.repeat(100_000) })
  rmSync(long)
  assert.deepEqual(readdirSync(folder), ['a.snap'])
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes)
    damaged[at]! ^= 1
    assert.throws(() => decodeSealed(file, damaged), /damaged/)
    assert.throws(() => decodeSealed(file, bytes.subarray(0, at)), /damaged/)
  }
})

test('the newest three snapshots stay', async () => {
  for (const seq of [5, 10, 20, 300, 4_000]) writeFileSync(snapshotFile(folder, seq), '')
  await pruneSnapshots(folder)
  const left = readdirSync(folder).map((name) => Number.parseInt(name, 10))
  assert.deepEqual(left.sort(), [20, 300, 4_000])
})

test('segments stay that hold a record after the snapshot, and two more', async () => {
  const starts = [1, 100, 200, 300, 400, 500]
  for (const seq of starts) writeFileSync(segmentFile(folder, seq), '')
  const left = async (seq: number) => {
    await pruneSegments(folder, seq)
    return readdirSync(folder).map((name) => Number.parseInt(name, 10))
  }
  assert.deepEqual(await left(250), starts)
  // The segment of the next record is the first that is needed.
  assert.deepEqual(await left(298), starts)
  assert.deepEqual(await left(399), [200, 300, 400, 500])
  assert.deepEqual(await left(10_000), [300, 400, 500])
})

test('the disk is low below the bound, as measured or by writes since', async () => {
  let free = 1_000
  const space = await DiskSpace.watch(folder, 400, async () => free)
  assert.equal(space.low, false)
  space.wrote(601)
  assert.equal(space.low, true)
  await space.refresh()
  assert.equal(space.low, false)
  free = 399
  await space.refresh()
  assert.equal(space.low, true)
  space.close()
})

test('the disk is looked at every five seconds, and after every 16 MiB of our own', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  let looks = 0
  const space = await DiskSpace.watch(folder, 400, async () => {
    looks += 1
    return 10 ** 9
  })
  const looked = (times: number) => assert.equal(looks, times)
  looked(1)
  mock.timers.tick(4_999)
  looked(1)
  mock.timers.tick(1)
  looked(2)
  space.wrote(16 * 1_024 * 1_024 - 1)
  looked(2)
  space.wrote(1)
  looked(3)
  await turn()
  space.wrote(1)
  looked(3)
  space.close()
  mock.timers.tick(20_000)
  looked(3)
  mock.timers.reset()
})

test('the limit itself is enough space, and an unreadable disk keeps its last value', async () => {
  let answer = async () => 400
  const space = await DiskSpace.watch(folder, 400, () => answer())
  assert.equal(space.low, false)
  space.wrote(1)
  answer = () => Promise.reject(new Error('gone'))
  await space.refresh()
  assert.equal(space.low, true)
  answer = async () => 400
  await space.refresh()
  assert.equal(space.low, false)
  space.close()
})

test('by default 200 MiB have to be free', async () => {
  for (const [free, low] of [
    [209_715_199, true],
    [209_715_200, false],
  ] as const) {
    const space = await DiskSpace.watch(folder, undefined, async () => free)
    assert.equal(space.low, low)
    space.close()
  }
})

test('a large file is written in full, and a failed write leaves the old one', async () => {
  const file = join(folder, 'large')
  const parts = [0, 1, 1_048_576, 1_048_577, 3_000_000].map((size, at) => Buffer.alloc(size, at))
  await writeAtomically(file, parts)
  assert.ok(readFileSync(file).equals(Buffer.concat(parts)))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  mkdirSync(join(folder, 'taken'))
  await assert.rejects(writeAtomically(join(folder, 'taken'), [Buffer.from('x')]))
  writeFileSync(join(folder, 'left.tmp'), '')
  removeUnfinished(folder)
  assert.deepEqual(readdirSync(folder).sort(), ['large', 'taken'])
})

test('a folder and its files are for their owner alone', () => {
  const path = join(folder, 'a', 'b')
  makePrivateFolder(path)
  const modeOf = (name: string) => statSync(join(path, name)).mode & 0o777
  assert.equal(modeOf('.'), 0o700)
  chmodSync(path, 0o755)
  mkdirSync(join(path, 'inner'), { mode: 0o755 })
  const modes = { open: 0o644, group: 0o610, run: 0o755, own: 0o600, read: 0o400 }
  for (const [name, mode] of Object.entries(modes)) {
    writeFileSync(join(path, name), '')
    chmodSync(join(path, name), mode)
  }
  chmodSync(join(path, 'inner'), 0o755)
  makePrivateFolder(path)
  const found = ['.', 'inner', ...Object.keys(modes)].map(modeOf)
  assert.deepEqual(found, [0o700, 0o755, 0o600, 0o600, 0o700, 0o600, 0o400])
})

test('the free space of the real disk can be read', async () => {
  const space = await DiskSpace.watch(folder, 1)
  assert.equal(space.low, false)
  space.close()
})
