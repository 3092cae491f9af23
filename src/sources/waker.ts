// Sends a `Tick` when the core has work due and no other command would run it in time, so that
// releases, slices, scheduled cancels and funding happen on an idle exchange. The core runs due
// work at its own instants, so one late tick covers several of them. While time is frozen nothing
// falls due.
//
// Work that a command left unfinished because of its limits is due immediately: while any is left,
// one tick is queued behind the commands that already wait.

import { Overloaded } from '../sequencer/not-taken.ts'
import type { SourceExchange } from './exchange-port.ts'
import { realTimers, type Timers } from './timers.ts'

/** Longer waits are split, so that a clock that was moved is noticed. */
const waitMsMax = 1_000
/** Longer than a machine's timers fire early by. */
const waitMsMin = 1

type Clock = Readonly<{
  now(): number
  isHeld: boolean
  /** An advance is in progress, which submits the commands of each instant itself. */
  isWalked?: boolean
}>

export type WakerParts = Readonly<{
  exchange: Pick<SourceExchange, 'submit' | 'view'>
  clock: Clock
  /** The queue no longer accepts commands: nothing is left to wake. */
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

  /** To be called after every batch, and when the clock was moved. Cheap if nothing changed. */
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

  /** A full queue is full of commands, each of which runs due work like a tick; after the batch
   *  that makes room it is armed again. */
  private refused(error: unknown): void {
    this.ticking = false
    if (error instanceof Overloaded) return
    this.close()
    this.parts.fault(error)
  }
}
