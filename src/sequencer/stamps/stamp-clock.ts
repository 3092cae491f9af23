// The stamps of signed commands (CORE-6): the wall time by which the core forgets signed texts. A
// stamp is never smaller than the one before and never ahead of the wall clock. It does not follow
// a jump of the wall clock until every text has expired that was within its window before.

export type Clocks = Readonly<{
  /** Milliseconds since 1970. */
  wall(): number
  /** Milliseconds of a clock that is never set. */
  steady(): number
}>

export const processClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() }

/** The longest window of a text and its tolerance. */
export const jumpHoldMs = 610_000
/** Wall clock minus steady clock may rise by this much without being a jump. */
const jumpMsMax = 1_000
/** Values that are closer together count as the smallest of them, which limits their number. */
const sampleMs = 1_000

/** Wall clock minus steady clock, from the first to the last time that it was read. */
type Offset = { readonly value: number; readonly from: number; until: number }

export class StampClock {
  private readonly clocks: Clocks
  private readonly begunAt: number
  private readonly begunWith: number
  private newest: number
  /** Those of the last 610 s that are smaller than all later ones, oldest first. */
  private offsets: Offset[] = []

  /** `newest` is the newest stamp in history. */
  constructor(clocks: Clocks, newest: number) {
    this.clocks = clocks
    this.begunAt = clocks.steady()
    this.begunWith = newest
    this.newest = newest
    // The first offset.
    this.next()
  }

  /** The wall clock, in whole milliseconds. Every signed request reads it, so that a jump is seen
   *  also while no text is within its window. */
  wallNow(): number {
    const wall = Math.floor(this.clocks.wall())
    const steady = this.clocks.steady()
    this.smallestOffset(wall - steady, steady)
    return wall
  }

  /** The stamp of a command that gets its place in history now. */
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

  /** Offsets of the last 610 s, including this one. A value counts until the next one is read. */
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
