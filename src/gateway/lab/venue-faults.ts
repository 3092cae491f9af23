// Faults of the whole exchange. What changes the exchange is a command of its history.

import type { Command, ExchangeView } from '../../core/index.ts'
import { apiError } from '../api-error.ts'
import type { OpenConnections } from '../open-connections.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Entry, Faults } from './faults.ts'
import type { Rule } from './rules.ts'

export type VenueParts = Readonly<{
  submit(command: Command): Promise<unknown>
  sandbox: Sandbox
  connections: OpenConnections
  view(): ExchangeView
}>

export const restarting = () =>
  apiError('NOT_READY', 'the exchange restarts, by a fault of the plan', 1)

const defaultMs = 60_000
const restartMs = 5_000

const lastsMsOf = ({ lastsMs, spec }: Rule) =>
  lastsMs ?? (spec.fault === 'restart' ? restartMs : defaultMs)

/** Begins a fault. Returns what ends it; `null` if it ends by itself. */
async function beginVenueFault(
  { submit, sandbox, connections, view }: VenueParts,
  rule: Rule,
  entry: Entry,
): Promise<(() => Promise<unknown>) | null> {
  const { fault, symbol } = rule.spec
  const lasts = lastsMsOf(rule)
  entry.done = true
  switch (fault) {
    case 'feed_stall':
      for (const { id, params, settled } of view().markets.all())
        if (!settled && (symbol == null || symbol === params.symbol))
          await sandbox.stallFeed(id, lasts)
      entry.venue = `no prices for ${lasts} ms`
      return null
    case 'restart': {
      entry.venue = `not reachable for ${lasts} ms`
      await submit({ type: 'EngineStarted', pricesStand: true })
      const cut = connections.drop({ kind: 'ws', account: null })
      connections.drop({ kind: 'http', account: null })
      entry.client = `${cut} websockets cut; requests refused`
      return null
    }
    default: {
      const mode = fault === 'halt' ? 'halted' : 'cancel_only'
      entry.venue = `${mode} for ${lasts} ms`
      await submit({ type: 'SetExchangeMode', mode })
      return () => submit({ type: 'SetExchangeMode', mode: 'open' })
    }
  }
}

/** Engine time in milliseconds, and the time of the queue in microseconds. */
type Times = Readonly<{
  nowMs(): number
  nowUs(): number
  /** Calls `run` at this time of the queue. */
  at(dueUs: number, run: () => void): void
  /** Called for work that has to be done before time goes on. */
  during(work: Promise<unknown>): void
}>

/** Begins and ends the faults of the exchange at their times. */
export class VenueSchedule {
  private readonly parts: VenueParts
  private readonly times: Times
  private faults: Faults | null = null
  private sinceMs = 0
  /** Time until which requests are refused, because the exchange restarts. */
  private downUntilUs = Number.NEGATIVE_INFINITY
  /** What ends the faults that last. */
  private readonly ends = new Set<() => Promise<unknown>>()
  /** Resolves when the faults that begin with the plan have begun. */
  begun: Promise<unknown> = Promise.resolve()

  constructor(parts: VenueParts, times: Times) {
    this.parts = parts
    this.times = times
  }

  get isDown(): boolean {
    return this.downUntilUs > this.times.nowUs()
  }

  /** Ends the faults of the earlier plan and begins this one; `null` for none. */
  begin(faults: Faults | null): void {
    const ended = [...this.ends].map((end) => this.end(end))
    this.restart(faults)
    this.begun = Promise.all([this.begun, ...ended])
  }

  /** Begins the plan again, because the exchange went back to its start. */
  restart(faults: Faults | null): void {
    this.faults = faults
    this.sinceMs = this.times.nowMs()
    this.downUntilUs = Number.NEGATIVE_INFINITY
    this.ends.clear()
    this.begun = Promise.resolve()
    for (const rule of faults?.rules.all ?? []) if (rule.kind === 'venue') this.next(rule, 0)
  }

  private end(end: () => Promise<unknown>): Promise<unknown> {
    const ended = this.ends.delete(end) ? end().catch(() => undefined) : Promise.resolve()
    this.times.during(ended)
    return ended
  }

  private next(rule: Rule, n: number): void {
    const { faults, times, sinceMs } = this
    const beginMs = faults!.rules.beginOf(rule, n)
    if (beginMs === null) return
    const fire = () => {
      if (this.faults !== faults || this.sinceMs !== sinceMs) return
      const fired = this.fire(faults!, rule, n)
      this.begun = Promise.all([this.begun, fired])
      times.during(fired)
      this.next(rule, n + 1)
    }
    const leftMs = sinceMs + beginMs - times.nowMs()
    if (leftMs <= 0 && n === 0) fire()
    else times.at(times.nowUs() + leftMs * 1_000, fire)
  }

  private async fire(faults: Faults, rule: Rule, n: number): Promise<void> {
    const entry = faults.record({ rule, ordinal: n + 1 }, null, 'exchange')
    const endsUs = this.times.nowUs() + lastsMsOf(rule) * 1_000
    if (rule.spec.fault === 'restart') this.downUntilUs = endsUs
    try {
      const end = await beginVenueFault(this.parts, rule, entry)
      if (end === null) return
      this.ends.add(end)
      if (this.faults === faults) this.times.at(endsUs, () => void this.end(end))
      else await this.end(end)
    } catch (error) {
      entry.venue = `failed: ${(error as Error).message}`
    }
  }
}
