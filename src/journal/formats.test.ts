// The content of the files, byte by byte, written here independently (decision 14): a program that
// reads what it wrote itself would not notice that both have changed.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { encodeMark, markFile, markOffset, readMark } from './durable-mark.ts'
import { decodeFrame, eachRecord, findFrame, sealFrame, wholeFrame } from './frame.ts'
import { decodeSealed, encodeSealed, readFacts } from './sealed-file.ts'
import { encodeSegmentHead, listSegments, sealBefore, segmentFile } from './segment.ts'
import { listSnapshots, snapshotFile } from './snapshot-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openperp-formats-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const hashOf = (...parts: readonly Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest()
const u32 = (value: number) => Buffer.from(new Uint32Array([value]).buffer)
const u64 = (value: number) => Buffer.from(new BigUint64Array([BigInt(value)]).buffer)
const before = hashOf(Buffer.from('before'))
const other = hashOf(Buffer.from('other'))

function frameByHand(body: Uint8Array, { count, firstSeq }: { count: number; firstSeq: number }) {
  const head = [Buffer.from('OPF1'), u32(body.length), u32(count), u32(0), u64(firstSeq), before]
  return [...head, hashOf(...head, body), body]
}

const three = [u32(1), Buffer.from('a'), u32(0), u32(2), Buffer.from('bc')]

test('a frame: OPF1, length, count, first seq, seal before, seal, then the records', () => {
  const body = Buffer.concat(three)
  const bytes = Buffer.concat(frameByHand(body, { count: 3, firstSeq: 7 }))
  const { head, seal } = sealFrame(body, { count: 3, firstSeq: 7, before })
  assert.deepEqual(Buffer.concat([head, body]), bytes)
  // It begins anywhere, and ends where its body does.
  const among = Buffer.concat([Buffer.alloc(5, 1), bytes, Buffer.alloc(5, 2)])
  const { bytes: _, ...frame } = decodeFrame(among, 5)!
  const end = 5 + bytes.length
  assert.deepEqual(frame, { firstSeq: 7, count: 3, before, seal, start: 5, end })
  const place = { count: 3, firstSeq: 7, before }
  assert.deepEqual(wholeFrame(body, place), { ...place, seal, bytes, start: 0, end: bytes.length })
  const found: string[] = []
  eachRecord(decodeFrame(among, 5)!, (seq, from, to) => {
    found.push(`${seq} ${among.toString('utf8', from, to)}`)
  })
  assert.deepEqual(found, ['7 a', '8 ', '9 bc'])
  for (const at of [0, 4, 6, end]) assert.equal(decodeFrame(among, at), undefined)
  assert.deepEqual(
    [0, 5, 6].map((from) => findFrame(among, from)),
    [5, 5, -1],
  )
  const twice = Buffer.concat([Buffer.from('OPF1'), bytes, bytes])
  assert.deepEqual([findFrame(twice, 0), findFrame(twice, 5)], [4, 4 + bytes.length])
})

test('an empty frame is a whole one, and nothing shorter is', () => {
  const bytes = Buffer.concat(frameByHand(Buffer.alloc(0), { count: 0, firstSeq: 1 }))
  assert.equal(bytes.length, 88)
  assert.equal(decodeFrame(bytes, 0)?.end, 88)
  assert.equal(decodeFrame(bytes.subarray(0, 87), 0), undefined)
})

test('a body has 64 MiB at most, to be written and to be read', () => {
  const most = 64 * 1_024 * 1_024
  const head = { count: 1, firstSeq: 1, before }
  const body = Buffer.alloc(most + 1)
  assert.throws(() => sealFrame(body, head), RangeError)
  const large = Buffer.concat(frameByHand(body, { count: 1, firstSeq: 1 }))
  assert.equal(decodeFrame(large, 0), undefined)
  const sealed = sealFrame(body.subarray(1), head)
  large.set(sealed.head)
  assert.equal(decodeFrame(large, 0)?.end, most + 88)
})

test('a segment: OPJOURNL, format, first seq, seal before, seal; its name has 16 digits', () => {
  const parts = [Buffer.from('OPJOURNL'), u32(1), u32(0), u64(12), before]
  const head = Buffer.concat([...parts, hashOf(...parts)])
  assert.deepEqual(encodeSegmentHead(12, before), head)
  const file = segmentFile(folder, 12)
  assert.equal(file, join(folder, '0000000000000012.seg'))
  assert.deepEqual(sealBefore(head, { file, firstSeq: 12 }), before)
  assert.equal(sealBefore(head, { file, firstSeq: 13 }), null)
  assert.equal(sealBefore(head.subarray(0, 87), { file, firstSeq: 12 }), null)
  for (let at = 0; at < head.length; at++) {
    const damaged = Buffer.from(head)
    damaged[at]! ^= 1
    assert.equal(sealBefore(damaged, { file, firstSeq: 12 }), null)
  }
  const later = [Buffer.from('OPJOURNL'), u32(2), u32(0), u64(12), before]
  assert.throws(
    () => sealBefore(Buffer.concat([...later, hashOf(...later)]), { file, firstSeq: 12 }),
    { code: 'FORMAT_UNKNOWN', message: /format 2; this program reads 1/ },
  )
})

