// Engine time (ADR 11). A venue uses the machine's clock, made monotonic. A sandbox uses that clock
// plus an offset, or a fixed instant while frozen or during an advance. A sandbox with a manual
// clock is always frozen. Neither goes back, except that a revert sets the sandbox's clock back.

export type WallClock = () => number

export class VenueClock {
  private last: number
  private readonly wall: WallClock

  /** `lastAtMs`: the newest time in history. Engine time never goes below it, even if the machine's
   *  clock is set back. */
  constructor(wall: WallClock, lastAtMs: number) {
    this.wall = wall
    this.last = lastAtMs
  }

  /** Always false, because a venue's clock cannot be frozen. */
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
  /** Whether time moves only by an advance. */
  readonly isManual: boolean

  /** After a restart, continues at the newest time in history or at wall time, whichever is
   *  later. */
  constructor(wall: WallClock, lastAtMs: number, frozen: boolean, isManual = false) {
    this.wall = wall
    this.last = lastAtMs
    this.isManual = isManual
    this.offset = Math.max(0, lastAtMs - this.wallNow())
    this.held = frozen || isManual ? lastAtMs : null
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

  /** Whether time does not pass by itself, because it is frozen or controlled by an advance. */
  get isHeld(): boolean {
    return this.held !== null
  }

  /** Whether an advance is in progress, which submits the commands of each instant itself. */
  get isWalked(): boolean {
    return this.walked
  }

  beginWalk(atMs: number): void {
    this.holdAt(atMs)
    this.walked = true
  }

  endWalk(frozen: boolean): void {
    this.walked = false
    if (!frozen && !this.isManual) this.release()
  }

  /** Freezes time at an instant, which must not be before now. */
  holdAt(atMs: number): void {
    this.held = Math.max(this.now(), atMs)
  }

  /** Lets time pass again, starting at the current engine time. */
  release(): void {
    this.offset = this.now() - this.wallNow()
    this.held = null
  }

  /** After a restart, freezes time, so that nothing falls due until everything is restored. */
  holdFrom(atMs: number): void {
    this.last = atMs
    this.held = atMs
  }

  /** After a restart, continues from the frozen time, or at wall time if that is later. */
  goOn(): void {
    this.offset = Math.max(0, this.last - this.wallNow())
    this.held = null
  }

  /** Sets the clock back on a revert. No other operation sets it back. */
  setBack(atMs: number, frozen: boolean): void {
    this.last = atMs
    this.offset = atMs - this.wallNow()
    this.held = frozen || this.isManual ? atMs : null
  }
}
