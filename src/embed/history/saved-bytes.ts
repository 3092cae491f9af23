// Saved states as bytes, for revert. The same rules as on disk: beyond `kept` the oldest are
// dropped, and a revert drops what was saved after its snapshot.

import { type ClosedState, decodeState, encodeState } from '../../core/index.ts'
import { snapshotsKept } from '../../sources/sandbox.ts'

export type Saved = Readonly<{ id: string; seq: number; sources: string; bytes: Uint8Array }>

export class SavedBytes {
  private readonly saved = new Map<string, Saved>()

  /** Oldest first. */
  ids(): readonly string[] {
    return [...this.saved.keys()]
  }

  get(id: string): Saved | undefined {
    return this.saved.get(id)
  }

  save(id: string, seq: number, sources: string, state: ClosedState): void {
    this.saved.set(id, { id, seq, sources, bytes: encodeState(state) })
    const oldest = this.ids()[0]!
    if (this.saved.size > snapshotsKept) this.saved.delete(oldest)
  }

  /** Returns a separate copy of the state; states saved later are removed. */
  goBack({ bytes, seq }: Saved): ClosedState {
    for (const [id, each] of this.saved) if (each.seq > seq) this.saved.delete(id)
    return decodeState(bytes)
  }
}
