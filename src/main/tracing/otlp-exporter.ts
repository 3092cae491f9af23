// Sends spans to a collector as OTLP over HTTP in JSON (decision 28). Spans that the collector does
// not accept in time are dropped and counted. Orders never wait for spans, and memory is bounded.

import type { Logger } from 'pino'

/** A span. Times are values of `performance.now()`. */
export type Span = Readonly<{
  traceId: string
  spanId: string
  parentId: string | null
  name: string
  startMs: number
  endMs: number
  attributes: Readonly<Record<string, string | number>>
  /** Error message; `null` on success. */
  error: string | null
}>

export type ExporterOptions = Readonly<{
  url: string
  /** Resource attributes that identify the service in the collector. */
  service: Readonly<Record<string, string>>
  log: Pick<Logger, 'warn'>
  everyMs?: number
  timeoutMs?: number
}>

const waitingMax = 4_096
const sentMax = 512
const everyMsUsual = 1_000
const timeoutMsUsual = 5_000

export class OtlpExporter {
  private readonly options: ExporterOptions
  private readonly timer: NodeJS.Timeout
  private waiting: Span[] = []
  private dropped = 0
  private sending: Promise<void> | null = null
  private isTroubled = false

  constructor(options: ExporterOptions) {
    this.options = options
    this.timer = setInterval(() => void this.flush(), options.everyMs ?? everyMsUsual).unref()
  }

  take(span: Span): void {
    if (this.waiting.length >= waitingMax) this.dropped += 1
    else this.waiting.push(span)
  }

  /** Sends pending spans, one request at a time. */
  flush(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null
    })
    return this.sending
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.flush()
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const spans = this.waiting.slice(0, sentMax)
      this.waiting = this.waiting.slice(sentMax)
      const trouble = await this.send(spans)
      this.logTrouble(trouble, spans.length)
      if (trouble !== null) return
    }
  }

  /** Sends spans; returns `null` if the collector accepted them, otherwise the reason. */
  private async send(spans: readonly Span[]): Promise<string | null> {
    const { url, service, timeoutMs = timeoutMsUsual } = this.options
    try {
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(spans, service)),
        signal: AbortSignal.timeout(timeoutMs),
      })
      await reply.arrayBuffer()
      return reply.ok ? null : `it answered ${reply.status}`
    } catch (error) {
      return ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message
    }
  }

  /** Logs when an export problem begins and when it ends. */
  private logTrouble(trouble: string | null, count: number): void {
    const { log, url } = this.options
    if (trouble !== null) {
      this.dropped += count
      if (!this.isTroubled) log.warn({ url, why: trouble }, 'traces are not taken, and are dropped')
    } else if (this.isTroubled) {
      log.warn({ url, dropped: this.dropped }, 'traces are taken again')
      this.dropped = 0
    }
    this.isTroubled = trouble !== null
  }
}

/** Nanoseconds since 1970 as text. The clock has a resolution of microseconds. */
const nanosOf = (ms: number) => `${Math.round((performance.timeOrigin + ms) * 1_000)}000`

const serverKind = 2
const innerKind = 1
const errorCode = 2

const attributesOf = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: `${value}` },
  }))

function bodyOf(spans: readonly Span[], service: Readonly<Record<string, string>>) {
  const encoded = spans.map((span) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === null ? {} : { parentSpanId: span.parentId }),
    name: span.name,
    kind: span.parentId === null ? serverKind : innerKind,
    startTimeUnixNano: nanosOf(span.startMs),
    endTimeUnixNano: nanosOf(span.endMs),
    attributes: attributesOf(span.attributes),
    status: span.error === null ? {} : { code: errorCode, message: span.error },
  }))
  const resource = { attributes: attributesOf(service) }
  const scopeSpans = [{ scope: { name: 'openperp' }, spans: encoded }]
  return { resourceSpans: [{ resource, scopeSpans }] }
}
