// Engine time (ADR 11): the machine's clock made monotone in a venue; in a sandbox that clock plus
// an offset, or held at an instant while frozen or while an advance walks through time. Neither
// ever gives a time before one it gave, except where a revert sets the sandbox's clock back.

export type WallClock = () => number

export class VenueClock {
  private last: number
  private readonly wall: WallClock

  /** `lastAtMs`: the newest time in history, which a machine clock set back must not undercut. */
  constructor(wall: WallClock, lastAtMs: number) {
    this.wall = wall
    this.last = lastAtMs
  }

  /** A venue's clock never stands still. */
  readonly isHeld = false

  now(): number {
    this.last = Math.max(this.last, Math.floor(this.wall()))
    return this.last
  }
}

export class SandboxClock {
  private readonly wall: WallClock
  private last: number
  private offset: number
  private held: number | null
  private walked = false

  /** After a restart: goes on at the newest time in history or at wall time, whichever is later. */
  constructor(wall: WallClock, lastAtMs: number, frozen: boolean) {
    this.wall = wall
    this.last = lastAtMs
    this.offset = Math.max(0, lastAtMs - this.wallNow())
    this.held = frozen ? lastAtMs : null
  }

  now(): number {
    this.last = Math.max(this.last, this.held ?? this.wallNow() + this.offset)
    return this.last
  }

  wallNow(): number {
    return Math.floor(this.wall())
  }

  /** How far engine time is ahead of wall time now. */
  offsetMs(): number {
    return this.now() - this.wallNow()
  }

  /** Frozen, or walked by an advance: time does not pass by itself. */
  get isHeld(): boolean {
    return this.held !== null
  }

  /** An advance walks through time, and brings the commands of each instant itself. */
  get isWalked(): boolean {
    return this.walked
  }

  beginWalk(atMs: number): void {
    this.holdAt(atMs)
    this.walked = true
  }

  endWalk(frozen: boolean): void {
    this.walked = false
    if (!frozen) this.release()
  }

  /** Holds time at an instant, which is not before now. */
  holdAt(atMs: number): void {
    this.held = Math.max(this.now(), atMs)
  }

  /** Time passes again, from where it is. */
  release(): void {
    this.offset = this.now() - this.wallNow()
    this.held = null
  }

  /** A restart: nothing falls due until everything stands as it stood. */
  holdFrom(atMs: number): void {
    this.last = atMs
    this.held = atMs
  }

  /** After a restart time goes on: from where it stood, or at wall time if that is later. */
  goOn(): void {
    this.offset = Math.max(0, this.last - this.wallNow())
    this.held = null
  }

  /** A revert: the one way back. */
  setBack(atMs: number, frozen: boolean): void {
    this.last = atMs
    this.offset = atMs - this.wallNow()
    this.held = frozen ? atMs : null
  }
}
