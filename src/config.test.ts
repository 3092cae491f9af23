import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const folder = '/exchange'
const token = 'ops:0123456789abcdef:read+markets'

const refused = (args: string[], environment: Record<string, string>, words: RegExp) =>
  assert.throws(
    () => readConfig(args, environment, folder),
    (error: Error) => error instanceof ConfigError && words.test(error.message),
  )

test('the default is a sandbox on the loopback address, without rate limits', () => {
  const config = readConfig([], {}, folder)
  assert.deepEqual(
    [config.mode, config.host, config.port, config.adminPort, config.rateLimit, config.data],
    ['sandbox', '127.0.0.1', 8080, 8081, 'off', '/exchange/data'],
  )
  assert.equal(config.reads, 'public')
  assert.ok(Object.isFrozen(config))
})

test('a flag overrides a variable, and a variable overrides the file', () => {
  const path = mkdtempSync(join(tmpdir(), 'config-'))
  try {
    const file = join(path, 'openperp.json')
    writeFileSync(file, JSON.stringify({ port: 1, adminPort: 2, credits: 3 }))
    const environment = { OPENPERP_CONFIG: file, OPENPERP_ADMIN_PORT: '20', OPENPERP_CREDITS: '30' }
    const config = readConfig(['--credits', '300'], environment, folder)
    assert.deepEqual([config.port, config.adminPort, config.credits], [1, 20, 300])
    assert.equal(readConfig(['--credits=7'], environment, folder).credits, 7)
  } finally {
    rmSync(path, { recursive: true })
  }
})

test('an invalid value is rejected with the name it was given under', () => {
  refused([], { OPENPERP_PORT: 'eighty' }, /OPENPERP_PORT must be a whole number from 0 to 65535/)
  refused(['--port', '65536'], {}, /--port must be/)
  refused([], { OPENPERP_MODE: 'test' }, /OPENPERP_MODE must be one of sandbox, venue/)
  refused([], { OPENPERP_BOTS: 'maybe' }, /OPENPERP_BOTS must be on or off/)
  refused([], { OPENPERP_KEY_HEADER: 'a b' }, /OPENPERP_KEY_HEADER/)
  refused(['--port'], {}, /--port needs a value/)
  refused(['start'], {}, /unexpected argument start/)
})

test('a boolean flag without a value is on', () => {
  const accepts = (...flags: readonly string[]) => readConfig(flags, {}, '/').acceptMissingMark
  assert.deepEqual([accepts(), accepts('--accept-missing-mark')], [false, true])
  assert.equal(accepts('--accept-missing-mark', '--seed', '7'), true)
  assert.equal(accepts('--accept-missing-mark', 'off'), false)
})

test('an unknown name is rejected, so that a typo does not select a default', () => {
  refused([], { OPENPERP_PROT: '80' }, /no setting OPENPERP_PROT/)
  refused(['--prot', '80'], {}, /no flag --prot/)
  assert.ok(readConfig([], { OPENPERP_URL: 'http://x', HOME: '/x' }, folder))
})

test('a venue needs an admin token, and no message contains a token', () => {
  refused(['--mode', 'venue'], {}, /adminTokens .* required in venue mode/)
  const config = readConfig(['--mode', 'venue', '--admin-tokens', token], {}, folder)
  assert.deepEqual(config.adminTokens[0]?.scopes, ['read', 'markets'])
  assert.deepEqual([config.rateLimit, config.reads], ['on', 'resting'])
  const short = 'ops:shortsecret:read'
  assert.throws(
    () => readConfig(['--admin-tokens', short], {}, folder),
    (error: Error) => !error.message.includes('shortsecret'),
  )
  refused(['--admin-tokens', 'ops:0123456789abcdef:everything'], {}, /one of read, markets/)
  refused(['--admin-tokens', `${token},two:0123456789abcdef:read`], {}, /all be different/)
})

test('the two planes cannot share a port', () => {
  refused(['--port', '8081'], {}, /port and adminPort must be different/)
})

test('an unreadable file and an unknown setting are named', () => {
  refused(['--config', 'nowhere.json'], {}, /\/exchange\/nowhere\.json cannot be read/)
  const path = mkdtempSync(join(tmpdir(), 'config-'))
  try {
    const file = join(path, 'openperp.json')
    writeFileSync(file, '{"colour":"blue"}')
    refused(['--config', file], {}, /there is no setting colour/)
    writeFileSync(file, '[]')
    refused(['--config', file], {}, /one JSON object/)
  } finally {
    rmSync(path, { recursive: true })
  }
})

test('variables of clients and tests are ignored without an error', () => {
  const others = { OPENPERP_URL: 'x', OPENPERP_SECRET: 'x', OPENPERP_CHROMIUM: 'x' }
  const ofTests = { OPENPERP_REQUIRE_BROWSER: '1', OPENPERP_REQUIRE_PACKAGES: '1' }
  assert.equal(readConfig([], { ...others, ...ofTests }, '/').port, 8080)
})

