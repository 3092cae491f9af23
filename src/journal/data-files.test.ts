// Sealed files, what may be removed, and the watch over the disk.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { DiskSpace } from './disk-space.ts'
import { pruneSegments, pruneSnapshots } from './retention.ts'
import { decodeSealed, readFacts, writeSealed } from './sealed-file.ts'
import { segmentFile } from './segment.ts'
import { snapshotFile } from './snapshot-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openperp-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a sealed file comes back as it was written, and no byte of it can change', async () => {
  const file = join(folder, 'a.snap')
  await writeSealed(file, { seq: 7, why: 'ünï' }, Buffer.from('content'))
  const bytes = readFileSync(file)
  const { facts, content } = decodeSealed(file, bytes)
  assert.deepEqual(facts, { seq: 7, why: 'ünï' })
  assert.equal(content.toString(), 'content')
  assert.deepEqual(readFacts(file), facts)
  assert.deepEqual(readdirSync(folder), ['a.snap'])
  for (let at = 0; at < bytes.length; at++) {
    const spoiled = Buffer.from(bytes)
    spoiled[at]! ^= 1
    assert.throws(() => decodeSealed(file, spoiled), /damaged/)
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
  assert.deepEqual(await left(399), [200, 300, 400, 500])
  assert.deepEqual(await left(10_000), [300, 400, 500])
})

test('the disk is low below the bound, by a look or by what was written since', async () => {
  let free = 1_000
  const space = await DiskSpace.watch(folder, 400, async () => free)
  assert.equal(space.low, false)
  space.wrote(601)
  assert.equal(space.low, true)
  await space.look()
  assert.equal(space.low, false)
  free = 399
  await space.look()
  assert.equal(space.low, true)
  space.close()
})

test('the real disk can be asked', async () => {
  const space = await DiskSpace.watch(folder, 1)
  assert.equal(space.low, false)
  space.close()
})
