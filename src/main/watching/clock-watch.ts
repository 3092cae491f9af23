// Logs problems of the clock of a venue's machine. Engine time never goes back (VenueClock). If the
// clock was ahead and is corrected, engine time stops until the clock reaches it.

import type { Logger } from 'pino'
import type { Timers } from '../../sources/timers.ts'

/** Check interval in ms, short enough to log a jump while its cause can still be found. */
const everyMs = 1_000
/** Smaller differences are ignored, because the time daemon corrects them. */
const noticedMs = 1_000

export type ClockWatchParts = Readonly<{
  engineNow: () => number
  wall: () => number
  monotonic: () => number
  log: Logger
  timers: Timers
}>

export class ClockWatch {
  private readonly parts: ClockWatchParts
  private seen: Readonly<{ wall: number; monotonic: number }>
  /** How far engine time was ahead when last logged; `null` if it is not ahead. */
  private loggedMs: number | null = null
  private clear: () => void = () => undefined

  constructor(parts: ClockWatchParts) {
    this.parts = parts
    this.seen = { wall: parts.wall(), monotonic: parts.monotonic() }
  }

  start(): void {
    this.check()
  }

  close(): void {
    this.clear()
  }

  private check(): void {
    const { wall, monotonic, timers } = this.parts
    const now = { wall: wall(), monotonic: monotonic() }
    const jumpMs = now.wall - this.seen.wall - (now.monotonic - this.seen.monotonic)
    this.seen = now
    this.noteJump(Math.round(jumpMs))
    this.noteAhead(Math.round(this.parts.engineNow() - now.wall))
    this.clear = timers.after(everyMs, () => this.check())
  }

  private noteJump(jumpMs: number): void {
    if (jumpMs <= noticedMs) return
    this.parts.log.warn(
      { jumpMs },
      `the clock of this machine went ${jumpMs} ms ahead, and engine time with it: it was set, ` +
        'or the machine was suspended',
    )
  }

  private noteAhead(aheadMs: number): void {
    const { log } = this.parts
    const { loggedMs } = this
    if (aheadMs > (loggedMs ?? 0) + noticedMs) {
      this.loggedMs = aheadMs
      log.warn(
        { aheadMs },
        `engine time is ${aheadMs} ms ahead of the clock of this machine, and stands still until ` +
          'the clock reaches it',
      )
    } else if (loggedMs !== null && aheadMs <= 0) {
      this.loggedMs = null
      log.info('the clock of this machine has reached engine time')
    }
  }
}
