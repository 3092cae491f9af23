// How far ahead of true time the memory of signed texts may ever have been emptied, worked out
// another way than by the clock of the stamps: from the true skews of whichever machine led. A
// fresh text that expires later than this has no excuse for being expired.

const windowMs = 610_000
const jumpMs = 1_000

type Stretch = Readonly<{ from: number; skewMs: number }>

export class LockOutLimit {
  /** The highest time that a stamp may have had. */
  reached = 0
  /** Skews of the process that leads, each as it was read from a moment on, oldest first. */
  private stretches: Stretch[] = []
  private ledFrom = 0
  /** How far the process before was ahead. Stamps go on from there, never past a wall clock. */
  private inherited = 0

  /** Another process leads: nothing is known of its clock from before. */
  led(now: number, skewMs: number): void {
    this.stretches = [{ from: now, skewMs }]
    this.ledFrom = now
    this.inherited = this.reached - now
  }

  /** A signed request comes, and the process that leads looks at its clock. A step that was taken
   *  back before anything looked has not happened. */
  read(now: number, skewMs: number): void {
    if (this.stretches.at(-1)!.skewMs !== skewMs) this.stretches.push({ from: now, skewMs })
    const inTime = (at: number) => at >= now - windowMs
    // A skew from before the time in question holds until the next one.
    while (this.stretches.length > 1 && !inTime(this.stretches[1]!.from)) this.stretches.shift()
    const skews = this.stretches.map(({ skewMs }) => skewMs)
    const least = Math.min(...skews)
    const isFresh = now - this.ledFrom < windowMs
    const followed = skewMs - least > jumpMs ? least : skewMs
    const ahead = isFresh ? Math.min(skewMs, this.inherited) : followed
    this.reached = Math.max(this.reached, now + ahead)
  }
}
