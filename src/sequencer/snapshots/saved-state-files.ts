// Saved states of a sandbox as sealed files, named by seq and id. Beyond the maximum the oldest
// state is removed from the list. Its file is deleted later, when no recovery can need it: a
// recovery may start from an older snapshot and replay a revert to the state.

import { readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClosedState, viewOf } from '../../core/index.ts'
import { decodeSealed, readFacts, writeSealed } from '../../journal/sealed-file.ts'
import type { SavedFacts, SavedState, SavedStates } from '../ports.ts'
import type { Replica } from '../replica/replica.ts'
import { openState, sealState } from './sealed-state.ts'

export const savedStatesMax = 64
/** Maximum size of a state that is encoded in this thread, which takes some milliseconds. Larger
 *  states are encoded in another thread. */
const smallMax = 5_000

/** `pinned`: id of a state that does not count towards the maximum, and is not removed. */
export type SavedStateOptions = Readonly<{ keptMax?: number; smallMax?: number; pinned?: string }>

/** Writes the file of a large state in another thread, from the journal. */
export type SaveElsewhere = (file: string, facts: SavedFacts) => Promise<void>

type SavedFile = {
  readonly file: string
  readonly facts: SavedFacts
  usedAt: number
  /** Whether a revert to an older state has undone it. */
  undone: boolean
}

export class SavedStateFiles implements SavedStates {
  readonly place: string
  private readonly keptMax: number
  private readonly smallMax: number
  private readonly pinned: string | null
  private saveElsewhere: SaveElsewhere | null = null
  /** Saved states, oldest first. */
  private files: SavedFile[]

  constructor(folder: string, options: SavedStateOptions = {}) {
    this.place = folder
    this.keptMax = options.keptMax ?? savedStatesMax
    this.smallMax = options.smallMax ?? smallMax
    this.pinned = options.pinned ?? null
    this.files = readdirSync(folder)
      .sort()
      .flatMap((name) => savedFileOf(folder, name))
  }

  /** Called after recovery. An earlier process may have used saved states up to this seq. From now
   *  on large states are saved in another thread, because trading must not wait. */
  start(replica: Pick<Replica, 'seq' | 'isUndone'>, saveElsewhere: SaveElsewhere): void {
    for (const file of this.files) {
      file.usedAt = Math.min(file.usedAt, replica.seq)
      file.undone = replica.isUndone(file.facts.seq)
    }
    this.saveElsewhere = saveElsewhere
  }

  list(): readonly SavedFacts[] {
    return this.kept().map(({ facts }) => facts)
  }

  has(id: string, seq?: number): boolean {
    if (seq === undefined) return this.kept().some(({ facts }) => facts.id === id)
    return this.files.some(({ facts }) => facts.id === id && facts.seq === seq)
  }

  async save(facts: SavedFacts, state: ClosedState): Promise<void> {
    const file = join(this.place, `${`${facts.seq}`.padStart(16, '0')}-${facts.id}.snap`)
    const { orders, accounts } = viewOf(state)
    const size = Math.max(orders.count, accounts.count)
    if (size <= this.smallMax || this.saveElsewhere === null)
      await writeSealed(file, facts, sealState(state))
    else await this.saveElsewhere(file, facts)
    this.files.push({ file, facts, usedAt: facts.seq, undone: false })
    this.files.sort((one, other) => one.facts.seq - other.facts.seq)
  }

  async load(id: string, before = Number.POSITIVE_INFINITY): Promise<SavedState | undefined> {
    const candidates = before === Number.POSITIVE_INFINITY ? this.kept() : this.files
    const found = candidates.findLast(({ facts }) => facts.id === id && facts.seq < before)
    if (found === undefined) return undefined
    const { facts, content } = decodeSealed<SavedFacts>(found.file, await readFile(found.file))
    return { facts, state: openState(content) }
  }

  used(id: string, seq: number): void {
    const found = this.files.findLast(({ facts }) => facts.id === id && facts.seq < seq)
    if (found === undefined) return
    found.usedAt = seq
    for (const file of this.files)
      if (file.facts.seq > found.facts.seq && file.facts.seq < seq) file.undone = true
  }

  /** Deletes files that were removed from the list and that no recovery from `seq` on needs. */
  async prune(seq: number): Promise<void> {
    const kept = new Set(this.kept())
    const gone = this.files.filter((file) => !kept.has(file) && file.usedAt <= seq)
    this.files = this.files.filter((file) => !gone.includes(file))
    for (const { file } of gone) await rm(file, { force: true })
  }

  private kept(): readonly SavedFile[] {
    const files = this.files.filter(({ undone }) => !undone)
    const isPinned = ({ facts }: SavedFile) => facts.id === this.pinned
    const others = files.filter((file) => !isPinned(file))
    return [...files.filter(isPinned), ...others.slice(-this.keptMax)]
  }
}

const namePattern = /^(\d{16})-([\w-]+)\.snap$/

/** Describes a saved state file; returns nothing for other names. `seq` and `id` come from the
 *  name, so that a damaged file can still be identified. */
function savedFileOf(folder: string, name: string): readonly SavedFile[] {
  const [, seq, id] = namePattern.exec(name) ?? []
  if (seq === undefined || id === undefined) return []
  const file = join(folder, name)
  const { atMs, createdAt } = readFacts<SavedFacts>(file) ?? { atMs: 0, createdAt: 0 }
  const facts = { id, seq: Number.parseInt(seq, 10), atMs, createdAt, sources: '' }
  return [{ file, facts, usedAt: Number.POSITIVE_INFINITY, undone: false }]
}
