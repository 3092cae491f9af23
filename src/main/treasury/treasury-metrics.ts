// Metrics of the treasury. All values are 0 if no treasury is configured.

import type { TreasuryStatus } from '../../gateway/admin/operator.ts'
import { Counter, Gauge, type Registry } from '../../gateway/packages.ts'
import type { RunningTreasury } from './treasury.ts'

type MetricSpec = Readonly<{
  name: string
  help: string
  read(status: TreasuryStatus, nowMs: number): number
}>

const secondsSince = (sinceMs: number | null, nowMs: number) =>
  sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs) / 1_000

const counters: readonly MetricSpec[] = [
  {
    name: 'openperp_treasury_orders_total',
    help: 'Payment orders that the treasury accepted since startup',
    read: ({ orders }) => orders.delivered,
  },
  {
    name: 'openperp_treasury_reports_total',
    help: 'Reports of the treasury that were applied since startup',
    read: ({ applied }) => applied,
  },
  {
    name: 'openperp_treasury_refused_total',
    help: 'Reports of the treasury that were refused since startup; each needs attention',
    read: ({ refusedCount }) => refusedCount,
  },
]

const gauges: readonly MetricSpec[] = [
  {
    name: 'openperp_treasury_failing_seconds',
    help: 'Time for which reports of the treasury could not be read; 0 if they can be',
    read: ({ failingSince }, nowMs) => secondsSince(failingSince, nowMs),
  },
  {
    name: 'openperp_treasury_waiting_seconds',
    help:
      'Waiting time of the oldest payment order that the treasury has not accepted; 0 if ' +
      'there is none',
    read: ({ orders }, nowMs) => secondsSince(orders.waitingSince, nowMs),
  },
]

export function addTreasuryMetrics(registry: Registry, treasury: RunningTreasury): void {
  const read = (spec: MetricSpec) => {
    const status = treasury.status()
    return status === null ? 0 : spec.read(status, treasury.now())
  }
  const registers = [registry]
  for (const spec of counters)
    new Counter({
      ...{ name: spec.name, help: spec.help, registers },
      collect() {
        this.reset()
        this.inc(read(spec))
      },
    })
  for (const spec of gauges)
    new Gauge({
      ...{ name: spec.name, help: spec.help, registers },
      collect() {
        this.set(read(spec))
      },
    })
}
