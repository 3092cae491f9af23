// deploy/watching against a running venue: every metric, label and runbook named by alerts and
// dashboard exists. promtool itself tests the alerts (`npm run x check-deploy`).

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { backupMetrics } from '../../src/cli/offline/backups/textfile.ts'
import { metricsThere } from '../../src/main/watching/metrics-page.ts'
import { adminScopes } from '../../src/protocol/admin/admin-row.ts'
import { adminToken, type Live, liveExchange } from '../support/http/live-exchange.ts'

const clone = fileURLToPath(new URL('../../..', import.meta.url))
const watching = join(clone, 'deploy/watching')
const textOf = (path: string) => readFileSync(join(watching, path), 'utf8')
const alerts = textOf('alerts.yml')
const dashboard = JSON.parse(textOf('dashboard.json')) as Dashboard
const page = readFileSync(join(clone, 'docs/operating/watching.md'), 'utf8')

type Target = Readonly<{ expr: string; legendFormat: string }>
type Panel = Readonly<{ id: number; title: string; targets?: readonly Target[] }>
type Dashboard = Readonly<{ panels: readonly Panel[] }>

/** Written by a command, or by Prometheus. */
const elsewhere = new Set([...Object.keys(backupMetrics), 'up'])
/** Added by Prometheus, and by histograms. */
const givenLabels = ['instance', 'job', 'le', 'process']

let live: Live
let shown = ''
before(async () => {
  const tokens = `root:${adminToken}:${adminScopes.join('+')}`
  live = await liveExchange(['--mode', 'venue', '--admin-tokens', tokens])
  const authorization = `Bearer ${adminToken}`
  shown = await (await fetch(`${live.adminUrl}/metrics`, { headers: { authorization } })).text()
})
after(() => live.close())

/** By name: the type after `# TYPE`. */
const shownNames = () =>
  new Set(
    [...shown.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) => of(name!, type!)),
  )
const of = (name: string, type: string) =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name]

const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!)
const targets = dashboard.panels.flatMap(({ targets: each = [] }) => each)
/** Expressions, without the texts for people. */
const expressions = [
  ...[...alerts.matchAll(/^ +expr: (?:>-\n)?([\s\S]*?)\n(?= +(?:for|labels):)/gm)].map(
    ([, text]) => text!,
  ),
  ...targets.map(({ expr }) => expr),
]
const named = /\b(?:openperp|process|nodejs)_\w+|\bup\b/g

test('every metric that alerts and dashboard name is served by a running venue', () => {
  assert.equal(expressions.length, alertNames.length + targets.length)
  const there = shownNames()
  const ofNodes = metricsThere().map(({ name }) => name)
  const known = (name: string) =>
    there.has(name) || elsewhere.has(name) || (/_node_/.test(name) && ofNodes.includes(name))
  const missing = expressions.flatMap((text) =>
    [...text.matchAll(named)].map(([name]) => name).filter((name) => !known(name)),
  )
  assert.deepEqual(missing, [])
})

test('every label that is used is one of its metric', () => {
  const labels = new Map(
    metricsThere().flatMap(({ name, type, labelNames }) => {
      return of(name, type).map((each): [string, readonly string[]] => [each, labelNames])
    }),
  )
  const wrong = expressions.flatMap((text) =>
    [...text.matchAll(/(openperp_\w+)\{([^}]*)\}/g)].flatMap(([, name, chosen]) =>
      [...chosen!.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)]
        .map(([, label]) => label!)
        .filter((label) => !givenLabels.includes(label) && !labels.get(name!)?.includes(label))
        .map((label) => `${name} has no ${label}`),
    ),
  )
  assert.deepEqual(wrong, [])
})

test('each alert has a severity, and names a heading of the handbook', () => {
  const blocks = alerts.split(/^ +- alert: /m).slice(1)
  for (const block of blocks) {
    const name = block.split('\n', 1)[0]!
    assert.match(block, /severity: (?:page|warn)\}/, name)
    assert.match(block, /^ +summary: /m, name)
    const [, file, anchor] = /^ +runbook: (\S+)#(\S+)$/m.exec(block) ?? []
    assert.ok(file !== undefined && existsSync(join(clone, file)), name)
    const headings = [...readFileSync(join(clone, file), 'utf8').matchAll(/^##+ (.+)$/gm)]
    const anchors = headings.map(([, text]) => text!.toLowerCase().replaceAll(' ', '-'))
    assert.ok(anchors.includes(anchor!), `${name}: ${anchor}`)
  }
})

test('each alert has a test, and the page has their number', () => {
  const played = textOf('alerts.test.yml') + textOf('alerts.days.test.yml')
  for (const name of alertNames) assert.ok(played.includes(`alertname="${name}"`), name)
  assert.equal(new Set(alertNames).size, alertNames.length)
  assert.ok(page.includes(`| ${alertNames.length} alerts in seven groups`))
})

// The rules of `promtool check metrics`, so that they are checked where it is not installed.
const abbreviated = /_(?:s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)(?:_|$)/
const types = /_(?:counter|gauge|histogram|summary)(?:_|$)/

function lintOf(name: string, type: string, help: string): readonly string[] {
  const isTotal = name.endsWith('_total')
  return [
    ...(help.trim() === '' ? [`${name} has no help`] : []),
    ...(type === 'counter' && !isTotal ? [`${name}: a counter must end in _total`] : []),
    ...(type !== 'counter' && isTotal ? [`${name}: only a counter may end in _total`] : []),
    ...(abbreviated.test(name) ? [`${name} abbreviates its unit`] : []),
    ...(types.test(name) ? [`${name} names its type`] : []),
    ...(name !== name.toLowerCase() || name.includes(':') ? [`${name} is not snake case`] : []),
  ]
}

test('metric names pass the rules of promtool, and promtool itself where it is installed', (t) => {
  const helps = new Map([...shown.matchAll(/^# HELP (\w+) (.*)$/gm)].map(([, of, on]) => [of, on]))
  const shownTypes = [...shown.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  assert.ok(shownTypes.length > 50)
  const faults = shownTypes.flatMap(([, name, type]) =>
    lintOf(name!, type!, helps.get(name!) ?? ''),
  )
  const ours = metricsThere().flatMap(({ name, type, help }) => lintOf(name, type, help))
  assert.deepEqual([...faults, ...ours], [])
  assert.deepEqual(lintOf('x_time_ms', 'gauge', 'x'), ['x_time_ms abbreviates its unit'])
  const { error, status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    ...{ input: shown, encoding: 'utf8' },
  })
  if (error !== undefined) return t.diagnostic('promtool is not installed')
  assert.equal(status, 0, stderr)
})

test('panels of the dashboard have unique names and numbers', () => {
  const { panels } = dashboard
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const { title } of panels) assert.notEqual(title, '')
})

test('the page names every file', () => {
  for (const path of readdirSync(watching)) assert.ok(page.includes(`\`deploy/watching/${path}\``))
})
