// Saved states of a sandbox as sealed files, named by seq and id. Beyond the bound the oldest is
// dropped from the list; its file goes only when no recovery can need it any more, because a revert
// to it may stand behind the snapshot that a recovery starts from.

import { readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { State } from '../core/engine.ts'
import { decodeState } from '../core/snapshot/decode.ts'
import { encodeState } from '../core/snapshot/encode.ts'
import { decodeSealed, readFacts, writeSealed } from '../journal/sealed-file.ts'
import type { SavedFacts, SavedState, SavedStates } from './ports.ts'

export const savedStatesMax = 64
/** Up to this size a state is encoded at once, in some milliseconds; beyond it elsewhere. */
const smallMax = 20_000

type SavedFile = { readonly file: string; readonly facts: SavedFacts; usedAt: number }

/** Writes the file of a large state from the journal, in another thread. */
export type SaveElsewhere = (file: string, facts: SavedFacts) => Promise<void>

export class SavedStateFiles implements SavedStates {
  private readonly folder: string
  private readonly keptMax: number
  private saveElsewhere: SaveElsewhere | null = null
  /** Oldest first. */
  private files: SavedFile[]

  constructor(folder: string, keptMax: number = savedStatesMax) {
    this.folder = folder
    this.keptMax = keptMax
    this.files = readdirSync(folder)
      .filter((name) => /^\d{16}-[\w-]+\.snap$/.test(name))
      .sort()
      .flatMap((name) => factsOf(join(folder, name)))
      .map(({ file, facts }) => ({ file, facts, usedAt: Number.POSITIVE_INFINITY }))
  }

  /** What was saved by a process before may have been used up to here, and not further. From now
   *  on trading must not wait: large states are saved elsewhere. */
  start(seq: number, saveElsewhere: SaveElsewhere): void {
    for (const file of this.files) file.usedAt = Math.min(file.usedAt, seq)
    this.saveElsewhere = saveElsewhere
  }

  list(): readonly SavedFacts[] {
    return this.kept().map(({ facts }) => facts)
  }

  has(id: string, seq?: number): boolean {
    if (seq === undefined) return this.kept().some(({ facts }) => facts.id === id)
    return this.files.some(({ facts }) => facts.id === id && facts.seq === seq)
  }

  async save(facts: SavedFacts, state: State): Promise<void> {
    const file = join(this.folder, `${`${facts.seq}`.padStart(16, '0')}-${facts.id}.snap`)
    const small = state.orders.slots.size <= smallMax && state.accounts.count <= smallMax
    if (small || this.saveElsewhere === null) await writeSealed(file, facts, encodeState(state))
    else await this.saveElsewhere(file, facts)
    this.files.push({ file, facts, usedAt: facts.seq })
    this.files.sort((one, other) => one.facts.seq - other.facts.seq)
  }

  async load(id: string, before = Number.POSITIVE_INFINITY): Promise<SavedState | undefined> {
    const candidates = before === Number.POSITIVE_INFINITY ? this.kept() : this.files
    const found = candidates.findLast(({ facts }) => facts.id === id && facts.seq < before)
    if (found === undefined) return undefined
    const { facts, content } = decodeSealed<SavedFacts>(found.file, await readFile(found.file))
    return { facts, state: decodeState(content) }
  }

  used(id: string, seq: number): void {
    const found = this.files.findLast(({ facts }) => facts.id === id && facts.seq < seq)
    if (found !== undefined) found.usedAt = seq
  }

  /** Removes what was dropped and is not needed by a recovery from `seq` on. */
  async prune(seq: number): Promise<void> {
    const dropped = new Set(this.files.slice(0, -this.keptMax))
    const gone = [...dropped].filter(({ usedAt }) => usedAt <= seq)
    this.files = this.files.filter((file) => !gone.includes(file))
    for (const { file } of gone) await rm(file, { force: true })
  }

  private kept(): readonly SavedFile[] {
    return this.files.slice(-this.keptMax)
  }
}

/** Empty when the head of the file is damaged: then nobody can ask for it by its id either. */
function factsOf(file: string): readonly Readonly<{ file: string; facts: SavedFacts }>[] {
  const facts = readFacts<SavedFacts>(file)
  return facts === null ? [] : [{ file, facts }]
}
