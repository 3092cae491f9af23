// What a running exchange said at /metrics, played by promtool against the alerts of
// deploy/watching, where promtool is installed.

import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Checked, checked, run } from '../deploy/checkers.ts'

const alerts = fileURLToPath(new URL('../../../../deploy/watching/alerts.yml', import.meta.url))

/** By series, as the page has it: `openperp_market_status{market="BTC",status="live"}`. */
export type Sample = ReadonlyMap<string, number>

export function sampleOf(page: string): Sample {
  const lines = [...page.matchAll(/^(openperp_\w+(?:\{.*\})?) (-?[\d.e+-]+)$/gm)]
  return new Map(lines.map(([, series, value]) => [series!, Number(value)]))
}

export type Played = Readonly<{
  folder: string
  /** One for each scrape. */
  samples: readonly Sample[]
  everySeconds: number
  alert: string
  /** Labels of the alert in addition to those of the target. */
  labels: Readonly<Record<string, string>>
  /** Whether the alert fires after the newest scrape. */
  fires: boolean
}>

/** `isGood` is null if promtool is not installed. */
export function playAlert(played: Played): Checked {
  const { folder, samples, everySeconds, alert, labels, fires } = played
  const names = new Set(samples.flatMap((sample) => [...sample.keys()]))
  const input = [...names].map((series) => ({
    series: seriesAt(series),
    values: valuesOf(series, samples),
  }))
  const all = { alertname: alert, alertstate: 'firing', ...target, ...labels }
  const test = {
    interval: `${everySeconds}s`,
    input_series: input,
    promql_expr_test: [
      {
        expr: `ALERTS{alertname="${alert}",alertstate="firing"}`,
        eval_time: `${(samples.length - 1) * everySeconds}s`,
        exp_samples: fires ? [{ labels: `ALERTS${labelsText(all)}`, value: 1 }] : [],
      },
    ],
  }
  cpSync(alerts, join(folder, 'alerts.yml'))
  // JSON is YAML.
  const file = { rule_files: ['alerts.yml'], evaluation_interval: '15s', tests: [test] }
  writeFileSync(join(folder, 'played.test.yml'), JSON.stringify(file))
  return checked(alert, run(['promtool', 'test', 'rules', 'played.test.yml'], folder))
}

const target = { instance: 'venue', job: 'openperp' }

const labelsText = (labels: Readonly<Record<string, string>>) =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`

function seriesAt(series: string): string {
  const own = labelsText(target).slice(1)
  return series.endsWith('}') ? `${series.slice(0, -1)},${own}` : `${series}{${own}`
}

/** As Prometheus stores it: a series that is missing from a scrape ends there. */
function valuesOf(series: string, samples: readonly Sample[]): string {
  let wasThere = false
  return samples
    .map((sample) => {
      const value = sample.get(series)
      const isMissing = value === undefined && wasThere
      wasThere = value !== undefined
      return isMissing ? 'stale' : (value ?? '_')
    })
    .join(' ')
}
