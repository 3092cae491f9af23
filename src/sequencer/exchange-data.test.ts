import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { DiskHistory } from '../../test/support/disk-history.ts'
import { FaultyDisk } from '../../test/support/faulty-disk.ts'
import { markFile } from '../journal/durable-mark.ts'
import type { JournalFault } from '../journal/journal-fault.ts'
import { listSegments } from '../journal/segment.ts'
import { keepVenue, openDataFolder, readDataFolder } from './data-folder.ts'
import { breachCommands } from './exchange-data.ts'
import { type Batch, eventsOf } from './outcome.ts'
import { type SnapshotResult, snapshotThread } from './snapshots/snapshot-thread.ts'
import { stateHash, tradingHash } from './snapshots/state-hash.ts'

let history: DiskHistory
beforeEach(() => {
  history = new DiskHistory(1)
})
afterEach(() => history.end())

/** As a kill would: what is on disk now is all there is. */
async function crash(): Promise<void> {
  const copy = history.copy()
  await history.data.close({ snapshot: false })
  await history.open({ folder: copy })
}

const snapshots = () =>
  readdirSync(join(history.folder, 'snapshots')).filter((name) => name.endsWith('.snap'))
const segments = () => readdirSync(join(history.folder, 'journal')).filter((n) => n.endsWith('seg'))

test('everything acknowledged is there after a crash', async () => {
  await history.open()
  await history.run(300, 7)
  const before = [history.data.sequencer.seq, history.hash]
  await crash()
  assert.deepEqual([history.data.sequencer.seq, history.hash], before)
  assert.equal(history.data.recovery.from, 0)
  await history.run(50)
  const later = history.hash
  await crash()
  assert.equal(history.hash, later)
  assert.deepEqual(history.warnings, [])
})

test('a snapshot made in the background, with its tail, gives the live state', async () => {
  await history.open({ journal: { segmentBytes: 20_000 } })
  await history.run(200, 5)
  const seq = history.data.sequencer.seq
  const taken = history.data.snapshotNow()
  await history.run(100, 3)
  assert.equal(await taken, seq)
  await history.run(20)
  const live = history.hash
  await crash()
  assert.equal(history.data.recovery.from, seq)
  assert.equal(history.hash, live)
})

test('a clean end leaves a snapshot, and the next start has nothing to replay', async () => {
  await history.open()
  await history.run(100)
  const { hash } = history
  await history.data.close()
  await history.open()
  const { from, seq } = history.data.recovery
  assert.deepEqual([from, seq], [100, 100])
  assert.equal(history.hash, hash)
})

test('snapshots come by themselves as history grows', async () => {
  await history.open({ snapshotEntries: 40 })
  await history.run(60)
  const deadline = Date.now() + 20_000
  while (snapshots().length === 0 && Date.now() < deadline)
    await new Promise((later) => setTimeout(later, 10))
  assert.equal(snapshots().length, 1)
})

test('a snapshot thread that ends as its result arrives keeps the process alive', async () => {
  await history.open()
  await history.run(50)
  const unref = mock.method(Worker.prototype, 'unref')
  const made = (await endedAfter(100)) ?? (await endedAfter(2_000)) ?? (await endedAfter(20_000))
  assert.equal(made?.seq, 50)
  // Without a reference to the thread the process could exit before `end` has returned.
  assert.equal(unref.mock.callCount(), 0)
  unref.mock.restore()
})

/** Ends the thread this long after its file is complete; `null` if it had not sent its result. */
async function endedAfter(waitMs: number): Promise<SnapshotResult | null> {
  const thread = snapshotThread()
  const file = join(history.folder, 'snapshots', `made-${waitMs}.snap`)
  const done = thread.run({ folder: history.folder, seq: 50, file, facts: null }).catch(() => null)
  // This thread reads nothing until the result has been sent.
  const pause = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(file)) Atomics.wait(pause, 0, 0, 5)
  Atomics.wait(pause, 0, 0, waitMs)
  await thread.end()
  return done
}

test('a failed snapshot is reported, and trading continues', async () => {
  await history.open({ snapshotEntries: 20 })
  rmSync(join(history.folder, 'snapshots'), { recursive: true })
  await history.run(30)
  const deadline = Date.now() + 20_000
  while (history.warnings.length === 0 && Date.now() < deadline)
    await new Promise((later) => setTimeout(later, 10))
  assert.match(history.warnings.join(), /no snapshot: ENOENT/)
  await assert.rejects(history.data.snapshotNow(), /ENOENT/)
  await history.run(5)
  assert.deepEqual(history.fatal, [])
})

