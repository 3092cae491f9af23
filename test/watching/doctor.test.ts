// `openperp doctor` of real folders, ports and settings; what a machine would have to be like is
// handed to the checks.

import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Finding } from '../../src/cli/doctor.ts'
import { keepBackup } from '../../src/cli/offline/backups/keep-backups.ts'
import { readConfig } from '../../src/config.ts'
import {
  backupFinding,
  fileSystemFinding,
  roomFinding,
} from '../../src/main/doctor/folder-checks.ts'
import {
  clockFinding,
  descriptorFinding,
  memoryFinding,
  nodeFinding,
} from '../../src/main/doctor/machine-checks.ts'
import { ofMarket } from '../../src/main/doctor/price-checks.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { type Live, liveExchange } from '../support/http/live-exchange.ts'

const root = mkdtempSync(join(tmpdir(), 'openperp-doctor-'))
const other = createServer((_, reply) => reply.end('hello'))
let live: Live
let taken = 0
before(async () => {
  live = await liveExchange()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  taken = (other.address() as AddressInfo).port
})
after(async () => {
  other.close()
  await live.close()
  rmSync(root, { recursive: true })
})

const tokens = (...names: string[]) =>
  names.map((name) => `${name}:${name.padEnd(32, '-')}:prices`).join(',')

type Verdict = Readonly<{ findings: readonly Finding[]; verdict: string }>

/** The settings of a file, and what the doctor says of them. */
async function examined(settings: object, ...flags: string[]) {
  const config = join(root, 'venue.json')
  writeFileSync(config, JSON.stringify(settings), { mode: 0o600 })
  const ran = await openperpJson<Verdict>(['doctor', '--config', config, ...flags])
  const of = (what: string) => ran.json.findings.find((each) => each.what.startsWith(what))!
  return { ...ran, of }
}

const venue = () => ({
  mode: 'venue',
  data: join(live.folder, 'data'),
  port: live.running.port,
  adminPort: live.running.adminPort,
  compatPort: 'off',
  connections: 100,
  adminTokens: tokens('one', 'two', 'three'),
})

test('an exchange that runs where it should is good, line by line', async () => {
  const { json, of } = await examined(venue())
  for (const what of ['Node', 'settings', 'data folder', 'history', 'a write that is synced'])
    assert.equal(of(what).verdict, 'good', JSON.stringify(of(what)))
  assert.equal(of('port').is, 'an exchange answers')
  assert.equal(of('adminPort').is, 'an exchange answers')
  assert.equal(of('sources of prices').is, '3: one, two, three')
  for (const { is, must } of json.findings) assert.ok(is !== '' && must !== '')
})

test('a fault is bad, with the expected value, and the exit code is 1', async () => {
  const folder = join(root, 'open')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const adminTokens = `${tokens('one')},two:of-20-characters-only:read`
  const wrong = { ...venue(), data: folder, port: taken, adminHost: '0.0.0.0', adminTokens }
  const { code, json, of } = await examined(wrong, '--backups', root)
  assert.equal(code, 1)
  assert.equal(json.verdict, 'not good')
  assert.match(of('data folder').is, /mode 755/)
  assert.match(of('port').is, /taken by another program/)
  assert.match(of('admin tokens').is, /^too short: two$/)
  assert.match(of('newest backup').is, /^none in/)
  for (const what of ['data folder', 'port', 'admin tokens', 'newest backup', 'sources of prices'])
    assert.equal(of(what).verdict, 'bad', what)
  assert.equal(of('admin port').verdict, 'warn')
})

test('unreadable settings and a file that others can read are reported', async () => {
  const { code, of } = await examined({ mode: 'venue', colour: 'red' })
  assert.deepEqual([code, of('settings').verdict], [1, 'bad'])
  assert.match(of('settings').is, /colour/)
  const config = join(root, 'readable.json')
  writeFileSync(config, JSON.stringify(venue()))
  chmodSync(config, 0o644)
  const { out } = await openperp(['doctor', '--config', config])
  assert.match(out, /bad .*readable\.json: mode 644; must be mode 600: it contains tokens/)
})

