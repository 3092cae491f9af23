// Sends a `Tick` when the core has due work and no other command would run it in time. Releases,
// slices, scheduled cancels and funding therefore also happen on an idle exchange. The core runs
// due work with its own times, so one late tick covers several of them. While time is frozen
// nothing falls due.
//
// If a command has left work unfinished because of its limits, that work is due immediately. Until
// it is complete, one tick is kept in the queue behind the waiting commands.

import { Overloaded } from '../sequencer/not-taken.ts'
import type { SourceExchange } from './exchange-port.ts'
import { realTimers, type Timers } from './timers.ts'

/** Maximum timer in ms. Longer waits are split, so that a moved clock is noticed. */
const waitMsMax = 1_000
/** Minimum timer in ms, more than the time by which timers may fire early. */
const waitMsMin = 1

type Clock = Readonly<{
  now(): number
  isHeld: boolean
  /** Whether an advance is in progress, which submits the commands of each instant itself. */
  isWalked?: boolean
}>

export type WakerParts = Readonly<{
  exchange: Pick<SourceExchange, 'submit' | 'view'>
  clock: Clock
  /** Called when the queue no longer accepts commands, so that the waker stops. */
  fault: (error: unknown) => void
  timers?: Timers
}>

export class Waker {
  private readonly parts: WakerParts
  private readonly timers: Timers
  private clear: (() => void) | null = null
  private armedFor = Number.POSITIVE_INFINITY
  private ticking = false
  private closed = false

  constructor(parts: WakerParts) {
    this.parts = parts
    this.timers = parts.timers ?? realTimers
  }

  /** Sets the timer again. Called after every batch and when the clock was moved. Cheap if nothing
   *  has changed. */
  rearm(): void {
    const { exchange, clock } = this.parts
    if (this.closed || this.ticking) return
    if (this.hasWorkLeft()) return this.tick()
    const due = clock.isHeld ? Number.POSITIVE_INFINITY : exchange.view.nextDueAt
    if (due === this.armedFor && this.clear !== null) return
    this.disarm()
    if (due === Number.POSITIVE_INFINITY) return
    this.armedFor = due
    const wait = Math.max(waitMsMin, Math.min(waitMsMax, due - clock.now()))
    this.clear = this.timers.after(wait, () => this.wake())
  }

  close(): void {
    this.closed = true
    this.disarm()
  }

  private disarm(): void {
    this.clear?.()
    this.clear = null
    this.armedFor = Number.POSITIVE_INFINITY
  }

  private hasWorkLeft(): boolean {
    const { exchange, clock } = this.parts
    return clock.isWalked !== true && exchange.view.hasWorkLeft
  }

  private wake(): void {
    const { exchange, clock } = this.parts
    this.clear = null
    if (this.closed) return
    if (clock.isHeld || clock.now() < exchange.view.nextDueAt) return this.rearm()
    this.tick()
  }

  private tick(): void {
    this.disarm()
    this.ticking = true
    this.parts.exchange.submit({ type: 'Tick' }).then(
      () => {
        this.ticking = false
        this.rearm()
      },
      (error: unknown) => this.refused(error),
    )
  }

  /** Handles a refusal by a full queue. Each queued command runs due work like a tick, and the
   *  waker is armed again after the next batch. */
  private refused(error: unknown): void {
    this.ticking = false
    if (error instanceof Overloaded) return
    this.close()
    this.parts.fault(error)
  }
}