test('a damaged snapshot is skipped with a warning, and the one before is used', async () => {
  await history.open()
  await history.run(50)
  await history.data.snapshotNow()
  await history.run(50)
  const newest = await history.data.snapshotNow()
  await history.run(10)
  const { hash } = history
  await history.data.close({ snapshot: false })
  const file = join(history.folder, 'snapshots', `${newest}`.padStart(16, '0').concat('.snap'))
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
  await history.open()
  assert.equal(history.data.recovery.from, 50)
  assert.equal(history.hash, hash)
  assert.match(history.warnings.join(), /snapshot skipped: .*damaged/)
})

test('a revert holds over a crash, and can be done after one', async () => {
  await history.open()
  await history.run(120, 4)
  await history.data.sequencer.takeSnapshot('start', 'streams')
  const saved = history.hash
  await history.run(30)
  await history.data.sequencer.revert('start')
  await history.run(15)
  const place = () => {
    return { ...history.data.sequencer.place, hash: history.hash }
  }
  const before = place()
  assert.equal(before.timeline, 1)
  await crash()
  assert.deepEqual(place(), before)
  const restored: string[] = []
  await history.data.close()
  await history.open({ sources: { save: () => '', restore: (text) => restored.push(text) } })
  await history.data.sequencer.revert('start')
  assert.equal(history.hash, saved)
  assert.deepEqual(restored, ['streams'])
  assert.equal(history.data.sequencer.seq, before.seq + 1)
  await crash()
  assert.equal(history.hash, saved)
  assert.equal(history.data.sequencer.timeline, 2)
})

test('a saved state too large to encode immediately comes from another thread', async () => {
  await history.open({ savedStates: { smallMax: 0 } })
  await history.run(100, 9)
  const saved = history.hash
  const taken = history.data.sequencer.takeSnapshot('large', '')
  await history.run(40)
  const { seq } = await taken
  assert.deepEqual(
    history.data.savedStates().map(({ id, seq }) => ({ id, seq })),
    [{ id: 'large', seq }],
  )
  await history.data.sequencer.revert('large')
  assert.equal(history.hash, saved)
})

test('a saved state that a crash kept from the disk is saved again', async () => {
  await history.open()
  await history.run(80)
  await history.data.sequencer.takeSnapshot('lost', '')
  const saved = history.hash
  await history.run(10)
  const folder = join(history.folder, 'saved')
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  await crash()
  await history.data.sequencer.revert('lost')
  assert.equal(history.hash, saved)
})

test('a revert to a state whose file is missing stops the start', async () => {
  await history.open()
  await history.run(20)
  await history.data.sequencer.takeSnapshot('gone', '')
  await history.data.snapshotNow()
  await history.data.sequencer.revert('gone')
  await history.data.close({ snapshot: false })
  const folder = join(history.folder, 'saved')
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  await assert.rejects(
    history.open(),
    /goes back to the saved state gone at seq 22, and its file is missing.*backup/,
  )
})

test('a sandbox keeps the segments its snapshots need and two more, a venue all', async () => {
  for (const keep of ['sandbox', 'venue'] as const) {
    history = new DiskHistory(3)
    for (let n = 0; n < 4; n++) {
      await history.open({ keep, journal: { segmentBytes: 3_000 } })
      await history.run(60, 2)
      await history.data.close()
    }
    await history.open({ keep })
    const first = Number.parseInt(segments()[0]!, 10)
    assert.equal(first > 1, keep === 'sandbox', `${keep} begins with ${first}`)
    assert.equal(snapshots().length, 3)
    // The oldest snapshot continues with the segment that has the entry behind it.
    const oldest = Number.parseInt(snapshots()[0]!, 10)
    const older = segments().filter((name) => Number.parseInt(name, 10) <= oldest + 1)
    if (keep === 'sandbox') assert.equal(older.length, 3, `${oldest}: ${segments().join(' ')}`)
    const { hash } = history
    rmSync(join(history.folder, 'snapshots', snapshots().at(-1)!))
    await crash()
    assert.equal(history.hash, hash)
    if (keep === 'sandbox') await history.end()
  }
})

