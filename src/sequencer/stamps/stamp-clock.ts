// The stamps of signed commands (CORE-6): the wall time that decides when the replay guard forgets
// signed requests. A stamp is never smaller than the previous one and never ahead of the wall
// clock. After a jump of the wall clock it follows only when all requests that were valid before
// the jump have expired.

export type Clocks = Readonly<{
  /** Milliseconds since 1970. */
  wall(): number
  /** Milliseconds of a clock that is never set. */
  steady(): number
}>

export const processClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() }

/** The longest validity window of a signed request plus its tolerance. */
export const jumpHoldMs = 610_000
/** Maximum increase of wall clock minus steady clock that does not count as a jump. */
const jumpMsMax = 1_000
/** Values that are closer together than this are stored as the smallest of them, to limit their
 *  number. */
const sampleMs = 1_000

/** A value of wall clock minus steady clock, with the times of its first and last reading. */
type Offset = { readonly value: number; readonly from: number; until: number }

export class StampClock {
  private readonly clocks: Clocks
  private readonly begunAt: number
  private readonly begunWith: number
  private newest: number
  /** Offsets of the last 610 s that are smaller than all later ones, oldest first. */
  private offsets: Offset[] = []

  /** `newest`: the newest stamp in history. */
  constructor(clocks: Clocks, newest: number) {
    this.clocks = clocks
    this.begunAt = clocks.steady()
    this.begunWith = newest
    this.newest = newest
    // Records the first offset.
    this.next()
  }

  /** Returns the wall clock in whole milliseconds. Every signed request reads it, so that a jump is
   *  detected even while no request is within its window. */
  wallNow(): number {
    const wall = Math.floor(this.clocks.wall())
    const steady = this.clocks.steady()
    this.smallestOffset(wall - steady, steady)
    return wall
  }

  /** Returns the stamp of a command that is being sequenced. */
  readonly next = (): number => {
    const wall = Math.floor(this.clocks.wall())
    const steady = this.clocks.steady()
    const smallest = this.smallestOffset(wall - steady, steady)
    const stamp = Math.min(wall, Math.floor(this.candidate(wall, steady, smallest)))
    this.newest = Math.max(this.newest, stamp)
    return this.newest
  }

  private candidate(wall: number, steady: number, smallest: number): number {
    const sinceStart = steady - this.begunAt
    if (sinceStart < jumpHoldMs) return this.begunWith + sinceStart
    return wall - steady - smallest > jumpMsMax ? steady + smallest : wall
  }

  /** Smallest offset of the last 610 s, including this one. A value counts until the next
   *  reading. */
  private smallestOffset(value: number, now: number): number {
    const { offsets } = this
    const last = offsets.at(-1)
    if (last !== undefined) last.until = now
    while (offsets.length > 0 && offsets.at(-1)!.value >= value) offsets.pop()
    const before = offsets.at(-1)
    if (before === undefined || now - before.from >= sampleMs)
      offsets.push({ value, from: now, until: now })
    while (offsets[0]!.until < now - jumpHoldMs) offsets.shift()
    return offsets[0]!.value
  }
}
