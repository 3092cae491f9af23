// Saved states as bytes, for revert. The rules are the same as on disk: beyond the maximum the
// oldest states are dropped, except that of the start, and a revert drops states saved after its
// snapshot.

import { type ClosedState, decodeState, encodeState } from '../../core/index.ts'
import { snapshotsKept, startId } from '../../sources/sandbox-snapshots.ts'

export type Saved = Readonly<{ id: string; seq: number; sources: string; bytes: Uint8Array }>

export class SavedBytes {
  private readonly saved = new Map<string, Saved>()

  /** Ids, oldest first. */
  ids(): readonly string[] {
    return [...this.saved.keys()]
  }

  get(id: string): Saved | undefined {
    return this.saved.get(id)
  }

  save(id: string, seq: number, sources: string, state: ClosedState): void {
    this.saved.set(id, { id, seq, sources, bytes: encodeState(state) })
    const dropped = this.ids().filter((each) => each !== startId)
    if (dropped.length > snapshotsKept) this.saved.delete(dropped[0]!)
  }

  /** Returns a separate copy of the state, and removes states that were saved later. */
  goBack({ bytes, seq }: Saved): ClosedState {
    for (const [id, each] of this.saved) if (each.seq > seq) this.saved.delete(id)
    return decodeState(bytes)
  }
}
