// The interface for submitting commands and listening to batches. It is implemented by the
// sequencer of this process, and by the remote access to the leader's sequencer.

import type { Command, ExchangeView } from '../core/index.ts'
import type { By } from './entry.ts'
import type { Batch, Outcome } from './outcome.ts'

export type Sequencing = {
  /** View of the durable state. A revert replaces the object. */
  readonly view: ExchangeView
  /** The newest entry that is part of `view`. */
  readonly seq: number
  /** Number of commands that were not yet sent to the journal. */
  readonly waitingCount: number
  /** Submits a command; resolves when it is durable and part of `view`. Rejected if the wait would
   *  be too long, unless the command cancels. `mayPass`: a cancel may overtake commands of other
   *  accounts. */
  ask(command: Command, by?: By | null, mayPass?: boolean): Promise<Outcome>
  /** Waits for an entry; returns whether it is part of `view` within `waitMs`. */
  reached(seq: number, waitMs: number): Promise<boolean>
  /** Adds a listener, which must read what it needs of a batch before it returns. */
  onBatch(listener: (batch: Batch) => void): () => void
}
