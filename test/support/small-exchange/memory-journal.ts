// The journal, the saved states and the source memory of an exchange in memory. Nothing is
// persisted.

import { type ClosedState, decodeState, encodeState } from '../../../src/core/index.ts'
import type {
  Journal,
  SavedFacts,
  SavedState,
  SavedStates,
  SourceMemory,
} from '../../../src/sequencer/ports.ts'

/** A journal that stores nothing. */
export const memoryJournal: Journal = {
  // Resolves in a later turn of the event loop, as the port requires: replies read a batch's events
  // before the next batch overwrites them.
  append: () => new Promise((done) => setImmediate(done)),
  close: () => Promise.resolve(),
}

export const forgetfulSources: SourceMemory = { save: () => '', restore: () => undefined }

export class MemorySavedStates implements SavedStates {
  readonly place = 'memory'
  private readonly kept: number
  private readonly saved = new Map<string, { facts: SavedFacts; bytes: Uint8Array }>()

  constructor(kept = 64) {
    this.kept = kept
  }

  list(): readonly SavedFacts[] {
    return [...this.saved.values()].map(({ facts }) => facts)
  }

  has(id: string, seq?: number): boolean {
    const found = this.saved.get(id)
    return found !== undefined && (seq === undefined || found.facts.seq === seq)
  }

  async save(facts: SavedFacts, state: ClosedState): Promise<void> {
    this.saved.set(facts.id, { facts, bytes: encodeState(state) })
    for (const id of this.saved.keys()) {
      if (this.saved.size <= this.kept) break
      this.saved.delete(id)
    }
  }

  async load(id: string): Promise<SavedState | undefined> {
    const found = this.saved.get(id)
    return found && { facts: found.facts, state: decodeState(found.bytes) }
  }

  used(id: string): void {
    const seq = this.saved.get(id)?.facts.seq ?? 0
    for (const [other, { facts }] of this.saved) if (facts.seq > seq) this.saved.delete(other)
  }
}
