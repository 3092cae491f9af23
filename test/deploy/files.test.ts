// The files of deploy/ checked against the program and against each other, without the tools that
// they are for: `npm run x check-deploy` uses those, and runs all of it.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { aboutOf, settingNames, variableOf } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { filledIn, readEnvFile } from '../support/deploy/env-file.ts'

const clone = fileURLToPath(new URL('../../..', import.meta.url))
const cluster = join(clone, 'deploy/cluster')
const page = readFileSync(join(clone, 'docs/operating/cluster.md'), 'utf8')
const textOf = (path: string) => readFileSync(join(cluster, path), 'utf8')
const files = (readdirSync(cluster, { recursive: true }) as string[])
  .filter((path) => statSync(join(cluster, path)).isFile())
  .toSorted()
const envFiles = files.filter((path) => path.endsWith('.env'))
const variablesOf = (path: string) => readEnvFile(join(cluster, path))

/** As an operator fills in the secrets of each role. */
const filled = {
  trade: {
    OPENPERP_CLUSTER: 'postgres://openperp:secret@a:5432,b:5432,c:5432/openperp',
    OPENPERP_CLUSTER_KEY: 'k'.repeat(64),
    OPENPERP_READER_KEYS: `c-read:${'r'.repeat(64)}`,
    OPENPERP_ADMIN_TOKENS: 'operator:0123456789abcdef:read+operate',
  },
  read: {
    OPENPERP_CLUSTER: 'postgres://c-read:secret@a:5432,b:5432,c:5432/openperp',
    OPENPERP_READER_KEY: 'r'.repeat(64),
  },
}

test('every setting in a file exists', () => {
  const known = new Set(settingNames.map(variableOf))
  const unknown = files.flatMap((path) =>
    [...textOf(path).matchAll(/OPENPERP_[A-Z_]+/g)]
      .map(([name]) => name)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('both roles start with their files, once secrets are filled in, and not before', () => {
  for (const role of ['trade', 'read'] as const) {
    const own = filledIn(join(cluster, `env/${role}.env`), filled[role])
    const common = filledIn(join(cluster, 'env/cluster.env'), {})
    const config = readConfig([], { ...common, ...own }, '/')
    assert.deepEqual([config.role, config.mode], [role, 'venue'])
    const asShipped = filledIn(join(cluster, `env/${role}.env`), {})
    assert.throws(
      () => readConfig([], { ...common, ...asShipped }, '/'),
      /OPENPERP_(?:ADMIN|CLUSTER|READER)/,
    )
  }
})

test('exactly the secrets are marked', () => {
  const secret = new Set(settingNames.filter((name) => aboutOf(name).secret).map(variableOf))
  for (const path of envFiles)
    for (const { name, value, isSecret } of variablesOf(path)) {
      const isOne = secret.has(name) || name === 'OPENPERP_ADMIN_TOKENS' || /PASSWORD/.test(name)
      assert.equal(isSecret, isOne, `${path}: ${name}`)
      assert.equal(value.includes('CHANGE-ME'), isOne, `${path}: ${name}`)
    }
})

test('the script, the proxy and the units get exactly the variables that they use', () => {
  const names = (path: string) => variablesOf(path).map(({ name }) => name)
  const usedIn = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map((found) => found[1]!))].toSorted()
  const script = textOf('database.sh').replace(/^\s*#.*$/gm, '')
  const own =
    /(?:\$\{?|\\getenv \w+ )((?:DATABASE|MONITOR|TLS|PG|REPLICATION|EXCHANGE)_[A-Z]+|NETWORKS)/g
  assert.deepEqual(usedIn(script, own), names('env/database.env').toSorted())
  const caddy = usedIn(textOf('Caddyfile'), /\{\$([A-Z_]+)\}/g)
  assert.deepEqual(caddy, names('env/caddy.env').toSorted())
})

test('units have what a node needs, and name existing files', () => {
  const units = files.filter((path) => path.endsWith('.service'))
  assert.equal(units.length, 3)
  for (const path of units) {
    const text = textOf(path)
    for (const section of ['Unit', 'Service', 'Install']) assert.ok(text.includes(`[${section}]`))
    for (const line of text.split('\n'))
      assert.match(line, /^(?:|#.*|\[\w+\]|[A-Z]\w+=.*)$/, `${path}: ${line}`)
    assert.match(text, /^Restart=always$/m)
    assert.match(text, /^StartLimitIntervalSec=0$/m)
    const [, inPackage] = /openperp\/node_modules\/openperp\/((?:scripts|deploy)\S+)/.exec(text)!
    assert.ok(existsSync(join(clone, inPackage!)), inPackage)
    for (const [, name] of text.matchAll(/^EnvironmentFile=\/etc\/openperp\/([\w%]+)\.env$/gm))
      assert.ok(name === '%i' || files.includes(`env/${name}.env`), name)
  }
})

test('compose files are consistent, and name existing files and services', () => {
  const all = textOf('compose.yaml')
  const services = (text: string) =>
    [...text.split(/^(?:services|volumes):$/m)[1]!.matchAll(/^ {2}(\w+):$/gm)].map(
      ([, name]) => name!,
    )
  for (const path of files.filter((name) => name.endsWith('.yaml'))) {
    const text = textOf(path)
    assert.doesNotMatch(text, /\t/)
    for (const line of text.split('\n')) assert.equal(/^ */.exec(line)![0].length % 2, 0, line)
    for (const [, anchor] of text.matchAll(/\*(\w+)/g)) assert.ok(text.includes(`: &${anchor}\n`))
    for (const [named] of text.matchAll(/(?<=[ [])env\/\w+\.env(?=[,\]\n])/g))
      assert.ok(files.includes(named), named)
    for (const [, named] of text.matchAll(/dockerfile: (\S+)/g)) assert.ok(files.includes(named!))
    for (const [, named] of text.matchAll(/^ +service: (\w+)$/gm))
      assert.ok(services(all).includes(named!), named)
  }
  assert.deepEqual(services(all), ['monitor', 'database', 'trade', 'read', 'proxy'])
  assert.deepEqual(services(textOf('compose.managed.yaml')), ['trade', 'read', 'proxy'])
})

test('the page names every file, and only existing ones', () => {
  const named = [...page.matchAll(/`deploy\/cluster\/([\w@./-]+)`/g)].map(([, path]) => path!)
  for (const path of named) assert.ok(existsSync(join(cluster, path)), path)
  assert.deepEqual(
    files.filter((path) => !named.includes(path)),
    [],
  )
})
