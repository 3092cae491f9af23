import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { FaultyDisk } from '../../test/support/faulty-disk.ts'
import { append, bodyOf, frameOf } from '../../test/support/journal-records.ts'
import { markFile } from './durable-mark.ts'
import { decodeFrame, eachRecord, lengthBytes, sealFrame, sha256 } from './frame.ts'
import { Journal, type JournalOptions, journalDefaults } from './journal.ts'
import type { JournalFault } from './journal-fault.ts'
import { JournalScan } from './scan-journal.ts'
import { listSegments, segmentHeadLength } from './segment.ts'

const origin = sha256(Buffer.from('genesis'))
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openperp-journal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const record = (text: string) => Buffer.from(text)

function scan(after = 0) {
  const scanned = new JournalScan(folder, { origin, after, seal: null })
  const texts: string[] = []
  for (const frame of scanned.frames())
    eachRecord(frame, (seq, from, to) => {
      texts.push(`${seq} ${frame.bytes.toString('utf8', from, to)}`)
    })
  return { texts, end: scanned.end }
}

const open = (options: Partial<JournalOptions> = {}) => Journal.open(folder, scan().end, options)

async function write(batches: readonly (readonly string[])[], options = {}): Promise<void> {
  const journal = await open(options)
  for (const batch of batches) await append(journal, ...batch.map(record))
  await journal.close()
}

/** Byte offsets of the frames of the only segment. */
function framesOf(file: string): { start: number; end: number }[] {
  const bytes = readFileSync(file)
  const found: { start: number; end: number }[] = []
  for (let at = segmentHeadLength; ; ) {
    const frame = decodeFrame(bytes, at)
    if (frame === undefined) return found
    found.push({ start: at, end: frame.end })
    at = frame.end
  }
}

const onlySegment = () => listSegments(folder)[0]!.file
const damage = (about: RegExp) => (error: JournalFault) => {
  assert.equal(error.code, 'JOURNAL_DAMAGED')
  assert.match(error.message, about)
  assert.match(error.message, /byte \d+/)
  assert.match(error.message, /backup/)
  return true
}

test('appended records are read in order, over restarts and segments', async () => {
  await write([['a'], ['b', 'c'], ['']])
  await write([['d'.repeat(300)], ['e'.repeat(300)], ['f']], { segmentBytes: 600 })
  const { texts, end } = scan()
  const long = (letter: string) => letter.repeat(300)
  assert.deepEqual(texts, ['1 a', '2 b', '3 c', '4 ', `5 ${long('d')}`, `6 ${long('e')}`, '7 f'])
  assert.equal(end.seq, 7)
  assert.equal(end.tornBytes, 0)
  assert.ok(listSegments(folder).length > 1)
  assert.deepEqual(scan(5).texts, [`6 ${long('e')}`, '7 f'])
  assert.deepEqual(scan(3).texts[0], '4 ')
})

