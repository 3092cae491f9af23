// The leader's sequencer as another process sees it. What is submitted here goes over the link of
// the day, and is answered once it is part of what this process has, so that whoever asks
// afterwards finds what he did.

import type { Command, ExchangeView } from '../../core/index.ts'
import { EntryWriter } from '../codec.ts'
import type { By } from '../entry.ts'
import { NobodyLeads } from '../not-taken.ts'
import type { Batch, Outcome } from '../outcome.ts'
import type { Sequencing } from '../sequencing.ts'
import type { Calls } from './calls.ts'
import type { Followed } from './followed.ts'
import type { LeaderLink } from './leader-link.ts'

/** What this process asks of the leader besides commands. */
export type Asking = Pick<Calls, 'ask' | 'tell'>

export class RemoteSequencer implements Sequencing {
  /** Of whoever leads when it is asked. */
  readonly calls: Asking = {
    ask: (name, ...args) => this.link?.calls.ask(name, ...args) ?? Promise.reject(nobody()),
    tell: (name, ...args) => this.link?.calls.tell(name, ...args),
  }
  private readonly followed: Followed
  private readonly writer = new EntryWriter()
  private link: LeaderLink | null = null

  constructor(followed: Followed) {
    this.followed = followed
  }

  get view(): ExchangeView {
    return this.followed.view
  }

  get seq(): number {
    return this.followed.seq
  }

  get waitingCount(): number {
    return this.link?.waitingCount ?? 0
  }

  /** Whether somebody leads who can be reached. */
  get isLed(): boolean {
    return this.link !== null
  }

  async ask(command: Command, by: By | null = null, mayPass = false): Promise<Outcome> {
    if (this.link === null) throw nobody()
    return this.link.submit(this.writer.command(command, by), mayPass)
  }

  reached(seq: number, waitMs: number): Promise<boolean> {
    return this.followed.reached(seq, waitMs)
  }

  onBatch(listener: (batch: Batch) => void): () => void {
    return this.followed.onBatch(listener)
  }

  /** Follows over this link, which stands where we do, until it is lost; rejects with why. */
  async followOver(link: LeaderLink): Promise<never> {
    this.link = link
    try {
      return await link.follow(this.followed)
    } finally {
      this.link = null
    }
  }
}

function nobody(): NobodyLeads {
  return new NobodyLeads('no node that leads can be reached')
}
