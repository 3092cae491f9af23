// Histories on disk, damaged again and again: every damage is refused with a fault that says what
// to do, or what is recovered is exactly what was acknowledged. The hash after every acknowledged
// batch is known, so a silently different state cannot pass.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeMark, markFile } from '../../src/journal/durable-mark.ts'
import { decodeFrame } from '../../src/journal/frame.ts'
import { JournalFault } from '../../src/journal/journal-fault.ts'
import { segmentHeadLength } from '../../src/journal/segment.ts'
import { readDataFolder } from '../../src/sequencer/data-folder.ts'
import { recover } from '../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../src/sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { Random } from '../programs/differential/random.ts'
import { damageMiddle, damageOne, damageTail } from './damage.ts'
import { DiskHistory } from './disk-history.ts'

/** What came of all rounds. `wrong` must stay empty. */
export type DamageTally = { refused: number; harmless: number; cut: number; wrong: string[] }

type Found = Readonly<{ seq: number; hash: string }> | JournalFault

/** As a start does it. */
async function recovered(folder: string, requireMark = true): Promise<Found> {
  try {
    const opened = readDataFolder(folder)
    const saved = new SavedStateFiles(opened.saved)
    const { replica } = await recover(opened, { saved, requireMark })
    return { seq: replica.seq, hash: stateHash(replica.state) }
  } catch (error) {
    // Anything but a fault with its message is a finding of its own.
    if (error instanceof JournalFault) return error
    throw error
  }
}

/** A history with several segments, snapshots, and states saved and gone back to. */
async function writeHistory(seed: number): Promise<DiskHistory> {
  const history = new DiskHistory(seed, { keepHashes: true })
  const random = new Random(seed)
  await history.open({ journal: { segmentBytes: 6_000 } })
  await history.run(40, 1 + random.below(4))
  if (random.chance(0.5)) await history.data.snapshotNow()
  await history.run(30, 1 + random.below(4))
  const { sequencer } = history.data
  await sequencer.takeSnapshot('state', 'sources')
  history.note()
  await history.run(20, 2)
  if (random.chance(0.5)) await history.data.snapshotNow()
  if (random.chance(0.5)) await sequencer.revert('state')
  history.note()
  await history.run(20, 1 + random.below(8))
  await history.data.close({ snapshot: false })
  return history
}

class DamagedHistory {
  private readonly history: DiskHistory
  private readonly random: Random
  private readonly tally: DamageTally
  private readonly lastSeq: number

  constructor(history: DiskHistory, random: Random, tally: DamageTally) {
    this.history = history
    this.random = random
    this.tally = tally
    this.lastSeq = Math.max(...history.hashes!.keys())
  }

  /** Any file, in any way: refused, or all that was acknowledged is there. */
  async damageAnything(): Promise<void> {
    const { history, tally } = this
    const { what, undo } = damageOne(history.folder, this.random)
    const found = await recovered(history.folder).finally(undo)
    if (found instanceof JournalFault) {
      tally.refused++
      if (!/\//.test(found.message)) tally.wrong.push(`${what}: names no file: ${found.message}`)
    } else if (this.isAcknowledged(found, this.lastSeq)) tally.harmless++
    else tally.wrong.push(`${what}: seq ${found.seq}, ${found.hash}`)
  }

  /** Only what was never acknowledged: nothing is lost, and nothing is refused. */
  async damageTail(): Promise<void> {
    const { file, bytes } = this.lastSegment()
    const { what, undo } = damageTail(file, bytes.length, this.random)
    const found = await recovered(this.history.folder).finally(undo)
    if (!(found instanceof JournalFault) && this.isAcknowledged(found, this.lastSeq))
      this.tally.cut++
    else this.tally.wrong.push(`${what}: ${found instanceof Error ? found.message : found.seq}`)
  }

  /** The mark lags, as after a kill, and anything goes bad: refused, or a state that was once
   *  acknowledged and is not before the mark. */
  async damageBehindMark(): Promise<void> {
    const { history, tally } = this
    const marked = this.setMarkBack()
    const { what, undo } = damageOne(history.folder, this.random)
    const found = await recovered(history.folder).finally(() => {
      undo()
      marked.undo()
    })
    if (found instanceof JournalFault) tally.refused++
    else if (this.isAcknowledged(found, marked.seq)) tally.cut++
    else tally.wrong.push(`${what}, mark at ${marked.seq}: seq ${found.seq}, ${found.hash}`)
  }

  /** A frame with another behind it, and no mark: it must never be taken for a torn tail. */
  async damageMiddle(): Promise<void> {
    const { history, tally } = this
    const marked = this.setMarkBack(true)
    const damage = damageMiddle(this.lastSegment().file, this.random)
    const found = await recovered(history.folder, false).finally(() => {
      damage?.undo()
      marked.undo()
    })
    if (found instanceof JournalFault) tally.refused++
    else if (this.isAcknowledged(found, this.lastSeq)) tally.harmless++
    else tally.wrong.push(`${damage?.what}, without a mark: seq ${found.seq}, ${found.hash}`)
  }

  private isAcknowledged({ seq, hash }: Readonly<{ seq: number; hash: string }>, from: number) {
    return seq >= from && this.history.hashes!.get(seq) === hash
  }

  private lastSegment(): Readonly<{ file: string; bytes: Buffer }> {
    const journal = join(this.history.folder, 'journal')
    const name = readdirSync(journal).findLast((each) => each.endsWith('.seg'))!
    const file = join(journal, name)
    return { file, bytes: readFileSync(file) }
  }

  /** To the frame before the last, or to nothing. */
  private setMarkBack(lost = false): Readonly<{ seq: number; undo: () => void }> {
    const { bytes } = this.lastSegment()
    const file = markFile(join(this.history.folder, 'journal'))
    const whole = readFileSync(file)
    const seals: { seq: number; seal: Buffer }[] = []
    for (let at = segmentHeadLength; ; ) {
      const frame = decodeFrame(bytes, at)
      if (frame === undefined) break
      seals.push({ seq: frame.firstSeq + frame.count - 1, seal: frame.seal })
      at = frame.end
    }
    const back = lost ? undefined : seals.at(-2)
    writeFileSync(file, back === undefined ? Buffer.alloc(0) : encodeMark(back))
    return { seq: back?.seq ?? 0, undo: () => writeFileSync(file, whole) }
  }
}

export async function runDamageRounds(rounds: number, seed: number): Promise<DamageTally> {
  const tally: DamageTally = { refused: 0, harmless: 0, cut: 0, wrong: [] }
  const perHistory = Math.min(rounds, 250)
  for (let done = 0; done < rounds; done += perHistory) {
    const history = await writeHistory(seed + done)
    const damaged = new DamagedHistory(history, new Random(seed + done + 1), tally)
    for (let round = 0; round < Math.min(perHistory, rounds - done); round++) {
      if (round % 5 === 0) await damaged.damageTail()
      else if (round % 5 === 1) await damaged.damageBehindMark()
      else if (round % 10 === 2) await damaged.damageMiddle()
      else await damaged.damageAnything()
    }
    await history.end()
  }
  return tally
}