test('a fault in a list or a token is named with its position', () => {
  refused(
    ['--compat-port', 'on'],
    {},
    /--compat-port must be a whole number from 0 to 65535 or off/,
  )
  refused(['--host', ''], {}, /--host must be a text, not ""/)
  refused(['--admin-tokens', 'ops'], {}, /must be `name:token:scope\+scope`, separated by commas$/)
  refused(
    ['--admin-tokens', 'ops:short:read'],
    {},
    /tokens\[0\]\.token must be a text of 16 to 256/,
  )
  refused(
    ['--admin-tokens', `${token},:0123456789abcdeg:read`],
    {},
    /tokens\[1\]\.name must be 1 to 32 lower-case/,
  )
  const path = mkdtempSync(join(tmpdir(), 'config-'))
  try {
    const file = join(path, 'openperp.json')
    const given = (setting: object) => writeFileSync(file, JSON.stringify(setting))
    given({ allowedHosts: ['a', 1] })
    refused(['--config', file], {}, /allowedHosts in .* must be a list of texts, not \["a",1\]/)
    given({ adminTokens: 'ops'.length })
    refused(['--config', file], {}, /adminTokens in .* must be a list of tokens$/)
    const good = { name: 'ops', token: '0123456789abcdef', scopes: ['prices'] }
    const source = (name: string, weight: number) => ({
      ...{ name, weight, scopes: ['prices'], token: `0123456789abcdef-${name}` },
    })
    const venue = ['--config', file, '--mode', 'venue']
    given({ adminTokens: [source('one', 2), source('two', 1), source('three', 1)] })
    refused(venue, {}, /price source one has the weight 2 of 4; .* less than half/)
    given({ adminTokens: [source('one', 2), source('two', 2), source('three', 1)] })
    assert.equal(readConfig(venue, {}, folder).adminTokens.length, 3)
    given({ adminTokens: [source('one', 5), source('two', 1)] })
    assert.equal(readConfig(venue, {}, folder).adminTokens.length, 2)
    given({ adminTokens: [{ ...good, weight: 0 }] })
    refused(
      ['--config', file],
      {},
      /adminTokens .*\[0\]\.weight must be a whole number from 1 to 1/,
    )
    given({ adminTokens: [good], bots: false, compatPort: 0, allowedHosts: ['a'] })
    const config = readConfig(['--config', file], {}, folder)
    assert.deepEqual(config.adminTokens, [{ ...good, weight: 1 }])
    assert.deepEqual([config.bots, config.compatPort, config.allowedHosts], [false, 0, ['a']])
  } finally {
    rmSync(path, { recursive: true })
  }
})

test('every default is valid, in both modes, and as declared', () => {
  const venue = readConfig(['--mode', 'venue', '--admin-tokens', token], {}, folder)
  assert.deepEqual(
    [venue.metrics, venue.pastMinutes, venue.snapshotCommands],
    ['admin', 0, 200_000],
  )
  const free = readConfig(['--port', '0'], {}, folder)
  assert.deepEqual([free.compatPort, free.metrics, free.pastMinutes], [0, 'public', 120])
})