test('saved states are bounded, and one that a recovery needs outlives its place', async () => {
  await history.open({ keep: 'sandbox', savedStates: { keptMax: 2 } })
  const { sequencer } = history.data
  await history.run(30)
  await sequencer.takeSnapshot('a', '')
  const saved = history.hash
  await history.data.snapshotNow()
  await history.run(5)
  await sequencer.revert('a')
  await sequencer.takeSnapshot('b', '')
  await sequencer.takeSnapshot('c', '')
  const ids = () => history.data.savedStates().map(({ id }) => id)
  assert.deepEqual(ids(), ['b', 'c'])
  assert.equal(await sequencer.revert('a'), undefined)
  const copy = history.copy()
  const files = () => readdirSync(join(history.folder, 'saved')).length
  for (let n = 0; n < 2; n++) {
    await history.run(5)
    await history.data.snapshotNow()
  }
  assert.equal(files(), 3)
  await history.run(5)
  await history.data.snapshotNow()
  assert.equal(files(), 2)
  await history.data.close({ snapshot: false })
  await history.open({ folder: copy, keep: 'sandbox', savedStates: { keptMax: 2 } })
  assert.equal(history.hash, saved)
})

test('batches that a projection had not read are published again, event for event', async () => {
  await history.open()
  const live: string[] = []
  const line = ({ timeline, outcomes }: Batch) =>
    outcomes.map((one) => JSON.stringify([timeline, one.seq, one.atMs, one.entry, eventsOf(one)]))
  history.data.sequencer.onBatch((batch) => live.push(...line(batch)))
  await history.run(60, 4)
  await history.data.snapshotNow()
  await history.run(30)
  await history.data.sequencer.takeSnapshot('s', '')
  await history.run(10)
  await history.data.sequencer.revert('s')
  await history.run(10)
  await history.data.snapshotNow()
  await history.data.close()
  for (const after of [0, 25, 60, 95, live.length]) {
    const published: string[] = []
    let busy = false
    const take = async (batch: Batch) => {
      assert.ok(!busy, 'the next batch comes when this one was dealt with')
      busy = true
      published.push(...line(batch))
      await nextTurn()
      busy = false
    }
    await history.open({ feed: { after, take } })
    assert.deepEqual(published, live.slice(after))
    await history.data.close({ snapshot: false })
  }
})

test('hashes are those of the state when they were requested', async () => {
  await history.open()
  await history.run(50, 3)
  const { seq, state } = history.data.sequencer
  const expected = { seq, state: stateHash(state), trading: tradingHash(state) }
  const hashes = history.data.hashesNow()
  await history.run(30)
  assert.deepEqual(await hashes, expected)
})

test('simultaneous requests for hashes share the work', async () => {
  await history.open()
  await history.run(20, 3)
  const { data } = history
  // The first is under way by then; all others wait for the same one.
  const first = data.hashesNow()
  await new Promise((later) => setImmediate(later))
  const rest = Array.from({ length: 200 }, () => data.hashesNow())
  assert.equal(new Set(rest).size, 1)
  assert.deepEqual(await rest[0], await first)
})

test('a backup of a running exchange starts, with the state of its beginning', async () => {
  history = new DiskHistory(1, { keepHashes: true })
  await history.open({ keep: 'sandbox', journal: { segmentBytes: 4_000 } })
  await history.run(90, 3)
  await history.data.sequencer.takeSnapshot('state', '')
  history.note()
  const target = join(history.root, 'backup')
  const copying = history.data.backUp(target)
  for (let n = 0; n < 60; n++) await history.run(1)
  const seq = await copying
  await assert.rejects(history.data.backUp(target), /EEXIST/)
  await history.data.close({ snapshot: false })
  await history.open({ folder: target })
  assert.ok(history.data.sequencer.seq >= seq)
  assert.equal(history.hash, history.hashes?.get(history.data.sequencer.seq))
  assert.deepEqual(
    history.data.savedStates().map(({ id }) => id),
    ['state'],
  )
})

test('the genesis of a folder is the one it was made with', async () => {
  await history.open()
  await history.run(20)
  const { hash } = history
  const { genesis } = history.generator.world
  await history.data.close({ snapshot: false })
  await history.open({ genesis: { ...genesis, feesAddress: 'another' } })
  assert.equal(history.hash, hash)
  assert.deepEqual(history.data.genesis, genesis)
  await history.data.close({ snapshot: false })
  const file = join(history.folder, 'genesis.json')
  const whole = readFileSync(file, 'utf8')
  const { venue } = readDataFolder(history.folder)
  const malformed = [
    whole.replace('fees', 'mine'),
    whole.replace(venue, '0'.repeat(32)),
    whole.replace(venue, ''),
    whole.replace(/ *"venue".*\n/, ''),
  ]
  for (const text of malformed) {
    assert.notEqual(text, whole)
    writeFileSync(file, text)
    await assert.rejects(history.open(), { code: 'JOURNAL_DAMAGED' })
  }
  rmSync(file)
  await assert.rejects(history.open(), /genesis.json is missing/)
})

