// The webhooks of the configuration, run by the process that leads and by no other.

import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { WebhookStanding } from '../../gateway/admin/operator.ts'
import { Counter, Gauge, type Registry } from '../../gateway/packages.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { Sequencer } from '../../sequencer/sequencer.ts'
import { Webhook } from './webhook.ts'

export type Webhooks = Readonly<{
  standing(): readonly WebhookStanding[]
  close(): Promise<void>
}>

type Needs = Readonly<{ config: Config; sequencer: Sequencer; history: OpenHistory; log: Logger }>

/** Resolves when the place of each is durable: from then on nothing is missed. */
export async function startWebhooks(needs: Needs): Promise<Webhooks> {
  const { config, sequencer, history, log } = needs
  const end = new AbortController()
  const exchange = {
    seq: () => sequencer.seq,
    view: () => sequencer.view,
    submit: (command: Parameters<Sequencer['submit']>[0]) => sequencer.submit(command),
  }
  const hooks: Webhook[] = []
  for (const setting of config.webhooks) {
    const parts = { setting, exchange, log, history: history.history, signal: end.signal }
    hooks.push(await Webhook.open(parts))
  }
  const runs = hooks.map((hook) => hook.run())
  return {
    standing: () => hooks.map(({ standing }) => standing),
    async close() {
      end.abort()
      await Promise.all(runs)
    },
  }
}

type Told = Readonly<{ name: string; help: string; read(row: WebhookStanding): number }>

const counters: readonly Told[] = [
  {
    name: 'openperp_webhook_delivered_total',
    help: 'Messages that a webhook took since the start',
    read: ({ delivered }) => delivered,
  },
  {
    name: 'openperp_webhook_failed_total',
    help: 'Attempts that a webhook did not take since the start',
    read: ({ failed }) => failed,
  },
]

const gauges: readonly Told[] = [
  {
    name: 'openperp_webhook_failing_seconds',
    help: 'Since when the oldest message is tried in vain; 0: none is',
    read: ({ failingSince }) => (failingSince === null ? 0 : (Date.now() - failingSince) / 1_000),
  },
  {
    name: 'openperp_webhook_given_up',
    help: 'Messages that were given up, of the newest 50',
    read: ({ givenUp }) => givenUp.length,
  },
]

export function addWebhookMetrics(registry: Registry, { standing }: Webhooks): void {
  const common = { labelNames: ['webhook'], registers: [registry] }
  for (const { name, help, read } of counters)
    new Counter({
      ...{ name, help, ...common },
      collect() {
        this.reset()
        for (const row of standing()) this.inc({ webhook: row.name }, read(row))
      },
    })
  for (const { name, help, read } of gauges)
    new Gauge({
      ...{ name, help, ...common },
      collect() {
        this.reset()
        for (const row of standing()) this.set({ webhook: row.name }, read(row))
      },
    })
}