test('segments are listed by rising seq, snapshots by falling, and nothing else is', () => {
  for (const seq of [300, 2, 10]) {
    writeFileSync(segmentFile(folder, seq), '')
    writeFileSync(snapshotFile(folder, seq), '')
  }
  for (const name of ['1.seg', '00000000000000001.seg', '0000000000000001.seg.x.tmp', 'x.snap'])
    writeFileSync(join(folder, name), '')
  assert.deepEqual(
    listSegments(folder).map(({ firstSeq }) => firstSeq),
    [2, 10, 300],
  )
  assert.deepEqual(
    listSnapshots(folder).map(({ seq }) => seq),
    [300, 10, 2],
  )
  assert.equal(listSnapshots(folder)[0]!.file, join(folder, '0000000000000300.snap'))
})

test('a mark: OPMARK01, seq, seal of the frame, seal; two slots of 512 bytes in turn', () => {
  const slot = (seq: number, seal: Buffer) => {
    const parts = [Buffer.from('OPMARK01'), u64(seq), seal]
    const used = Buffer.concat([...parts, hashOf(...parts)])
    return Buffer.concat([used, Buffer.alloc(512 - used.length)])
  }
  assert.deepEqual(encodeMark({ seq: 9, seal: before }), slot(9, before))
  assert.deepEqual([0, 1, 2, 3].map(markOffset), [0, 512, 0, 512])
  const read = (...slots: readonly Buffer[]) => {
    writeFileSync(markFile(folder), Buffer.concat(slots))
    return readMark(folder)
  }
  assert.equal(readMark(folder), null)
  assert.deepEqual(read(slot(9, before), slot(8, other)), { seq: 9, seal: before })
  assert.deepEqual(read(slot(9, before), slot(10, other)), { seq: 10, seal: other })
  assert.deepEqual(read(slot(9, before), Buffer.alloc(512)), { seq: 9, seal: before })
  assert.deepEqual(read(Buffer.alloc(512), slot(7, other)), { seq: 7, seal: other })
  // The last slot may end with what it uses: the file is as long as what was written.
  assert.deepEqual(read(slot(1, other), slot(7, before).subarray(0, 80))?.seq, 7)
  assert.deepEqual(read(slot(1, other), slot(7, before).subarray(0, 79))?.seq, 1)
  for (let at = 0; at < 80; at++) {
    const damaged = slot(9, before)
    damaged[at]! ^= 1
    assert.equal(read(damaged, Buffer.alloc(512)), null)
  }
})

test('a mark that cannot be read is a fault, not a missing one', () => {
  const notFolder = join(folder, 'file')
  writeFileSync(notFolder, '')
  assert.throws(() => readMark(notFolder), { code: 'ENOTDIR' })
})

test('a sealed file: OPSEALED, format, length of the facts, facts, content, seal', () => {
  const facts = Buffer.from('{"seq":7}')
  const content = Buffer.from('content')
  const parts = [Buffer.from('OPSEALED'), u32(1), u32(facts.length), facts, content]
  const bytes = Buffer.concat([...parts, hashOf(...parts)])
  assert.deepEqual(Buffer.concat(encodeSealed({ seq: 7 }, content)), bytes)
  assert.deepEqual(decodeSealed('x', bytes), { facts: { seq: 7 }, content })
  const file = join(folder, 'x')
  const factsOf = (written: Buffer) => {
    writeFileSync(file, written)
    return readFacts(file)
  }
  assert.deepEqual(factsOf(bytes), { seq: 7 })
  // Facts are read without what follows them, and are null when they are not whole.
  assert.deepEqual(factsOf(bytes.subarray(0, 16 + facts.length)), { seq: 7 })
  for (const length of [0, 8, 15, 16, 15 + facts.length])
    assert.equal(factsOf(bytes.subarray(0, length)), null)
  assert.equal(factsOf(Buffer.concat([Buffer.from('OPSEALEd'), bytes.subarray(8)])), null)
  const later = [Buffer.from('OPSEALED'), u32(2), u32(0)]
  assert.throws(() => decodeSealed('x', Buffer.concat([...later, hashOf(...later)])), {
    code: 'FORMAT_UNKNOWN',
    message: 'x has format 2',
  })
  const empty = [Buffer.from('OPSEALED'), u32(1), u32(2), Buffer.from('{}')]
  const least = Buffer.concat([...empty, hashOf(...empty)])
  assert.deepEqual(decodeSealed('x', least), { facts: {}, content: Buffer.alloc(0) })
})
