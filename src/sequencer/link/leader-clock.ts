// Offset between the wall clocks of this process and the leader. The leader's wall clock is
// requested at every heartbeat. In between the monotonic clock is used, so that a step of this
// process's wall clock is detected immediately.

import { type Clocks, processClocks } from '../stamps/stamp-clock.ts'

/** With a larger offset than this, in ms, a process accepts no signed requests. */
const offMsMax = 2_000

/** Bounds of the leader's wall clock minus the local monotonic clock. */
type Bounds = Readonly<{ least: number; most: number }>

export class LeaderClock {
  private readonly clocks: Clocks
  private leader: Bounds | null = null

  constructor(clocks: Clocks = processClocks) {
    this.clocks = clocks
  }

  /** Compares the clocks. `ask` returns the leader's wall clock, read between the call and the
   *  answer. */
  async compare(ask: () => Promise<number>): Promise<void> {
    const sentAt = this.clocks.steady()
    const wall = await ask()
    const answeredAt = this.clocks.steady()
    this.leader = { least: wall - answeredAt, most: wall - sentAt }
  }

  /** Forgets the offset, because the leader has changed or is unknown. */
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

  /** Minimum offset of the local wall clock that the bounds prove, negative if it is behind; `null`
   *  if unknown. */
  private get offMs(): number | null {
    if (this.leader === null) return null
    const own = this.clocks.wall() - this.clocks.steady()
    const { least, most } = this.leader
    if (own > most) return own - most
    return own < least ? own - least : 0
  }
}
