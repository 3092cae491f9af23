// Delivers payment events of history that follow its position, oldest first and one at a time. Each
// event is retried until it is accepted or given up. The position is a note in the state, so it is
// as durable as the events, and the next leader continues from it. A message that was accepted just
// before a crash is sent again with the same id.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Command, ExchangeView } from '../../core/index.ts'
import type { DeliveryStatus, KeepPlace } from '../../gateway/admin/operator.ts'
import { apiError } from '../../gateway/api-error.ts'
import { HistoryBehind, type PaymentRow } from '../../projections/history/history.ts'
import type { AllHistory } from '../../projections/history/history-of.ts'
import type { PaymentKind } from '../../protocol/admin/payment-kinds.ts'
import { messageId } from './message.ts'

/** Clock and delays of deliveries. */
export type DelivererTime = Readonly<{
  now(): number
  sleep(forMs: number, signal: AbortSignal): Promise<void>
}>

export const systemTime: DelivererTime = {
  now: Date.now,
  sleep: (forMs, signal) => sleep(forMs, undefined, { signal }),
}

export type Receiver = Readonly<{
  /** Log fields that identify the receiver. */
  who: Readonly<Record<string, string>>
  /** Name of the note that stores the position. */
  note: string
  kinds: readonly PaymentKind[]
  /** How long a message is retried before it is given up, in minutes; `null` for no limit. */
  tryMinutes: number | null
  /** Sends a message; returns `null` if it was accepted, otherwise the reason. */
  send(row: PaymentRow, signal: AbortSignal): Promise<string | null>
  /** Called when the position is durable, and at the start. Repeated until it succeeds. */
  kept?(place: Readonly<{ seq: number; place: number }>): Promise<void>
}>

export type DelivererNeeds = Readonly<{
  time: DelivererTime
  history: Pick<AllHistory, 'payments'>
  exchange: Readonly<{
    seq(): number
    view(): ExchangeView
    submit(command: Command): Promise<unknown>
  }>
  log: Logger
  signal: AbortSignal
}>

type GivenUp = DeliveryStatus['givenUp'][number]

/** The stored position. `since`: time at which the next message first failed. */
type Place = Readonly<{
  seq: number
  place: number
  since: number | null
  givenUp: readonly GivenUp[]
}>

/** A requested redelivery, starting at an entry. */
type Redelivery = Readonly<{
  fromSeq: number
  keep: KeepPlace
  done(): void
  failed(error: unknown): void
}>

const pageRows = 100
const idleMs = 300
const backoff = { firstMs: 500, mostMs: 60_000 } as const
const givenUpMax = 50
/** A place after every step of an entry. */
const lastPlace = 2 ** 31

export class Deliverer {
  private readonly whom: Receiver
  private readonly needs: DelivererNeeds
  private at: Place
  private readAt = -1
  private attempts = 0
  private delivered = 0
  private failed = 0
  private abandoned = 0
  /** Time since which a message is undelivered; `null` if there is none. */
  private waitingSince: number | null = null
  /** Why deliveries are suspended. */
  private obstacle: string | null = null
  private fault: string | null = null
  /** Whether the receiver was notified of the position. */
  private settled = false
  private redelivery: Redelivery | null = null
  /** Aborted at the end and by a redelivery, to interrupt waits and attempts. */
  private wake = new AbortController()

  private constructor(receiver: Receiver, needs: DelivererNeeds, at: Place) {
    this.whom = receiver
    this.needs = needs
    this.at = at
    needs.signal.addEventListener('abort', () => this.wake.abort(), { once: true })
  }

  /** Opens a deliverer at the stored position. A new receiver starts at the newest entry, and its
   *  position is stored before anything else happens. */
  static async open(whom: Receiver, needs: DelivererNeeds): Promise<Deliverer> {
    const { exchange } = needs
    const kept = exchange.view().notes.get(whom.note)
    const now = { seq: exchange.seq(), place: lastPlace, since: null, givenUp: [] }
    const deliverer = new Deliverer(whom, needs, kept === undefined ? now : JSON.parse(kept))
    if (kept === undefined) await deliverer.keep(now)
    return deliverer
  }

  get status(): DeliveryStatus {
    return {
      seq: this.at.seq,
      fault: this.obstacle ?? this.fault,
      ...{ delivered: this.delivered, failed: this.failed, failingSince: this.at.since },
      ...{ waitingSince: this.waitingSince, abandoned: this.abandoned, givenUp: this.at.givenUp },
    }
  }

