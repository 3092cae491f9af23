// A restore up to a point gives exactly the history up to that point: the state before the next
// command of a replay.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listSegments } from '../../src/journal/segment.ts'
import { readDataFolder } from '../../src/sequencer/data-folder.ts'
import { recover } from '../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../src/sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { openperpJson } from '../support/cli/run-openperp.ts'
import { DiskHistory } from '../support/disk-history.ts'

type Restored = Readonly<{
  seq: number
  at: string
  stateHash: string
  error: Readonly<{ message: string; first: Entry; last: Entry }>
}>
type Entry = Readonly<{ seq: number; atMs: number }>

const history = new DiskHistory(12)
const backup = join(history.root, 'backup')
const hashes: string[] = []
const times: number[] = []
const [backedUp, all] = [42, 90]
let made = 0

before(async () => {
  // Small segments, so that the point is in any of several.
  await history.open({ journal: { segmentBytes: 3_000 } })
  await history.run(backedUp, 4)
  assert.equal((await openperpJson(['backup', backup, '--data', history.folder])).code, 0)
  await history.run(all - backedUp, 7)
  const folder = readDataFolder(history.folder)
  const { replica } = await recover(folder, {
    saved: new SavedStateFiles(folder.saved),
    feed: {
      after: 0,
      take: ({ outcomes }) => outcomes.forEach(({ atMs }) => void times.push(atMs)),
    },
    watch: {
      before(seq, { state }) {
        hashes[seq - 1] = stateHash(state)
      },
    },
  })
  hashes[all] = stateHash(replica.state)
  assert.equal(times.length, all)
})
after(() => history.end())

async function restore(at: string | null, from = history.folder) {
  const target = join(history.root, `restored-${++made}`)
  const flags = ['--data', target, '--journal', from, ...(at === null ? [] : ['--at', at])]
  const { json, code } = await openperpJson<Restored>(['restore', backup, ...flags])
  assert.equal(existsSync(target), code === 0, 'a folder exists only if it is complete')
  return { target, code, ...json }
}

async function refused(at: string | null, from?: string) {
  const { code, error } = await restore(at, from)
  assert.notEqual(code, 0)
  return error
}

test('a restore ends exactly with the entry, in a frame, at its end or in the backup', async () => {
  for (const seq of [1, 3, 4, 41, backedUp, backedUp + 1, 60, all - 1, all]) {
    const restored = await restore(`${seq}`)
    assert.deepEqual([restored.seq, restored.stateHash], [seq, hashes[seq]])
    assert.equal(Date.parse(restored.at), times[seq - 1])
  }
})

test('a restored folder starts with that state, and goes on', async () => {
  const { target } = await restore('57')
  const again = new DiskHistory(12)
  const data = await again.open({ folder: target })
  assert.deepEqual([data.sequencer.seq, again.hash], [57, hashes[57]])
  await again.run(5)
  await data.close()
  await again.open({ folder: target })
  assert.equal(again.data.sequencer.seq, 62)
  await again.end()
})

test('a time is the last entry before the first that is later', async () => {
  for (const seq of [2, 30, 50, 77]) {
    const atMs = times[seq - 1]!
    const expected = times.findIndex((time) => time > atMs)
    const { seq: reached, stateHash: hash } = await restore(new Date(atMs).toISOString())
    assert.deepEqual([reached, hash], [expected, hashes[expected]])
  }
  const last = await restore(new Date(times.at(-1)!).toISOString())
  assert.equal(last.seq, all)
  assert.equal((await restore(null)).stateHash, hashes[all])
})

test('a point that is not covered is refused with the range that is', async () => {
  const range = [
    { seq: 1, atMs: times[0] },
    { seq: all, atMs: times.at(-1) },
  ]
  const late = new Date(times.at(-1)! + 1).toISOString()
  const early = new Date(times[0]! - 1).toISOString()
  for (const at of ['0', `${all + 1}`, late, early]) {
    const { message, first, last } = await refused(at)
    assert.match(message, /^that point is not covered: entries 1 \(.*Z\) to 90 \(.*Z\) are$/)
    assert.deepEqual([first, last], range)
  }
  const only = ['restore', backup, '--data', join(history.root, 'none'), '--at', '43']
  assert.match((await openperpJson<Restored>(only)).json.error.message, /to 42 \(/)
  assert.match((await refused('yesterday')).message, /--at yesterday is not a time/)
})

test('damage after the point does not matter, and damage before it is refused', async () => {
  const copy = history.copy()
  const { file, firstSeq } = listSegments(join(copy, 'journal')).at(-1)!
  assert.ok(firstSeq > backedUp + 1)
  const bytes = readFileSync(file)
  bytes[120]! ^= 1
  writeFileSync(file, bytes)
  const before = firstSeq - 1
  assert.equal((await restore(`${before}`, copy)).stateHash, hashes[before])
  const pattern = new RegExp(`to ${before} .* are; after it the journal is damaged: `)
  assert.match((await refused(`${all + 1}`, copy)).message, /damaged/)
  assert.match((await refused(`${firstSeq}`, copy)).message, pattern)
})

test('a journal of another history, or with a gap after the backup, is refused', async () => {
  const other = new DiskHistory(13)
  await other.open()
  await other.run(all)
  assert.match((await refused('60', other.folder)).message, /does not continue the backup/)
  await other.end()
  const copy = history.copy()
  const journal = join(copy, 'journal')
  for (const { file, firstSeq } of listSegments(journal)) if (firstSeq <= 60) rmSync(file)
  assert.match(
    (await refused('80', journal)).message,
    /ends with entry 42: the segment with seq 43/,
  )
  rmSync(join(history.copy(), 'journal', 'durable.mark'))
  const unmarked = join(history.root, readdirSync(history.root).findLast((n) => /copy/.test(n))!)
  assert.match((await refused(null, unmarked)).message, /no durable\.mark, so its end may be miss/)
  assert.equal((await restore('80', unmarked)).stateHash, hashes[80])
})
