// The leader's sequencer, as seen by another process. Commands go over the current link, and are
// answered after this replica has applied them, so that a caller sees its own writes.

import type { Command, ExchangeView } from '../../core/index.ts'
import { EntryWriter } from '../codec.ts'
import type { By } from '../entry.ts'
import { NoLeader } from '../not-taken.ts'
import type { Batch, Outcome } from '../outcome.ts'
import type { Sequencing } from '../sequencing.ts'
import type { Calls } from './calls.ts'
import type { Followed } from './followed.ts'
import type { LeaderLink } from './leader-link.ts'

/** Calls of this process to the leader, except for commands. */
export type Asking = Pick<Calls, 'ask' | 'notify'>

export class RemoteSequencer implements Sequencing {
  /** Calls to the current leader. */
  readonly calls: Asking = {
    ask: (name, ...args) => this.link?.calls.ask(name, ...args) ?? Promise.reject(notReachable()),
    notify: (name, ...args) => this.link?.calls.notify(name, ...args),
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

  /** Whether there is a reachable leader. */
  get isLed(): boolean {
    return this.link !== null
  }

  async ask(command: Command, by: By | null = null, mayPass = false): Promise<Outcome> {
    if (this.link === null) throw notReachable()
    return this.link.submit(this.writer.command(command, by), mayPass)
  }

  reached(seq: number, waitMs: number): Promise<boolean> {
    return this.followed.reached(seq, waitMs)
  }

  onBatch(listener: (batch: Batch) => void): () => void {
    return this.followed.onBatch(listener)
  }

  /** Follows over this link until it is lost; rejects with the reason. The link must start at the
   *  position of this replica. */
  async followOver(link: LeaderLink): Promise<never> {
    this.link = link
    try {
      return await link.follow(this.followed)
    } finally {
      this.link = null
    }
  }
}

function notReachable(): NoLeader {
  return new NoLeader('no node that leads can be reached')
}
