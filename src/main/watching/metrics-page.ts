// The generated page docs/operating/watching.md with its table of metrics, and its path. The table
// is made from the metrics themselves, without reading their values.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMetrics } from '../metrics.ts'
import { addPriceMetrics } from '../prices/price-metrics.ts'
import { addTreasuryMetrics } from '../treasury/treasury-metrics.ts'
import { addWebhookMetrics } from '../webhooks/webhooks.ts'
import { addAccessMetrics } from './access-metrics.ts'
import { addApprovalMetrics } from './approval-metrics.ts'
import { addExchangeMetrics } from './exchange-metrics.ts'

export const metricsPageFile = fileURLToPath(
  new URL('../../../../docs/operating/watching.md', import.meta.url),
)

export type MetricAbout = Readonly<{
  name: string
  help: string
  type: string
  labelNames: readonly string[]
}>

/** All metrics of the exchange, including those of a cluster. */
export function metricsThere(): readonly MetricAbout[] {
  const { registry } = createMetrics({ node: {} } as never)
  addExchangeMetrics(registry, {} as never)
  addApprovalMetrics(registry, {} as never)
  addAccessMetrics(registry, {} as never)
  addPriceMetrics(registry, {} as never, undefined as never)
  addWebhookMetrics(registry, {} as never)
  addTreasuryMetrics(registry, {} as never)
  const all = registry.getMetricsAsArray() as unknown as readonly MetricAbout[]
  return all.filter(({ name }) => name.startsWith('openperp_'))
}

function rowOf({ name, help, labelNames }: MetricAbout): string {
  const labels = labelNames.map((label) => `\`${label}\``).join(', ')
  return `| \`${name}\` | ${labels} | ${help} |\n`
}

const begin = '<!-- metrics: made by `npm run docs` -->\n\n'
const end = '\n<!-- end of metrics -->\n'

export function metricsPage(): string {
  const page = readFileSync(metricsPageFile, 'utf8')
  const from = page.indexOf(begin) + begin.length
  const to = page.indexOf(end)
  if (from < begin.length || to < from) throw new Error('the page has no place for the metrics')
  const head = '| Metric | Labels | |\n|---|---|---|\n'
  return page.slice(0, from) + head + metricsThere().map(rowOf).join('') + page.slice(to)
}
