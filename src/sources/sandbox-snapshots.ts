// The snapshots of a sandbox, and the state of its start, to which a reset returns. The sequencer
// saves and restores the exchange; this file adds the sources and the clock.

import type { SourceMemory } from '../sequencer/ports.ts'
import type { SandboxClock } from './clock.ts'
import type { SourceExchange } from './exchange-port.ts'
import { numberOf } from './sandbox-memory.ts'

/** Maximum number of snapshots. Older ones are dropped. */
export const snapshotsKept = 64
/** Id of the state of a new sandbox, to which a reset returns. */
export const startId = 'start'

export type SavedSnapshot = Readonly<{ id: string; seq: number; atMs: number; createdAt: number }>

type Parts = Readonly<{
  exchange: SourceExchange
  clock: SandboxClock
  clockMoved?: () => void
  snapshots?: readonly SavedSnapshot[]
}>

export class SandboxSnapshots {
  /** Resolves when the current revert is complete. Changes of prices or money wait for it. */
  reverting: Promise<unknown> = Promise.resolve()
  private readonly parts: Parts
  private readonly sources: SourceMemory
  private readonly saved: SavedSnapshot[]
  private keepsStart: boolean

  constructor(parts: Parts, sources: SourceMemory) {
    this.parts = parts
    this.sources = sources
    const { snapshots = [] } = parts
    this.saved = snapshots.filter(({ id }) => id !== startId)
    this.keepsStart = this.saved.length < snapshots.length
  }

  list(): readonly SavedSnapshot[] {
    return this.saved
  }

  async save(): Promise<SavedSnapshot> {
    const { exchange, clock } = this.parts
    const id = `s${numberOf(this.saved.at(-1)) + 1}`
    const { seq, atMs } = await exchange.takeSnapshot(id, this.sources.save())
    const snapshot = { id, seq, atMs, createdAt: clock.wallNow() }
    this.saved.push(snapshot)
    if (this.saved.length > snapshotsKept) this.saved.shift()
    return snapshot
  }

  /** Returns `false` if the snapshot does not exist. */
  async revert(id: string): Promise<boolean> {
    const at = this.saved.findIndex((snapshot) => snapshot.id === id)
    return at >= 0 && (await this.goBack(id, at + 1))
  }

  async keepStart(): Promise<void> {
    if (this.keepsStart) return
    await this.parts.exchange.takeSnapshot(startId, this.sources.save())
    this.keepsStart = true
  }

  /** Returns `false` if the state of the start was not kept. */
  async reset(): Promise<boolean> {
    return this.keepsStart && (await this.goBack(startId, 0))
  }

  /** `kept`: number of snapshots that were saved before. Later ones belong to the discarded
   *  timeline. */
  private async goBack(id: string, kept: number): Promise<boolean> {
    const { exchange, clock } = this.parts
    const reverted = exchange.revert(id)
    // The caller reports a failure.
    this.reverting = reverted.catch(() => undefined)
    const text = await reverted
    if (text === undefined) return false
    this.saved.splice(kept)
    this.sources.restore(text)
    const { atMs, clockFrozen } = exchange.view
    clock.setBack(atMs, clockFrozen)
    this.parts.clockMoved?.()
    return true
  }
}
