// Alerts of prices and funding rates, kept by this browser. An alert fires once, while the page is
// open, when its number reaches the level from the side on which it was when the alert was set.

import { type Signal, signal } from '@preact/signals'
import type { Storage } from './preferences.ts'

export const alertSources = {
  mark: 'Mark',
  mid: 'Mid',
  index: 'Index',
  funding: 'Funding',
} as const
export type AlertSource = keyof typeof alertSources

export type Alert = Readonly<{
  id: number
  symbol: string
  source: AlertSource
  level: number
  /** Whether it fires at the level and above it, or at the level and below it. */
  above: boolean
}>

type Numbers = Readonly<{ mark: string; mid: string; oracle: string; next_funding: string }>

export const alertsMax = 50
const storedAs = 'openperp.alerts'

/** The number that an alert watches. Funding is in percent, as it is shown. */
export function watched(source: AlertSource, prices: Numbers): number {
  if (source === 'funding') return Number(prices.next_funding) * 100
  return Number(source === 'index' ? prices.oracle : prices[source])
}

function isAlert(each: Partial<Alert> | null): each is Alert {
  return (
    Number.isSafeInteger(each?.id) &&
    typeof each?.symbol === 'string' &&
    Object.hasOwn(alertSources, String(each.source)) &&
    Number.isFinite(each.level) &&
    typeof each.above === 'boolean'
  )
}

function readAlerts(text: string | null): readonly Alert[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read.filter(isAlert).slice(0, alertsMax) : []
  } catch {
    // Damaged text is overwritten by the next alert.
    return []
  }
}

export class Alerts {
  readonly now: Signal<readonly Alert[]>
  private readonly storage: Storage
  private readonly fire: (alert: Alert, value: number) => void

  constructor(storage: Storage, fire: (alert: Alert, value: number) => void) {
    this.storage = storage
    this.fire = fire
    this.now = signal(readAlerts(storage.get(storedAs)))
  }

  /** Returns why the alert was not set; `null` if it was. `now` is the watched number. */
  add(alert: Pick<Alert, 'symbol' | 'source' | 'level'>, now: number): string | null {
    const { level } = alert
    if (!Number.isFinite(level)) return 'Enter a number'
    if (!Number.isFinite(now)) return 'The current value is not known yet'
    if (level === now) return `The current value is ${now}: choose a level above or below it`
    const before = this.now.peek()
    if (before.length >= alertsMax) return `At most ${alertsMax} alerts: remove one first`
    const id = 1 + Math.max(0, ...before.map((each) => each.id))
    this.keep([...before, { ...alert, id, above: level > now }])
    return null
  }

  move(id: number, level: number, now: number): void {
    const moved = (each: Alert) => (each.id === id ? { ...each, level, above: level > now } : each)
    this.keep(this.now.peek().map(moved))
  }

  remove(id: number): void {
    this.keep(this.now.peek().filter((each) => each.id !== id))
  }

  /** Fires and removes the alerts whose level is reached. */
  check(prices: ReadonlyMap<string, Numbers>): void {
    for (const alert of this.now.peek()) {
      const row = prices.get(alert.symbol)
      if (row === undefined) continue
      const value = watched(alert.source, row)
      const reached = alert.above ? value >= alert.level : value <= alert.level
      if (!reached) continue
      this.remove(alert.id)
      this.fire(alert, value)
    }
  }

  private keep(next: readonly Alert[]): void {
    this.now.value = next
    this.storage.set(storedAs, JSON.stringify(next))
  }
}
