// The real program on a store that it cannot lead on: an error that names the remedy, an exit code
// other than 0, and nothing acknowledged.

import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { runExchange } from '../../src/main/running-exchange.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import { until } from '../support/http/held-sockets.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { ExchangeNode } from '../support/running/exchange-node.ts'

const databases = sharedDatabases(2)
const alone = sharedDatabases(1)
const root = sharedFolder('refused')
let made = 0
const newFolder = () => join(root, `new-${++made}`)

/** The last output of the program. */
async function saidByProgram(url: string): Promise<string> {
  const child = new ChildExchange(newFolder(), ['--cluster', url, '--bots', 'off'])
  await assert.rejects(child.ready)
  assert.deepEqual(await child.ended, { code: 1, signal: null })
  return child.errors
}

/** The same without the second that a process needs to load: the message of the program. */
async function refusal(url: string, folder = newFolder()): Promise<string> {
  const ports = ['--port', '0', '--admin-port', '0', '--compat-port', 'off']
  const flags = [...ports, '--bots', 'off', '--data', folder, '--cluster', url]
  const config = readConfig(flags, {}, root)
  const onFatal = (error: unknown) => {
    throw error
  }
  const started = runExchange({ config, tokens: [], log: pino({ level: 'silent' }), onFatal })
  return started.then(
    () => assert.fail('it started'),
    ({ message }: Error) => message,
  )
}

test('a database that cannot be reached, or that could lose data, is rejected', async () => {
  const unread = /openperp: the connection string of the store cannot be read: it has to be post/
  assert.match(await saidByProgram('postgres://a:hidden@b'), unread)
  const unreachable = 'postgres://a:hidden@127.0.0.1:1/b'
  const said = await refusal(unreachable)
  assert.match(said, /^the database 127\.0\.0\.1:1 .*nothing listens there: check host/)
  assert.doesNotMatch(said, /hidden/)
  const single = /could be lost with one machine: synchronous_standby_names is empty/
  assert.match(await refusal(alone.url()), single)
  const examined = await openperp(['cluster', 'doctor', '--cluster', alone.url()])
  assert.equal(examined.code, 1, examined.err)
  assert.match(examined.out, /synchronous_standby_names.* must be/)
  const status = await openperp(['cluster', 'status', '--cluster', unreachable, '--json'])
  assert.deepEqual(
    [status.code, JSON.parse(status.err || status.out).error.kind],
    [3, 'unreachable'],
  )
})

test('a database of another exchange, version or history, or a full one, is rejected', async () => {
  const url = await databases.empty()
  const { primary, schema } = databases
  const node = new ExchangeNode('node', root)
  node.start(url)
  await node.leads()
  node.process.kill('SIGKILL')
  await node.process.ended
  const set = (change: string) => primary.query(`UPDATE ${schema}.openperp_exchange SET ${change}`)
  await set('version = version + 1')
  assert.match(await refusal(url), /have version \d+; this program .* Run the openperp that th/)
  await set('version = version - 1, format = format + 1')
  assert.match(await refusal(url), /in data format \d+; this program knows \d+\. Nothing was chan/)
  await set("format = format - 1, origin = decode('00', 'hex')")
  assert.match(await refusal(url), /holds another exchange .* Name the database of this exchange/)
  // The node's history is intact, but not of this chain.
  const other = join(root, 'other')
  cpSync(node.folder, other, { recursive: true, filter: (path) => !path.endsWith('lock') })
  const empty = await databases.empty()
  const ownFiles = () =>
    ['genesis.json', 'api-key-secret'].map((name) => readFileSync(join(other, name), 'utf8'))
  const before = ownFiles()
  assert.match(await refusal(empty, other), /is not part of the chain .* start it with an empty/)
  assert.deepEqual(ownFiles(), before, 'a rejected folder keeps its venue and its secret')
  await primary.query(`
    CREATE FUNCTION ${databases.schema}.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END $$`)
  await primary.query(`CREATE TRIGGER full_disk BEFORE INSERT ON ${databases.schema}.openperp_frame
    FOR EACH ROW EXECUTE FUNCTION ${databases.schema}.full()`)
  assert.match(
    await saidByProgram(empty),
    /no longer leads, and ends.*its disk is full: make room there/,
  )
})

test('a node whose clock is an hour off does not lead, and names the remedy', async () => {
  const url = await databases.empty()
  const program = join(root, 'early.mjs')
  const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))
  writeFileSync(
    program,
    `const now = Date.now
    Date.now = () => now() + 3_600_000
    await import(${JSON.stringify(main)})`,
  )
  const early = new ExchangeNode('early', root, program)
  early.start(url)
  const said =
    /this node does not lead: the clock of this machine is some 3[56]\d0 s ahead of the d/
  await until(() => said.test(early.process.errors))
  const right = new ExchangeNode('right', root)
  right.start(url)
  await right.leads()
  const { out, code } = await openperp(['cluster', 'doctor', '--cluster', url])
  assert.match(
    out,
    /bad {3}node early {2}clock: 3[56]\d{5} ms against the database's; must be within/,
  )
  assert.equal(code, 1)
  for (const node of [early, right]) node.process.kill('SIGKILL')
})
