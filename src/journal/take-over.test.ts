import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { append } from '../../test/support/journal-records.ts'
import { removeUnfinished } from './atomic-file.ts'
import { type OpenFile, openDiskFile } from './disk-file.ts'
import { eachRecord, sha256 } from './frame.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { JournalScan } from './scan-journal.ts'
import { takeOverJournal } from './take-over.ts'

const origin = sha256(Buffer.from('genesis'))
const segmentBytes = 400
const record = (name: string, n: number) => Buffer.from(`${name}${n}`.padEnd(100, '.'))

function read(folder: string) {
  const scan = new JournalScan(folder, { origin, after: 0, seal: null })
  const names: string[] = []
  for (const frame of scan.frames())
    eachRecord(frame, (_, from, to) => {
      names.push(frame.bytes.toString('utf8', from, to).replaceAll('.', ''))
    })
  return { names, end: scan.end }
}

/** Called before and after every operation on a segment; the mark follows by itself. */
function watched(step: () => Promise<void>): OpenFile {
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    await step()
    const result = await work()
    await step()
    return result
  }
  return async (path) => {
    if (!path.includes('.seg')) return openDiskFile(path)
    const file = await around(() => openDiskFile(path))
    return {
      write: (parts, position) => around(() => file.write(parts, position)),
      sync: () => around(() => file.sync()),
      truncate: (length) => around(() => file.truncate(length)),
      close: () => around(() => file.close()),
    }
  }
}

/** A holder that rolls to its second segment, and another that takes over and rolls, too. */
class Scene {
  readonly folder = mkdtempSync(join(tmpdir(), 'openperp-take-over-'))
  acknowledged: string[] = []
  isLost = false

  open(options: Partial<JournalOptions>): Promise<Journal> {
    return Journal.open(this.folder, read(this.folder).end, { segmentBytes, ...options })
  }

  readonly prove = () => {
    if (this.isLost) throw new Error('no longer ours')
  }

  async write(journal: Journal, name: string, count: number): Promise<void> {
    for (let n = 1; n <= count; n++) {
      await append(journal, record(name, n))
      this.acknowledged.push(`${name}${n}`)
    }
  }

  async takeOver(): Promise<Journal> {
    this.isLost = true
    await takeOverJournal(this.folder)
    const journal = await this.open({})
    await this.write(journal, 'new', 5)
    return journal
  }

  /** What the new holder acknowledged is there after all, and nothing that comes after it. */
  async end(successor: Journal): Promise<void> {
    await this.write(successor, 'later', 5)
    await successor.close()
    const { names } = read(this.folder)
    const kept = names.filter((name) => this.acknowledged.includes(name))
    assert.deepEqual(kept, this.acknowledged)
    assert.ok(names.length <= this.acknowledged.length + 1, 'at most one was under way')
    rmSync(this.folder, { recursive: true })
  }
}

/** Paused at the given step of the writing that begins a segment. False: there is no such step. */
async function pausedAt(wanted: number): Promise<boolean> {
  const scene = new Scene()
  let steps = Number.NEGATIVE_INFINITY
  let successor: Journal | null = null
  const openFile = watched(async () => {
    if (steps++ === wanted) successor = await scene.takeOver()
  })
  const journal = await scene.open({ openFile, prove: scene.prove })
  await scene.write(journal, 'old', 2)
  steps = 0
  const rolling = scene.write(journal, 'rolled', 1)
  await rolling.catch((error: Error) => assert.match(error.message, /no longer ours/))
  const wasPaused = successor !== null
  assert.equal(scene.acknowledged.includes('rolled1'), !wasPaused)
  await journal.close()
  if (wasPaused) await scene.end(successor!)
  else rmSync(scene.folder, { recursive: true })
  return wasPaused
}

test('a process paused at any step of a new segment and replaced does no harm', async () => {
  let steps = 0
  while (await pausedAt(steps)) steps++
  assert.ok(steps >= 14, `${steps} steps`)
})

test('a segment that was about to get its name when the folder was lost gets none', async () => {
  const scene = new Scene()
  let proofs = Number.NEGATIVE_INFINITY
  const prove = () => {
    scene.prove()
    // The proof holds, and then everything happens before the next line runs.
    if (++proofs < 2) return
    removeUnfinished(scene.folder)
    scene.isLost = true
  }
  const journal = await scene.open({ prove })
  await scene.write(journal, 'old', 2)
  proofs = 0
  await assert.rejects(scene.write(journal, 'rolled', 1), /no longer ours/)
  await journal.close()
  assert.deepEqual(read(scene.folder).names, scene.acknowledged)
  rmSync(scene.folder, { recursive: true })
})
