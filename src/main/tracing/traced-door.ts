// Traces signed requests as spans: the whole request, its signature check, its wait for history,
// the journal and the core. Tracing is active only if a collector is configured.

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { ApiError } from '../../gateway/api-error.ts'
import type { Signatures } from '../../gateway/auth/check-signature.ts'
import type { Exchange } from '../../gateway/exchange.ts'
import { Door, type Leader } from '../../gateway/intake/door.ts'
import type { RateLimit } from '../../gateway/limits/rate-limit.ts'
import type { OtlpExporter, Span } from './otlp-exporter.ts'

export type TracedParts = Readonly<{
  exchange: Exchange
  signatures: Signatures
  limit: RateLimit | null
  leader: Leader | null
  exporter: Pick<OtlpExporter, 'take'>
  /** One of this many requests is traced. */
  every: number
  /** When the newest batch was sent to the journal and became durable; `null` in a process without
   *  the journal. */
  journal: (() => Readonly<{ begunAt: number; endedAt: number }>) | null
}>

type Place = Readonly<{ traceId: string; spanId: string }>

const newId = (bytes: number) => randomBytes(bytes).toString('hex')

export function tracedDoor(parts: TracedParts): Door {
  const { exchange, signatures, limit, leader, every } = parts
  const tracer = new Tracer(parts)
  const submit: Exchange['submit'] = (...args) => tracer.submitted(exchange.submit(...args))
  const traced: Signatures = {
    checkSigned: (request) =>
      tracer.within('check signature', () => signatures.checkSigned(request)),
    checkSubaccount: (request) =>
      tracer.within('check signature', () => signatures.checkSubaccount(request)),
  }
  const watched = Object.create(exchange, { submit: { value: submit } }) as Exchange
  const door = new Door(watched, traced, limit, leader)
  let count = 0
  const run: Door['run'] = (operation, request, caller, turn) => {
    const go = () => door.run(operation, request, caller, turn)
    if (operation.signs === null || count++ % every !== 0) return go()
    return tracer.whole(operation.name, { 'openperp.request_id': caller.requestId }, go)
  }
  return Object.create(door, { run: { value: run } }) as Door
}

class Tracer {
  private readonly here = new AsyncLocalStorage<Place>()
  private readonly exporter: TracedParts['exporter']
  private readonly journal: TracedParts['journal']

  constructor({ exporter, journal }: TracedParts) {
    this.exporter = exporter
    this.journal = journal
  }

  async whole<T>(name: string, attributes: Span['attributes'], go: () => Promise<T>): Promise<T> {
    const place = { traceId: newId(16), spanId: newId(8) }
    return this.timed({ ...place, parentId: null, name, attributes }, () =>
      this.here.run(place, go),
    )
  }

  async within<T>(name: string, go: () => Promise<T>): Promise<T> {
    const parent = this.here.getStore()
    return parent === undefined
      ? go()
      : this.timed({ ...childOf(parent), name, attributes: {} }, go)
  }

  /** Traces the time from submission to the core's answer, with its parts. */
  async submitted(outcome: ReturnType<Exchange['submit']>): ReturnType<Exchange['submit']> {
    const parent = this.here.getStore()
    if (parent === undefined) return outcome
    const startMs = performance.now()
    const done = await outcome
    const endMs = performance.now()
    const own = childOf(parent)
    const attributes = { 'openperp.seq': done.seq }
    const span = { ...own, name: 'sequence', startMs, endMs, attributes, error: null }
    this.exporter.take(span)
    this.exportParts(span)
    return done
  }

  /** Exports the parts. The newest batch is the request's batch, because the waiting caller is
   *  notified before the next batch begins. */
  private exportParts(span: Span): void {
    if (this.journal === null) return
    const { begunAt, endedAt } = this.journal()
    const { startMs, endMs } = span
    for (const [name, from, to] of [
      ['wait for the batch', startMs, begunAt],
      ['journal', begunAt, endedAt],
      ['core', endedAt, endMs],
    ] as const)
      this.exporter.take({
        ...{ ...childOf(span), name, attributes: {}, error: null },
        ...{ startMs: Math.max(startMs, from), endMs: Math.max(startMs, to) },
      })
  }

  private async timed<T>(
    span: Omit<Span, 'startMs' | 'endMs' | 'error'>,
    go: () => Promise<T>,
  ): Promise<T> {
    const startMs = performance.now()
    const end = (error: string | null) =>
      this.exporter.take({ ...span, startMs, endMs: performance.now(), error })
    try {
      const result = await go()
      end(null)
      return result
    } catch (error) {
      end(error instanceof ApiError ? error.errorName : 'INTERNAL_ERROR')
      throw error
    }
  }
}

const childOf = ({ traceId, spanId }: Place) => ({ traceId, spanId: newId(8), parentId: spanId })