test('cluster settings need a cluster, and no message contains its password', () => {
  const cluster = 'postgres://openperp:hidden@a,b,c/openperp'
  const config = readConfig(['--cluster', cluster, '--node', 'left'], {}, folder)
  assert.deepEqual(
    [config.cluster, config.role, config.node, config.leaseMs],
    [cluster, 'trade', 'left', 3_000],
  )
  assert.equal(readConfig([], {}, folder).cluster, '')
  refused(['--node', 'left'], {}, /--node is for nodes of a cluster: name its database with clu/)
  refused([], { OPENPERP_LEASE_MS: '500' }, /OPENPERP_LEASE_MS is for nodes of a cluster/)
  refused(['--cluster', cluster, '--role', 'boss'], {}, /must be one of trade, read, not "boss"/)
  const reader = ['--cluster', cluster, '--role', 'read', '--mode', 'venue']
  refused(reader, {}, /readerKey .* is required by a node that/)
  refused(['--cluster-key', 'x'.repeat(32)], {}, /--cluster-key is for nodes of a cluster/)
  refused(['--cluster', cluster, '--cluster-key', 'secret'], {}, /must be 32 to 256 [^"]*$/)
  refused(['--cluster', cluster, '--lease-ms', '10'], {}, /--lease-ms must be a whole number from/)
  const reading = [...reader, '--reader-key', 'x'.repeat(32)]
  assert.equal(readConfig(reading, {}, folder).role, 'read')
  const keys = `a:${'x'.repeat(32)},a:${'y'.repeat(32)}`
  assert.equal(
    readConfig(['--cluster', cluster, '--reader-keys', keys], {}, folder).readerKeys,
    keys,
  )
  for (const short of ['a:b', 'x'.repeat(32), `a b:${'x'.repeat(32)}`])
    refused(
      ['--cluster', cluster, '--reader-keys', short],
      {},
      /--reader-keys must be `node:key`, separated/,
    )
  refused(['--cluster', cluster, ...reading.slice(-2)], {}, /--reader-key is for nodes with role r/)
  for (const [name, value] of [
    ['--cluster-key', 'x'.repeat(32)],
    ['--reader-keys', keys],
    ['--admin-tokens', 'ops:0123456789abcdef:read'],
    ['--link-port', '1'],
  ] as const)
    refused([...reading, name, value], {}, new RegExp(`${name} is not for a node with role read`))
  refused([...reading, '--gateways', '2'], {}, /gateways .* must be 0 at a node that reads/)
  refused(
    ['--cluster', 'mysql://a:hidden@b/c'],
    {},
    /--cluster must be postgres:[^,]*,host,host.d[^,]*$/,
  )
})

test('token names are plain, and two are reserved for the exchange', () => {
  const tokens = (name: string) => ['--admin-tokens', `${name}:0123456789abcdef:read`]
  for (const name of ['a', '0-9', 'treasury-2', 'x'.repeat(32)])
    assert.equal(readConfig(tokens(name), {}, folder).adminTokens[0]?.name, name)
  const rule = /name must be 1 to 32 lower-case letters, digits and dashes, and neither treasury/
  for (const name of [
    'treasury',
    'system',
    'Ann',
    'a_b',
    'a b',
    '',
    'x'.repeat(33),
    'аnn',
    'ann\n',
  ])
    refused(tokens(name), {}, rule)
})

test('a fixture has free ports, a manual clock and named accounts, and reads flags only', () => {
  const environment = { OPENPERP_PORT: '7', OPENPERP_BOTS: 'on', OPENPERP_NOTHING: 'x' }
  const config = readConfig(['--fixture', '--seed', '9'], environment, folder)
  const { port, adminPort, compatPort, clock, startAt, bots, pastMinutes, seed } = config
  assert.deepEqual(
    [port, adminPort, compatPort, clock, startAt, bots, pastMinutes, seed],
    [0, 0, 0, 'manual', Date.UTC(2026, 0, 1), false, 0, 9],
  )
  const accountsOf = (text: string) =>
    readConfig(['--fixture', `--accounts=${text}`], {}, folder).accounts
  assert.deepEqual(accountsOf('alice:0.000001'), [{ name: 'alice', amount: 1 }])
  assert.deepEqual(accountsOf(''), [])
  const accounts = (text: string, words: RegExp) =>
    refused(['--fixture', '--accounts', text], {}, words)
  accounts('alice', /--accounts must be name:USD, .* such as alice:50000,bob:10000, not "alice"/)
  accounts('a:1,b:2,a:3', /names a twice/)
  accounts('a:0', /gives a "0"; the amount must be above 0 and at most 1000000000 USD/)
  accounts('a:1e5', /gives a "1e5"; the amount/)
  accounts('a:1000000000.000001', /at most 1000000000/)
  refused(['--accounts', 'a:1'], {}, /--accounts opens the accounts of a fixture: add --fixture/)
  refused([], { OPENPERP_FIXTURE: 'on' }, /no setting OPENPERP_FIXTURE/)
  refused(['--fixture', '--mode', 'venue'], {}, /--fixture is a sandbox .* mode venue/)
  refused(['--fixture', '--gateways', '1'], {}, /--fixture is one process/)
})

test('a manual clock is for a sandbox in one process, and its settings go with it', () => {
  const manual = (...flags: string[]) => ['--clock', 'manual', ...flags]
  const { startAt, pastMinutes } = readConfig(manual('--start-at', '2027-01-01'), {}, folder)
  assert.deepEqual([startAt, pastMinutes], [Date.UTC(2027, 0, 1), 0])
  refused(manual('--mode', 'venue', '--admin-tokens', token), {}, /clock manual is for a sandbox/)
  refused(manual('--gateways', '1'), {}, /clock manual needs one process/)
  refused(manual('--sources', 'simulated'), {}, /sources simulated needs clock wall/)
  refused(manual('--past-minutes', '5'), {}, /pastMinutes must be 0 with clock manual, not 5/)
  refused(['--start-at', '2026-01-01'], {}, /startAt \(OPENPERP_START_AT\) .* add --clock manual/)
  refused([], { OPENPERP_SPEED_BUMP: 'on' }, /speedBump .* add --clock manual/)
  for (const wrong of ['yesterday', '2026-02-30', '2026-01-01T00:00', '1', '1969-01-01'])
    refused(manual('--start-at', wrong), {}, /--start-at must be a UTC time from 1970 on/)
})