test('a journal that has lost its durable mark is opened only when that is accepted', async () => {
  await history.open()
  await history.run(20)
  const { hash } = history
  const { seq } = history.data
  await history.data.close({ snapshot: false })
  const mark = markFile(join(history.folder, 'journal'))
  for (const lose of [() => rmSync(mark), () => writeFileSync(mark, Buffer.alloc(1_024))]) {
    lose()
    await assert.rejects(history.open(), (error: JournalFault) => {
      assert.equal(error.code, 'MARK_MISSING')
      assert.match(error.message, new RegExp(`durable.mark is missing .* ends with seq ${seq}\\.`))
      return true
    })
    assert.equal(existsSync(join(history.folder, 'lock')), false)
  }
  await history.open({ acceptMissingMark: true })
  assert.deepEqual([history.data.seq, history.hash], [seq, hash])
  assert.match(history.warnings.join(), /durable.mark is missing; .* accepted/)
  await history.data.close({ snapshot: false })
  await history.open()
  assert.equal(history.hash, hash)
})

test('the last frame, damaged behind a clean end, is reported', async () => {
  await history.open()
  await history.run(20)
  await history.data.close({ snapshot: false })
  const journal = join(history.folder, 'journal')
  const { file } = listSegments(journal).at(-1)!
  const bytes = readFileSync(file)
  bytes[bytes.length - 1]! ^= 1
  writeFileSync(file, bytes)
  const damaged = { code: 'JOURNAL_DAMAGED', message: /was acknowledged, and is not there/ }
  await assert.rejects(history.open(), damaged)
  await assert.rejects(history.open({ acceptMissingMark: true }), damaged)
  // Without the mark it looks like a torn tail, and must not be cut silently.
  rmSync(markFile(journal))
  await assert.rejects(history.open(), { code: 'MARK_MISSING' })
  assert.deepEqual(readFileSync(file), bytes)
})

test('a folder gets an id once, unlike any other, and nodes of a cluster share one', async () => {
  await history.open()
  await history.run(20)
  const { venue, origin } = readDataFolder(history.folder)
  assert.match(venue, /^[0-9a-f]{32}$/)
  const other = join(history.root, 'other')
  const { genesis } = history.generator.world
  const made = await openDataFolder(other, genesis)
  assert.notEqual(made.venue, venue)
  assert.deepEqual(made.origin, origin, 'the journal does not depend on it')
  assert.equal((await openDataFolder(other, genesis)).venue, made.venue)
  await keepVenue(other, venue)
  assert.equal(readDataFolder(other).venue, venue)
  const copy = join(history.root, 'copy')
  await history.data.backUp(copy)
  assert.equal(readDataFolder(copy).venue, venue)
  await history.data.close({ snapshot: false })
})

test('a second opener is refused, and a failed start lets go of the folder', async () => {
  await history.open()
  const first = history.data
  await assert.rejects(history.open(), { code: 'FOLDER_LOCKED' })
  await history.run(5)
  await first.close({ snapshot: false })
  rmSync(join(history.folder, 'genesis.json'))
  await assert.rejects(history.open(), { code: 'JOURNAL_DAMAGED' })
  assert.equal(existsSync(join(history.folder, 'lock')), false)
})

test('a disk failure ends the exchange, and a restart has everything acknowledged', async () => {
  const disk = new FaultyDisk()
  await history.open({ journal: { openFile: disk.open } })
  await history.run(30)
  const before = tradingHash(history.data.sequencer.state)
  disk.failSyncs = true
  await assert.rejects(history.run(1), { code: 'SEQUENCER_STOPPED' })
  assert.equal(history.fatal.length, 1)
  assert.equal(tradingHash(history.data.sequencer.state), before)
  await history.data.close()
  assert.deepEqual(snapshots(), [])
  await history.open()
  // The batch reached the disk or not; no caller got a result.
  assert.ok([30, 31].includes(history.data.sequencer.seq))
})

test('a nearly full disk is reported', async () => {
  await history.open({ freeBytes: async () => 100 * 1_024 * 1_024 })
  assert.equal(history.data.diskLow(), true)
  await history.data.close()
  await history.open({ freeBytes: async () => 900 * 1_024 * 1_024 })
  assert.equal(history.data.diskLow(), false)
})

test('breaches become one command for each invariant and market', () => {
  const found = breachCommands([
    '1 money: 5 held, 6 due',
    '2 lots: market 3 sums to 1',
    '2 lots: market 3 open interest 4, recomputed 5',
    '5 index: row 7 is unhealthy and not reached',
  ])
  assert.deepEqual(
    found.map(({ command }) => command),
    [
      { type: 'Breach', market: null, invariant: 1 },
      { type: 'Breach', market: 3, invariant: 2 },
      { type: 'Breach', market: null, invariant: 5 },
    ],
  )
})
