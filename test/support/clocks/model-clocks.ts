// The clocks of the model: true time, which no process knows, and what each process reads.

import type { Random } from '../../programs/differential/random.ts'

const second = 1_000
const minute = 60 * second

export class TrueTime {
  now: number

  constructor(now: number) {
    this.now = now
  }
}

/** The clocks of one machine: a wall clock that is off by a skew, which changes in steps, and a
 *  monotonic clock. */
export class MachineClocks {
  skewMs = 0
  private readonly time: TrueTime
  private readonly bootedAt: number

  constructor(time: TrueTime, random: Random) {
    this.time = time
    this.bootedAt = time.now - random.below(1_000 * minute) - random.next()
  }

  wall = (): number => this.time.now + this.skewMs

  steady = (): number => this.time.now - this.bootedAt

  /** Mostly right again, else off by anything from part of a second to hours. */
  step(random: Random): void {
    const kind = random.weighted({ right: 5, slight: 2, tolerated: 2, minute: 4, hours: 0.3 })
    const most = { right: 0, slight: 900, tolerated: 2_000, minute, hours: 300 * minute }[kind]
    this.skewMs = random.between(-most, most)
  }
}

/** What passes between two things that happen: mostly little, sometimes longer than any window. */
export function drawPause(random: Random): number {
  const kind = random.weighted({ none: 30, short: 60, some: 8, long: 0.2 })
  if (kind === 'none') return 0
  if (kind === 'short') return random.below(200)
  return kind === 'some' ? random.below(5 * second) : random.below(15 * minute)
}