test('a batch is one write and one sync, and batches are not mixed', async () => {
  const disk = new FaultyDisk()
  const journal = await open({ openFile: disk.open })
  disk.calls.length = 0
  await Promise.all([append(journal, record('a'), record('b')), append(journal, record('c'))])
  const name = onlySegment().replace(/^.*\//, '')
  const own = disk.calls.filter((call) => call.endsWith('.seg'))
  assert.deepEqual(own, [`write ${name}`, `sync ${name}`, `write ${name}`, `sync ${name}`])
  await journal.close()
})

test('append resolves only after the sync', async () => {
  const disk = new FaultyDisk()
  const journal = await open({ openFile: disk.open })
  disk.hold()
  let durable = false
  const done = append(journal, record('a')).then(() => {
    durable = true
  })
  await new Promise((later) => setTimeout(later, 20))
  assert.equal(durable, false)
  disk.release()
  await done
  assert.equal(durable, true)
  await journal.close()
})

for (const what of ['failWrites', 'failSyncs'] as const)
  test(`after a failure (${what}) no record is accepted, and no sync is tried`, async () => {
    const disk = new FaultyDisk()
    const journal = await open({ openFile: disk.open })
    await append(journal, record('a'))
    disk[what] = true
    const failed = (error: JournalFault) => {
      assert.equal(error.code, 'JOURNAL_WRITE_FAILED')
      assert.match((error.cause as Error).message, /ENOSPC|EIO/)
      return true
    }
    await assert.rejects(append(journal, record('b')), failed)
    disk[what] = false
    const before = disk.calls.length
    await assert.rejects(append(journal, record('c')), failed)
    await journal.close()
    assert.deepEqual(disk.calls.slice(before), [])
  })

test('a tail that was never acknowledged is cut, whatever it looks like', async () => {
  await write([['a'], ['b']])
  const file = onlySegment()
  const length = statSync(file).size
  await write([['c'.repeat(200)]])
  const frame = readFileSync(file).subarray(length)
  const tails = [
    frame.subarray(0, 3),
    frame.subarray(0, 88),
    frame.subarray(0, frame.length - 1),
    Buffer.concat([frame.subarray(0, 100), Buffer.alloc(frame.length - 100)]),
    Buffer.concat([Buffer.alloc(100), frame.subarray(100)]),
    Buffer.alloc(4_096),
    Buffer.alloc(500, 7),
  ]
  // The mark of a process that was cut down before the third batch was durable.
  truncateSync(file, length)
  rmSync(markFile(folder))
  await write([])
  for (const tail of tails) {
    truncateSync(file, length)
    appendFileSync(file, tail)
    const { texts, end } = scan()
    assert.deepEqual(texts, ['1 a', '2 b'])
    assert.equal(end.offset, length)
    assert.equal(end.tornBytes, tail.findLastIndex((byte) => byte !== 0) + 1)
  }
  await write([['d']])
  assert.deepEqual(scan().texts, ['1 a', '2 b', '3 d'])
})

test('an acknowledged last batch that is damaged or missing is never cut', async () => {
  await write([['a'], ['b'], ['c'.repeat(100)]])
  const file = onlySegment()
  const whole = readFileSync(file)
  const last = framesOf(file).at(-1)!
  const spoil: ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.fill(1, last.start + 120, last.start + 121),
    (bytes) => bytes.fill(0, last.start + 60),
    (bytes) => bytes.fill(0, last.start),
    (bytes) => bytes.subarray(0, last.end - 1),
    (bytes) => bytes.subarray(0, last.start),
    (bytes) => bytes.subarray(0, last.start + 2),
  ]
  for (const change of spoil) {
    writeFileSync(file, change(Buffer.from(whole)))
    assert.throws(() => scan(), damage(/seq 3 was acknowledged/))
  }
})

test('damage in the middle is told apart from a torn tail, with or without the mark', async () => {
  await write([['a'], ['b'], ['c']])
  rmSync(markFile(folder))
  const file = onlySegment()
  const whole = readFileSync(file)
  const [first, second, third] = framesOf(file)
  const part = ({ start, end }: { start: number; end: number }) => whole.subarray(start, end)
  const head = whole.subarray(0, segmentHeadLength)
  const flipped = Buffer.from(whole)
  flipped[second!.start + 90]! ^= 4
  const cases: readonly (readonly [RegExp, readonly Buffer[]])[] = [
    [/a whole frame follows/, [flipped]],
    [/does not follow/, [head, part(first!), part(third!)]],
    [/does not follow/, [head, part(second!), part(first!), part(third!)]],
    [/does not follow/, [whole, part(third!)]],
    [/does not follow/, [head, part(first!), part(second!), part(second!), part(third!)]],
    [/head of the segment/, [Buffer.from(head).fill(9, 20, 21), whole.subarray(head.length)]],
  ]
  for (const [about, parts] of cases) {
    writeFileSync(file, Buffer.concat(parts))
    assert.throws(() => scan(), damage(about))
  }
})

test('segments that are missing, swapped or of another exchange are found', async () => {
  await write([['a'], ['b'], ['c'], ['d']], { segmentBytes: 190 })
  const files = listSegments(folder).map((segment) => segment.file)
  assert.equal(files.length, 4)
  const aside = join(folder, 'aside')
  renameSync(files[1]!, aside)
  assert.throws(() => scan(), damage(/segment with seq 2 is missing/))
  renameSync(files[2]!, files[1]!)
  assert.throws(() => scan(), damage(/head of the segment/))
  renameSync(files[1]!, files[2]!)
  renameSync(aside, files[1]!)
  assert.equal(scan().end.seq, 4)
  renameSync(files[3]!, aside)
  assert.throws(() => scan(), damage(/seq 4 was acknowledged/))
  renameSync(aside, files[3]!)
  const other = new JournalScan(folder, { origin: sha256(), after: 0, seal: null })
  assert.throws(() => [...other.frames()], damage(/does not follow what was before/))
})