  /** Delivers everything from this entry on again with the same ids, including messages that were
   *  given up. */
  redeliver(fromSeq: number, keep: KeepPlace): Promise<void> {
    if (this.redelivery !== null)
      throw apiError('NOT_READY', 'another redelivery is starting; try again')
    return new Promise((done, failed) => {
      this.redelivery = { fromSeq, keep, done, failed }
      this.wake.abort()
    })
  }

  private async beginRedelivery({ fromSeq, keep, done, failed }: Redelivery): Promise<void> {
    const givenUp = this.at.givenUp.filter(({ id }) => Number.parseInt(id, 10) < fromSeq)
    try {
      await this.keep({ seq: fromSeq - 1, place: lastPlace, since: null, givenUp }, keep)
      this.readAt = -1
      this.attempts = 0
      done()
    } catch (error) {
      failed(error)
    }
    this.redelivery = null
    if (!this.needs.signal.aborted) this.wake = new AbortController()
  }

  /** Runs until `signal` is aborted. */
  async run(): Promise<void> {
    const { log, signal, time } = this.needs
    while (!signal.aborted)
      try {
        if (this.redelivery !== null) await this.beginRedelivery(this.redelivery)
        const wasThere = await this.deliverNext()
        this.obstacle = null
        this.waitingSince = null
        if (!wasThere) await time.sleep(idleMs, this.wake.signal)
      } catch (error) {
        if (signal.aborted) return
        if (this.redelivery !== null) continue
        // The position is stored later. Nothing is lost meanwhile.
        if (!(error instanceof HistoryBehind))
          log.warn({ ...this.whom.who, err: error }, 'payment notifications are delayed')
        this.obstacle = (error as Error).message
        this.waitingSince ??= time.now()
        await sleep(idleMs)
      }
  }

  /** Delivers the next message; returns `false` if there was none. */
  private async deliverNext(): Promise<boolean> {
    const { history, exchange } = this.needs
    await this.settle()
    const now = exchange.seq()
    if (now === this.readAt) return false
    const { seq, place } = this.at
    const rows = await history.payments(now, { seq, place, limit: pageRows })
    for (const row of rows) {
      if (this.whom.kinds.includes(row.kind)) await this.deliver(row)
      else this.at = { ...this.at, seq: row.seq, place: row.place }
      if (this.wake.signal.aborted) return true
      await this.settle()
    }
    if (rows.length < pageRows) this.readAt = now
    return rows.length > 0
  }

  private async deliver(row: PaymentRow): Promise<void> {
    const { log, time } = this.needs
    const { who, tryMinutes } = this.whom
    this.waitingSince = row.atMs
    const taken = { ...this.at, seq: row.seq, place: row.place, since: null }
    for (;;) {
      const fault = await this.whom.send(row, this.wake.signal)
      if (this.wake.signal.aborted) return
      this.fault = fault
      if (fault === null) {
        this.delivered += 1
        this.attempts = 0
        return this.keep(taken)
      }
      this.failed += 1
      const since = this.at.since ?? time.now()
      const id = messageId(row)
      if (tryMinutes !== null && time.now() - since >= tryMinutes * 60_000) {
        log.error({ ...who, id, fault }, 'a message was given up')
        this.attempts = 0
        this.abandoned += 1
        const givenUp = [...this.at.givenUp, { id, type: row.kind, at: time.now(), fault }]
        return this.keep({ ...taken, givenUp: givenUp.slice(-givenUpMax) })
      }
      if (this.at.since === null) {
        log.warn({ ...who, id, fault }, 'a message was not taken; it is tried again')
        await this.keep({ ...this.at, since })
      }
      const waitMs = Math.min(backoff.mostMs, backoff.firstMs * 2 ** this.attempts)
      this.attempts += 1
      await time.sleep(waitMs, this.wake.signal)
    }
  }

  private async settle(): Promise<void> {
    if (this.settled) return
    await this.whom.kept?.(this.at)
    this.settled = true
  }

  private async keep(place: Place, submit: KeepPlace = this.needs.exchange.submit): Promise<void> {
    const text = JSON.stringify(place)
    const name = this.whom.note
    await submit({ type: 'KeepNote', name, text })
    this.at = place
    this.settled = false
  }
}
