// How the journal takes its room on the disk, and when it says how far it is durable.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { FaultyDisk } from '../../test/support/faulty-disk.ts'
import { append } from '../../test/support/journal-records.ts'
import { readMark } from './durable-mark.ts'
import { sha256 } from './frame.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { JournalScan } from './scan-journal.ts'
import { listSegments } from './segment.ts'

const origin = sha256(Buffer.from('genesis'))
const mebibyte = 1_048_576
/** Of a segment, and of a frame with one record around it. */
const head = 88
const around = 92
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openperp-room-'))
})
afterEach(() => {
  mock.restoreAll()
  mock.timers.reset()
  rmSync(folder, { recursive: true, force: true })
})

async function open(options: Partial<JournalOptions> = {}): Promise<Journal> {
  const scan = new JournalScan(folder, { origin, after: 0, seal: null })
  for (const _ of scan.frames());
  return Journal.open(folder, scan.end, options)
}

const sizes = () => listSegments(folder).map(({ file }) => statSync(file).size)

test('a mebibyte of zeros is preallocated, and cut at the end', async () => {
  const added: number[] = []
  const journal = await open({ onBytes: (bytes) => added.push(bytes) })
  await append(journal, Buffer.alloc(8, 1))
  const first = head + around + 8
  assert.deepEqual(sizes(), [first + mebibyte])
  assert.deepEqual(added, [first - head + mebibyte])
  // To the last byte of it nothing is added, and with one more all of it again.
  await append(journal, Buffer.alloc(mebibyte - around, 2))
  assert.deepEqual(sizes(), [first + mebibyte])
  await append(journal, Buffer.alloc(1, 3))
  const third = first + mebibyte + around + 1
  assert.deepEqual(sizes(), [third + mebibyte])
  assert.deepEqual(added, [first - head + mebibyte, around + 1 + mebibyte])
  assert.ok(
    readFileSync(listSegments(folder)[0]!.file)
      .subarray(third)
      .every((byte) => byte === 0),
  )
  await journal.close()
  assert.deepEqual(sizes(), [third])
})

test('preallocation ends with the segment', async () => {
  const added: number[] = []
  const journal = await open({ segmentBytes: 1_000, onBytes: (bytes) => added.push(bytes) })
  await append(journal, Buffer.alloc(8))
  assert.deepEqual([sizes(), added], [[1_000], [1_000 - head]])
  await journal.close()
})

test('a segment has a maximum length, and a longer record one of its own', async () => {
  const added: number[] = []
  const rest = 1_000 - head - around
  const journal = await open({ segmentBytes: 1_000, onBytes: (bytes) => added.push(bytes) })
  await append(journal, Buffer.alloc(rest))
  assert.deepEqual(sizes(), [1_000])
  await append(journal, Buffer.alloc(2_000))
  assert.deepEqual(sizes(), [1_000, head + around + 2_000])
  await append(journal, Buffer.alloc(8))
  await append(journal, Buffer.alloc(rest - around - 8))
  assert.deepEqual(sizes(), [1_000, head + around + 2_000, 1_000])
  await append(journal, Buffer.alloc(0))
  assert.equal(sizes().length, 4)
  assert.deepEqual(
    listSegments(folder).map(({ firstSeq }) => firstSeq),
    [1, 2, 3, 5],
  )
  assert.deepEqual(added, [1_000 - head, around + 2_000, 1_000 - head, 1_000 - head])
  await journal.close()
  assert.equal(sizes()[3], head + around)
})

test('a segment is cut and durable before the next one has its name', async () => {
  const disk = new FaultyDisk()
  const journal = await open({ segmentBytes: 1_000, openFile: disk.open })
  await append(journal, Buffer.alloc(100))
  disk.calls.length = 0
  await append(journal, Buffer.alloc(900))
  const calls = disk.calls.filter((call) => call.endsWith('.seg')).map((call) => call.slice(0, -4))
  const [one, two] = ['0000000000000001', '0000000000000002']
  assert.deepEqual(calls, [
    `sync ${one}`,
    `write ${two}`,
    `sync ${two}`,
    `write ${two}`,
    `sync ${two}`,
  ])
  assert.equal(sizes()[0], head + around + 100)
  await journal.close()
})

test('a batch of nothing writes nothing', async () => {
  const journal = await open()
  await journal.append(Buffer.alloc(0), 0)
  assert.deepEqual([journal.seq, sizes()], [0, [head]])
  await journal.close()
})

test('the mark follows after 20 ms, and is synced once a second and at the end', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let now = 5_000
  mock.method(performance, 'now', () => now)
  const disk = new FaultyDisk()
  const marked = () => disk.calls.splice(0).filter((call) => call.endsWith('.mark'))
  const journal = await open({ openFile: disk.open })
  assert.deepEqual(marked(), ['write durable.mark', 'sync durable.mark'])
  const appendAfter = async (ms: number) => {
    now += ms
    await append(journal, Buffer.alloc(1))
    mock.timers.tick(19)
    for (let turns = 0; turns < 20; turns++) await turn()
    const early = marked()
    mock.timers.tick(1)
    while (readMark(folder)?.seq !== journal.seq) await turn()
    for (let turns = 0; turns < 20; turns++) await turn()
    return [early, marked()]
  }
  assert.deepEqual(await appendAfter(999), [[], ['write durable.mark']])
  assert.deepEqual(await appendAfter(1), [[], ['write durable.mark', 'sync durable.mark']])
  assert.deepEqual(await appendAfter(0), [[], ['write durable.mark']])
  await append(journal, Buffer.alloc(1))
  await journal.close()
  assert.deepEqual(marked(), ['write durable.mark', 'sync durable.mark'])
  assert.equal(readMark(folder)?.seq, 4)
})

test('a process that has lost the folder neither truncates nor marks it', async () => {
  const disk = new FaultyDisk()
  let lost = false
  const prove = () => {
    if (lost) throw new Error('no longer ours')
  }
  const journal = await open({ openFile: disk.open, prove })
  await append(journal, Buffer.alloc(1))
  lost = true
  disk.calls.length = 0
  const [before] = sizes()
  await journal.close()
  assert.deepEqual(disk.calls, [])
  assert.deepEqual(sizes(), [before])
  await assert.rejects(append(journal, Buffer.alloc(1)), /no longer ours/)
})

test('a closed journal says so', async () => {
  const journal = await open()
  await journal.close()
  await assert.rejects(append(journal, Buffer.alloc(1)), { code: 'JOURNAL_CLOSED' })
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [],
  )
})
