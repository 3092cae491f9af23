// The files of deploy/venue checked against the program, its page and each other, without the tools
// that they are for: `npm run x check-deploy` uses those.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { backups } from '../../src/cli/offline/backups/backups.ts'
import { settingNames, variableOf } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { filledIn, readEnvFile } from '../support/deploy/env-file.ts'

const clone = fileURLToPath(new URL('../../..', import.meta.url))
const venue = join(clone, 'deploy/venue')
const page = readFileSync(join(clone, 'docs/operating/one-machine.md'), 'utf8')
const textOf = (path: string) => readFileSync(join(venue, path), 'utf8')
const files = (readdirSync(venue, { recursive: true }) as string[])
  .filter((path) => statSync(join(venue, path)).isFile())
  .toSorted()

const tokens = ['operator:read+markets+accounts+money+operate', 'second:read+money', 'metrics:read']
  .map((each) => each.replace(':', `:${each.slice(0, 6).repeat(6)}:`))
  .join(',')

test('every setting in a file exists', () => {
  const known = new Set([...settingNames.map(variableOf)])
  const named = files.flatMap((path) => [...textOf(path).matchAll(/\bOPENPERP_[A-Z_]+/g)])
  assert.deepEqual(
    named.map(([name]) => name).filter((name) => !known.has(name)),
    [],
  )
})

test('a venue starts with its file once tokens are filled in, and not before', () => {
  const path = join(venue, 'env/venue.env')
  const config = readConfig([], filledIn(path, { OPENPERP_ADMIN_TOKENS: tokens }), '/')
  assert.deepEqual([config.mode, config.adminHost], ['venue', '127.0.0.1'])
  assert.equal(config.priceSources.length, 3)
  assert.throws(() => readConfig([], filledIn(path, {}), '/'), /OPENPERP_ADMIN_TOKENS/)
  for (const { name, value, isSecret } of readEnvFile(path))
    assert.equal(value.includes('CHANGE-ME'), isSecret, name)
})

test('the proxy gets the variables that it uses, and forwards to the ports of the exchange', () => {
  const used = [...textOf('Caddyfile').matchAll(/\{\$([A-Z_]+)\}/g)].map(([, name]) => name!)
  const given = readEnvFile(join(venue, 'env/caddy.env')).map(({ name }) => name)
  assert.deepEqual([...new Set(used)].toSorted(), given.toSorted())
  const settings = filledIn(join(venue, 'env/venue.env'), {})
  const ports = [...textOf('Caddyfile').matchAll(/reverse_proxy 127\.0\.0\.1:(\d+)/g)]
  assert.deepEqual(
    ports.map(([, port]) => port),
    [settings.OPENPERP_PORT, settings.OPENPERP_COMPAT_PORT],
  )
})

test('units and containers run existing commands and flags', () => {
  for (const path of ['systemd/openperp-backup.service', 'compose.yaml']) {
    const text = textOf(path).replaceAll(/\n +/g, ' ')
    const [, flags] = /openperp\.mjs backups \S+([^\n;]*)/.exec(text)!
    for (const [, flag] of flags!.matchAll(/--([\w-]+)/g))
      assert.ok(flag! in backups.options, `${path}: --${flag}`)
  }
  for (const path of files.filter((name) => /\.(?:service|timer)$/.test(name)))
    for (const line of textOf(path).split('\n'))
      assert.match(line, /^(?:|#.*|\[\w+\]|[A-Z]\w+=.*)$/, `${path}: ${line}`)
  const stops = /^TimeoutStopSec=(\d+)$/m.exec(textOf('systemd/openperp.service'))![1]
  assert.ok(textOf('compose.yaml').includes(`stop_grace_period: ${stops}s`))
})

test('compose names existing files', () => {
  const text = textOf('compose.yaml')
  assert.doesNotMatch(text, /\t/)
  for (const [, named] of text.matchAll(/(?:env_file: |- )(\.{0,2}\/?[\w/.]+)(?::\/|\n)/g))
    if (/^\.|^env\//.test(named!)) assert.ok(existsSync(join(venue, named!)), named)
})

test('the page names every file, and only existing ones', () => {
  const named = [...page.matchAll(/`deploy\/venue\/([\w@./-]+)`/g)].map(([, path]) => path!)
  for (const path of named) assert.ok(existsSync(join(venue, path)), path)
  assert.deepEqual(
    files.filter((path) => !named.includes(path)),
    [],
  )
})
