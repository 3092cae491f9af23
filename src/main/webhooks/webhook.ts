// One webhook: tells what history has after its place, oldest first and one at a time, each until
// it is taken or given up. The place is a note in the state, so it is as durable as what is told,
// and whoever leads next goes on from there. A message that was taken just before a crash is told
// again, under the same id.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { WebhookSetting } from '../../config/webhooks.ts'
import type { Command, ExchangeView } from '../../core/index.ts'
import type { KeepPlace, WebhookStanding } from '../../gateway/admin/operator.ts'
import { apiError } from '../../gateway/api-error.ts'
import {
  HistoryBehind,
  type MoneyHistory,
  type PaymentRow,
} from '../../projections/history/history.ts'
import { bodyOf, headersOf, messageId } from './message.ts'

/** What a webhook knows of time. A message that nobody takes is tried for a day. */
export type WebhookTime = Readonly<{
  now(): number
  sleep(forMs: number, signal: AbortSignal): Promise<void>
}>

export const systemTime: WebhookTime = {
  now: Date.now,
  sleep: (forMs, signal) => sleep(forMs, undefined, { signal }),
}

export type WebhookNeeds = Readonly<{
  setting: WebhookSetting
  time: WebhookTime
  history: Pick<MoneyHistory, 'payments'>
  exchange: Readonly<{
    seq(): number
    view(): ExchangeView
    submit(command: Command): Promise<unknown>
  }>
  log: Logger
  signal: AbortSignal
}>

/** To go back to an entry. */
type Asked = Readonly<{
  fromSeq: number
  keep: KeepPlace
  done(): void
  failed(error: unknown): void
}>

type GivenUp = WebhookStanding['givenUp'][number]

/** What is kept; `since`: when the message after the place first failed. */
type Place = Readonly<{
  seq: number
  place: number
  since: number | null
  givenUp: readonly GivenUp[]
}>

const pageRows = 100
const idleMs = 300
const timeoutMs = 10_000
const backoff = { firstMs: 500, mostMs: 60_000 } as const
const givenUpMax = 50
/** Behind every step of an entry. */
const lastPlace = 2 ** 31

export class Webhook {
  private readonly needs: WebhookNeeds
  private at: Place
  private readAt = -1
  private attempts = 0
  private delivered = 0
  private failed = 0
  private abandoned = 0
  /** Since when there is something that was not told; null: there is nothing. */
  private waitingSince: number | null = null
  /** Why nothing can be tried now. */
  private obstacle: string | null = null
  private fault: string | null = null
  private asked: Asked | null = null
  /** Aborted at the end, and when something is asked: no wait and no attempt is in its way. */
  private wake = new AbortController()

  private constructor(needs: WebhookNeeds, at: Place) {
    this.needs = needs
    this.at = at
    needs.signal.addEventListener('abort', () => this.wake.abort(), { once: true })
  }

  /** From where it was; a new one from now on, which is kept before anything else happens. */
  static async open(needs: WebhookNeeds): Promise<Webhook> {
    const { exchange, setting } = needs
    const kept = exchange.view().notes.get(noteOf(setting.name))
    const now = { seq: exchange.seq(), place: lastPlace, since: null, givenUp: [] }
    const webhook = new Webhook(needs, kept === undefined ? now : JSON.parse(kept))
    if (kept === undefined) await webhook.keep(now)
    return webhook
  }

  get standing(): WebhookStanding {
    const { name, url, kinds } = this.needs.setting
    return {
      ...{ name, host: new URL(url).host, kinds, seq: this.at.seq },
      fault: this.obstacle ?? this.fault,
      ...{ delivered: this.delivered, failed: this.failed, failingSince: this.at.since },
      ...{ waitingSince: this.waitingSince, abandoned: this.abandoned, givenUp: this.at.givenUp },
    }
  }

  /** Everything from this entry on once more, under the ids that it had; what was given up since
   *  then is among it. */
  tellAgain(fromSeq: number, keep: KeepPlace): Promise<void> {
    if (this.asked !== null) throw apiError('NOT_READY', 'somebody has just asked for the same')
    return new Promise((done, failed) => {
      this.asked = { fromSeq, keep, done, failed }
      this.wake.abort()
    })
  }

