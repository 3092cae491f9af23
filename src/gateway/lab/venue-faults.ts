// Faults of the whole exchange. What changes the exchange is a command of its history.

import type { Command, ExchangeView } from '../../core/index.ts'
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
      await submit({ type: 'EngineStarted', pricesStand: true })
      const cut = connections.drop({ kind: 'ws', account: null })
      connections.drop({ kind: 'http', account: null })
      entry.venue = `not reachable for ${lasts} ms`
      entry.client = `${cut} websockets cut; requests refused`
      return null
    }
    default: {
      const mode = fault === 'halt' ? 'halted' : 'cancel_only'
      await submit({ type: 'SetExchangeMode', mode })
      entry.venue = `${mode} for ${lasts} ms`
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

  constructor(parts: VenueParts, times: Times) {
    this.parts = parts
    this.times = times
  }

  get isDown(): boolean {
    return this.downUntilUs > this.times.nowUs()
  }

  /** Begins the plan; `null` for none. */
  begin(faults: Faults | null): void {
    this.faults = faults
    this.sinceMs = this.times.nowMs()
    this.downUntilUs = Number.NEGATIVE_INFINITY
    for (const rule of faults?.rules.all ?? []) if (rule.kind === 'venue') this.next(rule, 0)
  }

  private next(rule: Rule, n: number): void {
    const { faults, times, sinceMs } = this
    const beginMs = faults!.rules.beginOf(rule, n)
    if (beginMs === null) return
    times.at(times.nowUs() + (sinceMs + beginMs - times.nowMs()) * 1_000, () => {
      if (this.faults !== faults || this.sinceMs !== sinceMs) return
      times.during(this.fire(faults!, rule, n))
      this.next(rule, n + 1)
    })
  }

  private async fire(faults: Faults, rule: Rule, n: number): Promise<void> {
    const entry = faults.record({ rule, ordinal: n + 1 }, null, 'exchange')
    const endsUs = this.times.nowUs() + lastsMsOf(rule) * 1_000
    if (rule.spec.fault === 'restart') this.downUntilUs = endsUs
    try {
      const end = await beginVenueFault(this.parts, rule, entry)
      if (end === null) return
      this.times.at(endsUs, () => this.times.during(end().catch(() => undefined)))
    } catch (error) {
      entry.venue = `failed: ${(error as Error).message}`
    }
  }
}
