// Engine time (ADR 11): in a venue the machine's clock made monotonic; in a sandbox that clock plus
// an offset, or held at an instant while frozen or during an advance. Neither goes back, except
// where a revert sets the sandbox's clock back.

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

  /** After a restart: continues at the newest time in history or at wall time, whichever is
   *  later. */
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

  /** How far engine time is ahead of wall time. */
  offsetMs(): number {
    return this.now() - this.wallNow()
  }

  /** Frozen, or controlled by an advance: time does not pass by itself. */
  get isHeld(): boolean {
    return this.held !== null
  }

  /** An advance is in progress, and submits the commands of each instant itself. */
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

  /** Lets time pass again, from where it is. */
  release(): void {
    this.offset = this.now() - this.wallNow()
    this.held = null
  }

  /** After a restart: nothing falls due until everything is restored. */
  holdFrom(atMs: number): void {
    this.last = atMs
    this.held = atMs
  }

  /** After a restart: continues from the held time, or at wall time if that is later. */
  goOn(): void {
    this.offset = Math.max(0, this.last - this.wallNow())
    this.held = null
  }

  /** Sets the clock back on a revert, which is the only way back. */
  setBack(atMs: number, frozen: boolean): void {
    this.last = atMs
    this.offset = atMs - this.wallNow()
    this.held = frozen ? atMs : null
  }
}
