// Offset between the wall clocks of this process and the leader. The leader's wall clock is
// requested at every heartbeat; in between the monotonic clock is used, so that a step of the own
// wall clock shows immediately.

import { type Clocks, processClocks } from '../stamps/stamp-clock.ts'

/** A process that is further off accepts no signed requests. */
const offMsMax = 2_000

/** Leader's wall clock minus own monotonic clock: at least, at most. */
type Bounds = Readonly<{ least: number; most: number }>

export class LeaderClock {
  private readonly clocks: Clocks
  private leader: Bounds | null = null

  constructor(clocks: Clocks = processClocks) {
    this.clocks = clocks
  }

  /** `ask` returns the leader's wall clock, as it is some time between the call and the answer. */
  async compare(ask: () => Promise<number>): Promise<void> {
    const sentAt = this.clocks.steady()
    const wall = await ask()
    const answeredAt = this.clocks.steady()
    this.leader = { least: wall - answeredAt, most: wall - sentAt }
  }

  /** The leader has changed or is unknown. */
  forget(): void {
    this.leader = null
  }

  /** Why signed requests cannot be accepted; `null` if they can. */
  get fault(): string | null {
    const off = this.offMs
    const then = 'signed requests are not accepted here until it is right; use another node'
    if (off === null) return `the clock of this node is not yet compared with the leader's; ${then}`
    if (Math.abs(off) <= offMsMax) return null
    const seconds = (Math.abs(off) / 1_000).toFixed(1)
    const side = off > 0 ? 'ahead of' : 'behind'
    return `the clock of this node is ${seconds} s ${side} the leader's; ${then}`
  }

  /** How far ahead it is for certain, negative if behind; `null` if nothing is known. */
  private get offMs(): number | null {
    if (this.leader === null) return null
    const own = this.clocks.wall() - this.clocks.steady()
    const { least, most } = this.leader
    if (own > most) return own - most
    return own < least ? own - least : 0
  }
}
