// A fixture as the program that starts it sees it: a line of JSON, funded accounts, a clock that
// stands still, and nothing left at the end.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '../../src/client/client.ts'
import { keyOfSecret } from '../../src/client/key.ts'
import { Fixture, type FixtureLine } from '../support/running/fixture.ts'
import { isAlive } from '../support/running/is-alive.ts'

const place = mkdtempSync(join(tmpdir(), 'openperp-fixtures-'))
after(() => rmSync(place, { recursive: true, force: true }))
/** Temporary folders of these fixtures alone; and what a fixture must not read. */
const environment = { TMPDIR: place, OPENPERP_PORT: '1', OPENPERP_DATA: '/nowhere' }
writeFileSync(join(place, 'openperp.env'), 'OPENPERP_MODE=venue\n')
const fixture = (...flags: string[]) => new Fixture(flags, { folder: place, environment })
const folders = () => readdirSync(place).filter((name) => name.startsWith('openperp-fixture-'))

const clientOf = ({ url, accounts }: FixtureLine, name: string) =>
  new Client({ url, signer: keyOfSecret(accounts[name]!.secret) })
const startMs = Date.UTC(2026, 0, 1)

test('a fixture prints one line, stands still, trades, and leaves nothing', async () => {
  const one = fixture('--accounts', 'alice:50000,bob:10000.5')
  const line = await one.line
  assert.deepEqual(Object.keys(line), [
    ...['url', 'ws', 'compat_url', 'admin_url', 'accounts', 'pid', 'version'],
  ])
  assert.match(line.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(line.ws, `${line.url.replace('http', 'ws')}/ws`)
  assert.deepEqual(Object.keys(line.accounts), ['alice', 'bob'])
  assert.deepEqual([line.pid, isAlive(line.pid)], [one.child.pid, true])
  const [alice, bob] = [clientOf(line, 'alice'), clientOf(line, 'bob')]
  assert.equal((await bob.getAccount()).balance, '10000.5')

  const clock = await alice.sandboxGetClock()
  const { engine_now, frozen, manual } = clock
  assert.deepEqual([engine_now, frozen, manual], [startMs, true, true])
  assert.deepEqual(await alice.sandboxGetBots(), { running: false })
  await alice.sandboxSetOracle({ symbol: 'BTC', price: '95000' })
  const order = {
    symbol: 'BTC',
    price: '95000',
    amount: '0.1',
    tif: 'GTC',
    reduce_only: false,
  } as const
  await alice.createOrder({ ...order, side: 'ask' })
  await bob.createOrder({ ...order, side: 'bid' })
  assert.equal((await bob.getPositions())[0]?.amount, '0.1', 'no speed bump')
  await bob.sandboxSetClock({ advance_ms: 3_600_000 })
  const later = await alice.sandboxSetClock({ freeze: true })
  assert.deepEqual([later.engine_now, later.manual], [startMs + 3_600_000, true])
  await assert.rejects(alice.sandboxSetClock({ resume: true }), /is manual: it moves only by adv/)

  assert.equal(folders().length, 1)
  assert.deepEqual(await one.end(), { code: 0, signal: null })
  assert.deepEqual([folders(), one.output.trimEnd().includes('\n'), one.errors], [[], false, ''])
})

test('a kept folder continues after a restart, and a reset repeats it', async () => {
  const data = join(place, 'repeated')
  const flags = ['--data', data, '--bots']
  const minute = async (client: Client) => {
    await client.sandboxSetClock({ advance_ms: 61_000 })
    return (await client.sandboxGetHash()).trading_hash
  }
  const first = fixture(...flags)
  const hash = await minute(clientOf(await first.line, 'alice'))
  await first.end()
  const second = fixture(...flags)
  const client = clientOf(await second.line, 'alice')
  assert.equal((await client.sandboxGetClock()).engine_now, startMs + 61_000)
  assert.equal((await client.sandboxGetHash()).trading_hash, hash)
  await client.sandboxReset()
  assert.equal(await minute(client), hash)
  await second.end()
})

test('the next fixture removes what a killed one left, and nothing of a running one', async () => {
  const [killed, running] = [fixture('--accounts='), fixture('--start-at', '2030-02-03T04:05Z')]
  await Promise.all([killed.line, running.line])
  await killed.kill('SIGKILL')
  assert.equal(folders().length, 2)
  const kept = join(place, 'kept')
  const next = fixture('--data', kept, '--host', '0.0.0.0')
  const { url, sandbox_token } = await next.line
  assert.match(url, /^http:\/\/127\.0\.0\.1:/)
  assert.equal((await fetch(`${url}/api/v1/sandbox/clock`)).status, 401)
  const headers = { authorization: `Bearer ${sandbox_token}` }
  const reply = await fetch(`${url}/api/v1/sandbox/clock`, { headers })
  assert.equal(((await reply.json()) as { data: { manual: boolean } }).data.manual, true)
  assert.equal((await running.line).pid, running.child.pid)
  assert.equal(folders().length, 1)
  const client = clientOf(await running.line, 'alice')
  assert.equal((await client.sandboxGetClock()).engine_now, Date.UTC(2030, 1, 3, 4, 5))
  assert.deepEqual(await running.kill('SIGTERM'), { code: 0, signal: null })
  assert.deepEqual(await next.end(), { code: 0, signal: null })
  assert.deepEqual([folders(), readdirSync(place).includes('kept')], [[], true])
  const wall = new Fixture(['--data', kept, '--clock', 'wall'], { folder: place })
  assert.equal((await wall.ended).code, 1)
  assert.match(wall.errors, /data folder .*kept has a sandbox with a manual clock: omit clock wall/)
})

test('the first test of docs/lab.md passes', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const page = readFileSync(join(root, 'docs/lab.md'), 'utf8')
  const program = /^```js\n([\s\S]*?)^```/m.exec(page)![1]!
  const installed = "spawn('npx', ['openperp', ...flags]"
  assert.ok(program.includes(installed))
  const built = JSON.stringify(join(root, 'dist/src/main/openperp.js'))
  const here = program.replace(installed, `spawn(process.execPath, [${built}, ...flags]`)
  // Inside the package, so that it can import it by its name.
  const folder = mkdtempSync(join(root, 'dist/programs-'))
  try {
    writeFileSync(join(folder, 'first.mjs'), here)
    const { NODE_TEST_CONTEXT: _, ...clean } = process.env
    const done = spawnSync(process.execPath, [join(folder, 'first.mjs')], { env: clean })
    assert.equal(done.status, 0, `${done.stdout}${done.stderr}`)
    assert.match(`${done.stdout}`, /pass 1/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