test('a data folder that the next start refuses is bad, in the words of the start', async () => {
  const { running, folder } = await liveExchange()
  await running.close()
  const data = join(folder, 'data')
  const journal = join(data, 'journal')
  const refusal = async () => {
    const again = liveExchange([], folder).then((found) => found.running.close())
    return again.then(
      () => null,
      (error: Error) => error.message,
    )
  }
  const said = async () => (await examined({ ...venue(), data })).of('history')
  assert.deepEqual([await refusal(), (await said()).verdict], [null, 'good'])
  const [segment] = readdirSync(journal).filter((name) => name.endsWith('.seg'))
  const spoils: Readonly<Record<string, (bytes: Buffer) => Buffer | null>> = {
    'durable.mark': () => null,
    // Padding is cut at the end, so that the last byte is one of the last frame.
    [segment!]: (bytes) => {
      bytes[bytes.length - 2]! ^= 1
      return bytes
    },
  }
  for (const snapshot of readdirSync(join(data, 'snapshots')))
    rmSync(join(data, 'snapshots', snapshot))
  for (const [name, spoil] of Object.entries(spoils)) {
    const file = join(journal, name)
    const whole = readFileSync(file)
    const bytes = spoil(Buffer.from(whole))
    if (bytes === null) rmSync(file)
    else writeFileSync(file, bytes)
    const { is, verdict } = await said()
    assert.deepEqual([verdict, is], ['bad', await refusal()], name)
    writeFileSync(file, whole)
  }
  assert.deepEqual([(await said()).verdict, await refusal()], ['good', null])
  rmSync(join(data, 'genesis.json'))
  assert.equal((await said()).is, await refusal())
  rmSync(folder, { recursive: true })
})

test('sources without a time, and slow prices, are warned of', async () => {
  const http = { kind: 'http', url: 'https://example.org/a', symbols: { BTC: '/b', ETH: '/e' } }
  const timed = { ...http, name: 'timed', timePath: { ETH: '/t' } }
  const { of } = await examined({ ...venue(), priceSources: [http, timed] })
  assert.equal(of('times of prices').verdict, 'warn')
  assert.equal(of('times of prices').is, 'missing for BTC, ETH')
  const kraken = { kind: 'kraken', symbols: { BTC: 'BTC/USD', ETH: 'ETH/USD' } }
  const better = await examined({ ...venue(), priceSources: [http, timed, kraken] })
  assert.equal(better.of('times of prices').is, 'missing for BTC')
  const best = await examined({ ...venue(), priceSources: [kraken] })
  assert.equal(best.of('times of prices').verdict, 'good')
  assert.equal(best.of('latency of prices'), undefined, 'a sandbox answers, which has none')
  assert.deepEqual(
    [ofMarket('BTC', 250), ofMarket('BTC', 251)].map(({ verdict }) => verdict),
    ['good', 'warn'],
  )
})

test('the newest backup is good for a day and a half', async () => {
  const backups = join(root, 'backups')
  const made = Date.UTC(2026, 0, 1)
  await keepBackup({
    ...{ data: join(live.folder, 'data'), backups, kept: { daily: 1, weekly: 1 } },
    ...{ now: () => made, onProgress: () => undefined },
  })
  assert.equal(backupFinding(backups, made + 36 * 3_600_000).verdict, 'good')
  assert.equal(backupFinding(backups, made + 36 * 3_600_000 + 1).verdict, 'bad')
  assert.equal(backupFinding(undefined, made).verdict, 'warn')
})

test('bounds of the machine', () => {
  const config = readConfig(['--connections', '1000'], {}, '/')
  const verdicts = [
    nodeFinding('20.18.9'),
    nodeFinding('20.19.0'),
    nodeFinding('22.0.0'),
    memoryFinding(999_999_999),
    clockFinding(true),
    clockFinding(false),
    clockFinding(null),
    descriptorFinding(config, 1_191),
    descriptorFinding(config, 1_192),
    descriptorFinding(config, Number.POSITIVE_INFINITY),
    fileSystemFinding(0xef53),
    fileSystemFinding(0x01021994),
    fileSystemFinding(0x6969),
    roomFinding(1.99e9),
    roomFinding(2e8),
  ].map(({ verdict }) => verdict)
  assert.deepEqual(verdicts, [
    ...['bad', 'good', 'good', 'warn', 'good', 'bad', 'warn', 'warn', 'good', 'good'],
    ...['good', 'bad', 'warn', 'warn', 'bad'],
  ])
})
