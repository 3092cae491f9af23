// A subscription to one channel of a market or account, and its position in the stream.

import { channelOfSource, type Declaration, declared } from '../../protocol/streams/channels.ts'
import type { Source } from '../methods.ts'
import type { Frame, Gap, Message } from './frames.ts'

/** Callbacks of a subscription. */
export type Handlers<S extends Source> = Readonly<{
  /** Called with every frame. */
  frame(frame: Frame<S>): void
  /** Called as soon as frames may be missing, without waiting for the next frame. */
  gap?(gap: Gap): void
  /** Called when the connection is lost; the subscription continues with the next one. */
  down?(): void
  /** Called when the exchange refused the subscription, which ends it. */
  refused?(error: Error): void
}>

export type Params = Readonly<Record<string, unknown>>

/** A subscription to one channel of a market or account. */
export class Subscription<S extends Source = Source> {
  /** The channel, as named by the caller. */
  readonly source: S
  /** The parameters other than the channel. */
  readonly params: Params
  /** Resolves when the exchange has acknowledged the subscription; rejects when it refused. */
  readonly ready: Promise<void>
  /** Ends the subscription. */
  readonly close: () => void
  /** Earlier frames belong to a previous subscription and are ignored. */
  private acknowledged = false
  /** Sequence number to resume from; `null` to start from the beginning. */
  private li: number | null = null
  private begun = false
  /** Expected `prev` of the next frame; `null` if unknown. */
  private place: number | null = null
  private gap: Gap | null = null
  private readonly handlers: Handlers<S>
  private readonly kind: (typeof declared)[keyof typeof declared]
  private settleReady: Readonly<{ resolve(): void; reject(error: Error): void }>

  constructor(named: Named<S>, handlers: Handlers<S>, end: () => void) {
    this.source = named.source
    this.params = named.params
    this.kind = declared[channelOfSource(named.source)!]
    this.handlers = handlers
    this.close = end
    let settle: Readonly<{ resolve(): void; reject(error: Error): void }>
    this.ready = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject }
    })
    this.settleReady = settle!
    // Prevents an unhandled rejection: callers that do not await `ready` get the error from
    // `refused`.
    this.ready.catch(() => undefined)
  }

  /** @internal Distinguishes the frames of this subscription. */
  get key(): string {
    return keyOf(this.source, this.params)
  }

  /** @internal Parameters of the next subscribe request. */
  asking(): Params {
    this.acknowledged = false
    const { source, params, li } = this
    if (this.kind.of !== 'account' || li === null) return { source, ...params }
    const { since: _, ...others } = params
    return { source, ...others, resume_from: li }
  }

  /** @internal Called when the connection is lost. */
  down(): void {
    this.acknowledged = false
    this.handlers.down?.()
  }

  /** @internal Starts again after a gap, with events after `li`. */
  restart(gap: Gap, li: number): void {
    this.begun = false
    this.place = null
    this.li = this.kind.sends === 'events' ? li : null
    this.reportGap(gap)
  }

  /** @internal Called when the exchange has acknowledged the subscription. */
  acknowledge({ li, data }: Message): void {
    this.acknowledged = true
    const { resumed } = data as { resumed?: boolean }
    this.place = resumed === true ? this.li : li!
    if (resumed !== true) this.fresh(li!, resumed === false)
    this.settleReady.resolve()
  }

  /** Starts from the beginning. A list or state has no position before its first frame. */
  private fresh(li: number, wasRefused: boolean): void {
    const isFirst = this.li === null && !this.begun
    this.begun = false
    const { sends, of } = this.kind
    this.li = sends === 'events' ? li : null
    if (wasRefused) this.reportGap({ reason: 'not_resumed', skipped: 0 })
    else if (!isFirst && sends === 'events' && of !== 'account')
      this.reportGap({ reason: 'reconnected', skipped: 0 })
  }

  /** @internal Called when the exchange refused the subscription. */
  refuse(error: Error): void {
    this.settleReady.reject(error)
    this.handlers.refused?.(error)
  }

  /** @internal Processes a frame of the channel. */
  take({ data, li, prev = null, skipped = 0 }: Message): void {
    if (!this.acknowledged) return
    const { place } = this
    // A book checks its own changes.
    const isChecked = (this.kind as Declaration).inParts !== true
    if (isChecked && prev !== null && place !== null && prev !== place)
      this.reportGap({ reason: 'sequence', skipped: 0 })
    this.li = li!
    this.place = li!
    if (skipped > 0) this.reportGap({ reason: 'skipped', skipped })
    // A channel without a state reports a gap with an empty list and no details.
    if (skipped > 0 && this.kind.sends === 'events') {
      this.place = null
      return
    }
    const { source, begun, gap } = this
    this.begun = true
    this.gap = null
    this.handlers.frame({ source, data, li: li!, begins: !begun, gap } as Frame<S>)
  }

  private reportGap(gap: Gap): void {
    this.gap = gap
    this.handlers.gap?.(gap)
  }
}

export type Named<S extends Source> = Readonly<{ source: S; params: Params }>

export function keyOf(source: string, { symbol, interval }: Params): string {
  return [source, symbol, interval].filter((each) => each !== undefined).join(' ')
}

type Row = Readonly<{ s?: unknown; i?: unknown }>

/** The key of the subscription that a frame belongs to; `null` if it belongs to every subscription
 *  of its source. */
export function keyOfFrame({ channel = '', data }: Message): string | null {
  const name = channelOfSource(channel)
  if (name === undefined) return null
  const { of } = declared[name]
  if (of === 'all' || of === 'account') return channel
  const row = (Array.isArray(data) ? data[0] : data) as Row | undefined
  if (row === undefined) return null
  return keyOf(channel, of === 'interval' ? { symbol: row.s, interval: row.i } : { symbol: row.s })
}
