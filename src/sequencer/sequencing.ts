// The interface for submitting commands and listening to batches: the sequencer of this process, or
// the leader's as seen by another process of the exchange.

import type { Command, ExchangeView } from '../core/index.ts'
import type { By } from './entry.ts'
import type { Batch, Outcome } from './outcome.ts'

export type Sequencing = {
  /** Everything in it is durable. Another object after a revert. */
  readonly view: ExchangeView
  /** The newest entry that is part of it. */
  readonly seq: number
  /** Commands that are not yet on their way to the disk. */
  readonly waitingCount: number
  /** Resolves when the command is durable and part of `view`. Refused when it would wait too long,
   *  unless it cancels. `mayPass`: a cancel may come before commands of others. */
  ask(command: Command, by?: By | null, mayPass?: boolean): Promise<Outcome>
  /** Whether the entry is part of `view` within `waitMs`. */
  reached(seq: number, waitMs: number): Promise<boolean>
  /** The listener must read what it needs of a batch before it returns. */
  onBatch(listener: (batch: Batch) => void): () => void
}
