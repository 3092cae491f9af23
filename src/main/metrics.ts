// Metrics for operators, in the format of Prometheus.

import type { RequestMeter } from '../gateway/failures.ts'
import type { Load } from '../gateway/intake/intake.ts'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '../gateway/packages.ts'
import type { Batch } from '../sequencer/outcome.ts'

export type Watched = Readonly<{
  /** Name of this process, if there are several processes. */
  process?: string
  seq(): number
  waiting(): number
  load(): Load
  historySeq(): number
  engineNow(): number
  /** Status of the node, in a cluster. */
  node?: Readonly<{
    leads(): boolean
    /** Time in ms since the node last had the newest entry of the chain. */
    behindMs(): number
    /** Number of nodes that follow this node. */
    followers(): number
    /** How often the lead changed within the last hour. */
    leadChanges(): number
  }>
}>

export type Metrics = Readonly<{
  registry: Registry
  meter: RequestMeter
  countBatch(batch: Batch): void
}>

/** Gauges of prom-client with names like counters, which promtool rejects. prom-client exports the
 *  same numbers by type under other names, which are kept. */
const misnamed = ['handles', 'requests', 'resources'].map((each) => `nodejs_active_${each}_total`)

export function createMetrics(watched: Watched): Metrics {
  const registry = new Registry()
  if (watched.process !== undefined) registry.setDefaultLabels({ process: watched.process })
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const registers = [registry]
  const requests = new Histogram({
    name: 'openperp_request_seconds',
    help: 'Time from a parsed request to its reply',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers,
  })
  // Timers are cached, because looking up a histogram by its labels takes longer than observing a
  // value. The number of operations and statuses bounds the cache.
  const timers = new Map<string, Map<number, Histogram.Internal<string>>>()
  const timerOf = (operation: string, status: number) => {
    const known = timers.get(operation)?.get(status)
    if (known !== undefined) return known
    const timer = requests.labels(operation, String(status))
    timers.set(operation, (timers.get(operation) ?? new Map()).set(status, timer))
    return timer
  }
  const commands = new Counter({
    name: 'openperp_commands_total',
    help: 'Journal entries applied since startup',
    registers,
  })
  const batches = new Histogram({
    name: 'openperp_batch_size',
    help: 'Number of entries per durable batch',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('openperp_seq', 'Newest journal entry', watched.seq)
  gauge('openperp_requests_under_way', 'Requests in progress', () => watched.load().underWay)
  gauge(
    'openperp_requests_waiting',
    'Requests that were read and wait to be processed',
    () => watched.load().waiting,
  )
  gauge('openperp_commands_waiting', 'Commands that wait to be written to disk', watched.waiting)
  gauge(
    'openperp_history_seq',
    'Newest entry that the history store has processed',
    watched.historySeq,
  )
  const engineSeconds = () => watched.engineNow() / 1_000
  gauge('openperp_engine_time_seconds', 'Engine time', engineSeconds)
  if (watched.node !== undefined) addNodeGauges(gauge, watched.node)
  return {
    registry,
    meter: { took: (operation, status, ms) => timerOf(operation, status).observe(ms / 1_000) },
    countBatch({ outcomes }) {
      commands.inc(outcomes.length)
      batches.observe(outcomes.length)
    },
  }
}

function addNodeGauges(
  gauge: (name: string, help: string, read: () => number) => void,
  node: NonNullable<Watched['node']>,
): void {
  gauge('openperp_node_leads', '1 if this node leads the cluster', () => Number(node.leads()))
  const behindSeconds = () => node.behindMs() / 1_000
  gauge(
    'openperp_node_behind_seconds',
    'Time since this node was last known to be at the end of the chain',
    behindSeconds,
  )
  gauge('openperp_node_followers', 'Nodes that follow this node over a link', node.followers)
  gauge('openperp_node_lead_changes', 'Changes of the leader in the last hour', node.leadChanges)
}