  private async goBack({ fromSeq, keep, done, failed }: Asked): Promise<void> {
    const givenUp = this.at.givenUp.filter(({ id }) => Number.parseInt(id, 10) < fromSeq)
    try {
      await this.keep({ seq: fromSeq - 1, place: lastPlace, since: null, givenUp }, keep)
      this.readAt = -1
      this.attempts = 0
      done()
    } catch (error) {
      failed(error)
    }
    this.asked = null
    if (!this.needs.signal.aborted) this.wake = new AbortController()
  }

  /** Until the signal. */
  async run(): Promise<void> {
    const { log, signal, setting, time } = this.needs
    while (!signal.aborted)
      try {
        if (this.asked !== null) await this.goBack(this.asked)
        const wasThere = await this.tellNext()
        this.obstacle = null
        this.waitingSince = null
        if (!wasThere) await time.sleep(idleMs, this.wake.signal)
      } catch (error) {
        if (signal.aborted) return
        if (this.asked !== null) continue
        // What keeps the place from being kept passes; meanwhile nothing is lost.
        if (!(error instanceof HistoryBehind))
          log.warn({ err: error }, `webhook ${setting.name} waits`)
        this.obstacle = (error as Error).message
        this.waitingSince ??= time.now()
        await sleep(idleMs)
      }
  }

  /** False: there was nothing. */
  private async tellNext(): Promise<boolean> {
    const { history, exchange, setting } = this.needs
    const now = exchange.seq()
    if (now === this.readAt) return false
    const { seq, place } = this.at
    const rows = await history.payments(now, { seq, place, limit: pageRows })
    for (const row of rows) {
      if (setting.kinds.includes(row.kind)) await this.deliver(row)
      else this.at = { ...this.at, seq: row.seq, place: row.place }
      if (this.wake.signal.aborted) return true
    }
    if (rows.length < pageRows) this.readAt = now
    return rows.length > 0
  }

  private async deliver(row: PaymentRow): Promise<void> {
    const { setting, log, time } = this.needs
    this.waitingSince = row.atMs
    const taken = { ...this.at, seq: row.seq, place: row.place, since: null }
    for (;;) {
      const fault = await this.send(row)
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
      if (time.now() - since >= setting.tryMinutes * 60_000) {
        log.error({ webhook: setting.name, id, fault }, 'a webhook was given up')
        this.attempts = 0
        this.abandoned += 1
        const givenUp = [...this.at.givenUp, { id, type: row.kind, at: time.now(), fault }]
        return this.keep({ ...taken, givenUp: givenUp.slice(-givenUpMax) })
      }
      if (this.at.since === null) {
        log.warn({ webhook: setting.name, id, fault }, 'a webhook was not taken; it is tried again')
        await this.keep({ ...this.at, since })
      }
      const waitMs = Math.min(backoff.mostMs, backoff.firstMs * 2 ** this.attempts)
      this.attempts += 1
      await time.sleep(waitMs, this.wake.signal)
    }
  }

  /** Null: taken. No redirect is followed, and nothing of the answer but its status is read. */
  private async send(row: PaymentRow): Promise<string | null> {
    const { setting, time } = this.needs
    const body = bodyOf(row)
    try {
      const { status, body: answer } = await fetch(setting.url, {
        method: 'POST',
        headers: headersOf(body, setting.secret, time.now()),
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.wake.signal, AbortSignal.timeout(timeoutMs)]),
      })
      await answer?.cancel()
      return status >= 200 && status < 300 ? null : `it answered ${status}`
    } catch (error) {
      const { message, cause } = error as Error
      return cause instanceof Error ? `${message}: ${cause.message}` : message
    }
  }

  private async keep(place: Place, submit: KeepPlace = this.needs.exchange.submit): Promise<void> {
    const text = JSON.stringify(place)
    await submit({ type: 'KeepNote', name: noteOf(this.needs.setting.name), text })
    this.at = place
  }
}

const noteOf = (name: string) => `webhook/${name}`
