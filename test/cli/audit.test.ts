// The audit of real folders: intact ones pass, and every kind of damage is reported with file,
// offset and sequence number.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { decodeFrame, eachRecord, type Frame } from '../../src/journal/frame.ts'
import { segmentHeadLength } from '../../src/journal/segment.ts'
import { eventsOf } from '../../src/sequencer/outcome.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { DiskHistory } from '../support/disk-history.ts'
import { frameOf } from '../support/journal-records.ts'

type Finding = Readonly<{ kind: string; file: string; offset: number | null; seq: number }>
type Report = Readonly<{
  verdict: string
  entries: number
  events: number
  seq: number
  statesEqual: number
  stateHash: string | null
  findings: readonly Finding[]
}>

const history = new DiskHistory(7)
let hash = ''
let events = 0

before(async () => {
  const { sequencer } = await history.open({ journal: { segmentBytes: 40_000 } })
  sequencer.onBatch(({ outcomes }) => {
    for (const outcome of outcomes) events += eventsOf(outcome).length
  })
  await history.run(300, 3)
  await history.data.snapshotNow()
  await history.run(300, 3)
  hash = history.hash
  await history.data.close()
})
after(() => rmSync(history.root, { recursive: true, force: true }))

const audit = (folder: string) => openperpJson<Report>(['audit', '--data', folder])

function segmentsOf(folder: string): readonly string[] {
  const journal = join(folder, 'journal')
  const names = readdirSync(journal).filter((name) => name.endsWith('.seg'))
  return names.sort().map((name) => join(journal, name))
}

function framesOf(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = []
  for (let at = segmentHeadLength; ; ) {
    const frame = decodeFrame(bytes, at)
    if (frame === undefined) return frames
    frames.push(frame)
    at = frame.end
  }
}

/** Splits the second segment into frames and writes the result of `change` in its place. */
async function afterChange(
  change: (frames: Buffer[], read: readonly Frame[]) => readonly Buffer[],
): Promise<Readonly<{ report: Report; file: string; read: readonly Frame[] }>> {
  const folder = history.copy()
  const file = segmentsOf(folder)[1]!
  const bytes = readFileSync(file)
  const read = framesOf(bytes)
  const frames = read.map(({ start, end }) => Buffer.from(bytes.subarray(start, end)))
  const changed = change(frames, read)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, segmentHeadLength), ...changed]))
  const { code, json } = await audit(folder)
  assert.equal(code, 4)
  assert.equal(json.verdict, 'damaged')
  return { report: json, file, read }
}

test('an unmodified folder is intact, with the hash of the live state', async () => {
  const { code, json } = await audit(history.folder)
  assert.deepEqual(json.findings, [])
  assert.equal(code, 0)
  assert.equal(json.verdict, 'whole')
  assert.equal(json.stateHash, hash)
  assert.equal(json.entries, json.seq)
  assert.equal(json.events, events)
  assert.equal(json.statesEqual, 2)
  const { out } = await openperp(['audit', '--data', history.folder])
  assert.match(out, /^verdict {2}WHOLE/m)
})

test('a flipped byte is found, with its frame', async () => {
  const { report, file, read } = await afterChange((frames) => {
    const damaged = frames[4]!
    damaged[damaged.length - 3]! ^= 1
    return frames
  })
  const { firstSeq, start } = read[4]!
  const [found] = report.findings
  assert.deepEqual([found!.kind, found!.file, found!.offset], ['changed', file, start])
  assert.equal(found!.seq, firstSeq)
})

test('a removed record is found', async () => {
  const { report, file, read } = await afterChange((frames) => frames.toSpliced(4, 1))
  const [found] = report.findings
  assert.deepEqual([found!.kind, found!.file, found!.seq], ['removed', file, read[4]!.firstSeq])
  assert.equal(found!.offset, read[4]!.start)
})

test('two swapped records are found', async () => {
  const { report, file, read } = await afterChange((frames) => {
    ;[frames[4], frames[6]] = [frames[6]!, frames[4]!]
    return frames
  })
  const [found] = report.findings
  assert.deepEqual([found!.kind, found!.file, found!.seq], ['swapped', file, read[4]!.firstSeq])
})

test('an inserted record is found, even with a valid seal', async () => {
  const doubled = await afterChange((frames) => frames.toSpliced(5, 0, frames[4]!))
  const seq = doubled.read[5]!.firstSeq
  assert.deepEqual(
    doubled.report.findings.map((found) => [found.kind, found.offset, found.seq]),
    [['inserted', doubled.read[5]!.start, seq]],
  )
  const forged = await afterChange((frames, read) => {
    const records: Buffer[] = []
    eachRecord(read[4]!, (_, from, to) => records.push(read[4]!.bytes.subarray(from, to)))
    const bytes = frameOf(records, read[5]!.firstSeq, read[4]!.seal)
    return frames.toSpliced(5, 0, bytes)
  })
  assert.equal(forged.report.findings[0]!.kind, 'inserted')
})

test('a rewritten and resealed record breaks the chain behind it', async () => {
  const { report, read } = await afterChange((frames, all) => {
    const records: Buffer[] = []
    eachRecord(all[4]!, (_, from, to) =>
      records.push(Buffer.from(all[4]!.bytes.subarray(from, to))),
    )
    const bytes = frameOf(records.reverse(), all[4]!.firstSeq, all[4]!.before)
    return frames.toSpliced(4, 1, bytes)
  })
  const [found] = report.findings
  assert.equal(found!.kind, 'rewritten')
  assert.equal(found!.offset, read[5]!.start)
})

test('a missing segment, a changed snapshot and a changed genesis are found', async () => {
  const gone = history.copy()
  rmSync(segmentsOf(gone)[1]!)
  const missing = await audit(gone)
  assert.equal(missing.code, 4)
  assert.equal(missing.json.findings[0]!.kind, 'removed')

  const damaged = history.copy()
  const folder = join(damaged, 'snapshots')
  const file = join(folder, readdirSync(folder).sort()[0]!)
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 4
  writeFileSync(file, bytes)
  const snapshot = await audit(damaged)
  assert.equal(snapshot.code, 4)
  assert.deepEqual(
    snapshot.json.findings.map((found) => [found.kind, found.file]),
    [['changed', file]],
  )

  const born = history.copy()
  const genesis = join(born, 'genesis.json')
  writeFileSync(genesis, readFileSync(genesis, 'utf8').replace('"takerPpm": ', '"takerPpm": 1'))
  assert.equal((await audit(born)).code, 4)
})

test('a snapshot of another state is found, even with a valid seal', async () => {
  const folder = history.copy()
  const snapshots = join(folder, 'snapshots')
  const [older, newer] = readdirSync(snapshots).sort()
  writeFileSync(join(snapshots, older!), readFileSync(join(snapshots, newer!)))
  const { code, json } = await audit(folder)
  assert.equal(code, 4)
  assert.equal(json.findings[0]!.kind, 'wrong')
})

test('a folder without data and a missing folder have different errors', async () => {
  const none = await openperp(['audit', '--data', join(history.root, 'nowhere')])
  assert.equal(none.code, 2)
  assert.match(none.err, /does not exist/)
  const empty = await openperpJson<Report>(['audit', '--data', history.root])
  assert.equal(empty.code, 4)
})