test('nothing may follow the last frame of a segment that is not the last', async () => {
  await write([['a'], ['b'], ['c']], { segmentBytes: 190 })
  const [first, second] = listSegments(folder).map((segment) => segment.file)
  for (const file of [first!, second!]) {
    const whole = readFileSync(file)
    for (const bytes of [Buffer.alloc(1), record('x')]) {
      writeFileSync(file, Buffer.concat([whole, bytes]))
      assert.throws(() => scan(), damage(new RegExp(`byte ${whole.length}: a frame is not whole`)))
    }
    writeFileSync(file, whole)
  }
  assert.equal(scan().end.seq, 3)
})

test('an empty folder is where a journal begins', () => {
  const nothing = { offset: 0, seq: 0, tornBytes: 0, markMissing: false }
  assert.deepEqual(scan().end, { ...nothing, segment: null, seal: origin })
  assert.equal(journalDefaults.segmentBytes, 67_108_864)
})

test('missing oldest segments are reported with the oldest that exists', async () => {
  await write([['a'], ['b'], ['c']], { segmentBytes: 190 })
  const files = listSegments(folder).map((segment) => segment.file)
  for (const [at, file] of files.slice(0, -1).entries()) {
    rmSync(file)
    assert.throws(
      () => scan(),
      (error: JournalFault) => {
        const what = 'the segment with seq 1 is missing'
        assert.deepEqual(error.damage, { file: files[at + 1], offset: 0, lastGoodSeq: 0, what })
        return damage(/seq 1 is missing/)(error)
      },
    )
  }
})

test('a history that ends before its snapshot is damage, an empty one too', async () => {
  assert.throws(() => scan(1), damage(/snapshot of seq 1 is newer/))
  await write([['a'], ['b']])
  assert.deepEqual(scan(2).texts, [])
  assert.throws(() => scan(3), damage(/snapshot of seq 3 is newer/))
})

test('a frame that follows by its seals and not by its seqs is damage', async () => {
  await write([['a']])
  rmSync(markFile(folder))
  const file = onlySegment()
  const whole = readFileSync(file)
  const before = Buffer.from(decodeFrame(whole, segmentHeadLength)!.seal)
  const body = bodyOf([record('b')])
  for (const [firstSeq, count] of [
    [3, 1],
    [1, 1],
    [2, 0],
  ] as const) {
    const { head } = sealFrame(body, { count, firstSeq, before })
    writeFileSync(file, Buffer.concat([whole, head, body]))
    assert.throws(() => scan(), damage(new RegExp(`the frame has seq ${firstSeq}, not 2`)))
  }
})

test('the mark survives damage of one of its slots', async () => {
  await write([['a']])
  await write([['b']])
  const file = markFile(folder)
  const whole = readFileSync(file)
  for (const slot of [0, 512]) {
    const bytes = Buffer.from(whole)
    bytes[slot + 20]! ^= 1
    writeFileSync(file, bytes)
    assert.equal(scan().end.markMissing, false)
  }
  writeFileSync(file, Buffer.alloc(1_024))
  assert.equal(scan().end.markMissing, true)
})

test('the mark follows durable records by itself', async () => {
  const journal = await open()
  await append(journal, record('a'))
  const deadline = Date.now() + 5_000
  const marked = () => readFileSync(markFile(folder)).includes(journal.lastSeal)
  while (!marked() && Date.now() < deadline) await new Promise((later) => setTimeout(later, 5))
  assert.ok(marked())
  await journal.close()
})

test('a frame with a valid seal that its records do not fill is reported', () => {
  const records = [record('one'), record('two')]
  const whole = frameOf(records, 1, origin)
  const seqs: number[] = []
  const visit = (frame: Buffer) => eachRecord(decodeFrame(frame, 0)!, (seq) => seqs.push(seq))
  visit(whole)
  assert.deepEqual(seqs, [1, 2])
  const forged = (change: (body: Buffer) => Buffer, count = 2) => {
    const body = change(Buffer.from(bodyOf(records)))
    const { head } = sealFrame(body, { count, firstSeq: 1, before: origin })
    return Buffer.concat([head, body])
  }
  const longer = (body: Buffer) => {
    body.writeUInt32LE(9, lengthBytes + 'one'.length)
    return body
  }
  for (const frame of [
    forged(longer),
    forged((body) => body.subarray(0, -1)),
    forged((body) => Buffer.concat([body, Buffer.alloc(3)])),
    forged((body) => body, 3),
    forged((body) => body, 1),
  ])
    assert.throws(() => visit(frame), /not written by this program: /)
  const longerByThree = forged((body) => Buffer.concat([body, Buffer.alloc(3)]))
  assert.throws(() => visit(longerByThree), /seq 1 .*: 3 bytes follow its 2 records/)
  assert.throws(() => visit(forged((body) => body, 3)), /: record 3 of 3 goes past its end/)
})
