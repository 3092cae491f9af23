// The configured webhooks, run only by the leader.

import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Operator, WebhookStatus } from '../../gateway/admin/operator.ts'
import { Counter, Gauge, type Registry } from '../../gateway/packages.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { Sequencer } from '../../sequencer/sequencer.ts'
import { type DelivererTime, systemTime } from './deliverer.ts'
import { openWebhook, type Webhook } from './webhook.ts'

export type Webhooks = Readonly<{
  now(): number
  status(): readonly WebhookStatus[]
  redeliver: Operator['redeliver']
  close(): Promise<void>
}>

type Needs = Readonly<{
  config: Config
  sequencer: Sequencer
  history: OpenHistory
  log: Logger
  time: DelivererTime | undefined
}>

/** Starts the webhooks. Resolves when all positions are durable, after which no event is missed. */
export async function startWebhooks(needs: Needs): Promise<Webhooks> {
  const { config, sequencer, history, log, time = systemTime } = needs
  const end = new AbortController()
  const exchange = {
    seq: () => sequencer.seq,
    view: () => sequencer.view,
    submit: (command: Parameters<Sequencer['submit']>[0]) => sequencer.submit(command),
  }
  const hooks: Webhook[] = []
  for (const setting of config.webhooks) {
    const parts = { time, exchange, log, history: history.history, signal: end.signal }
    hooks.push(await openWebhook(setting, parts))
  }
  const runs = hooks.map((hook) => hook.run())
  return {
    now: time.now,
    status: () => hooks.map(({ status: standing }) => standing()),
    redeliver: (name, fromSeq, keep) =>
      hooks.find(({ status }) => status().name === name)!.redeliver(fromSeq, keep),
    async close() {
      end.abort()
      await Promise.all(runs)
    },
  }
}

type MetricSpec = Readonly<{
  name: string
  help: string
  read(row: WebhookStatus, nowMs: number): number
}>

const secondsSince = (sinceMs: number | null, nowMs: number) =>
  sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs) / 1_000

const counters: readonly MetricSpec[] = [
  {
    name: 'openperp_webhook_delivered_total',
    help: 'Messages that a webhook accepted since startup',
    read: ({ delivered }) => delivered,
  },
  {
    name: 'openperp_webhook_failed_total',
    help: 'Failed attempts to deliver to a webhook since startup',
    read: ({ failed }) => failed,
  },
  {
    name: 'openperp_webhook_given_up_total',
    help: 'Messages to a webhook that were abandoned since startup',
    read: ({ abandoned }) => abandoned,
  },
]

const gauges: readonly MetricSpec[] = [
  {
    name: 'openperp_webhook_failing_seconds',
    help:
      'Time since the first failed attempt to deliver the current message; 0 if none has ' +
      'failed',
    read: ({ failingSince }, nowMs) => secondsSince(failingSince, nowMs),
  },
  {
    name: 'openperp_webhook_waiting_seconds',
    help: 'Age of the oldest undelivered message; 0 if there is none',
    read: ({ waitingSince }, nowMs) => secondsSince(waitingSince, nowMs),
  },
  {
    name: 'openperp_webhook_given_up',
    help: 'Abandoned messages among the newest 50',
    read: ({ givenUp }) => givenUp.length,
  },
]

export function addWebhookMetrics(registry: Registry, { status, now }: Webhooks): void {
  const common = { labelNames: ['webhook'], registers: [registry] }
  for (const { name, help, read } of counters)
    new Counter({
      ...{ name, help, ...common },
      collect() {
        this.reset()
        for (const row of status()) this.inc({ webhook: row.name }, read(row, now()))
      },
    })
  for (const { name, help, read } of gauges)
    new Gauge({
      ...{ name, help, ...common },
      collect() {
        this.reset()
        for (const row of status()) this.set({ webhook: row.name }, read(row, now()))
      },
    })
}
