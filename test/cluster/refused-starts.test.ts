// The real program on a store that it cannot lead on: a sentence that says what to do, an exit code
// that is not 0, and nothing acknowledged.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openperp } from '../support/cli/run-openperp.ts'
import { after, before, test } from '../support/postgres/database-tests.ts'
import { Databases } from '../support/postgres/databases.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { ExchangeNode } from '../support/running/exchange-node.ts'

let databases: Databases
let alone: Databases
const root = mkdtempSync(join(tmpdir(), 'openperp-refused-'))

before(async () => {
  databases = await Databases.start(2)
  alone = await Databases.start(1)
})
after(async () => {
  await databases.close()
  await alone.close()
  rmSync(root, { recursive: true, force: true })
})

let made = 0

/** What it says before it ends. */
async function refusal(url: string, folder = join(root, `new-${++made}`)): Promise<string> {
  const child = new ChildExchange(folder, ['--cluster', url, '--bots', 'off'])
  await assert.rejects(child.ready)
  assert.deepEqual(await child.ended, { code: 1, signal: null })
  return child.errors
}

test('a database that cannot be reached, or that would lose what it holds', async () => {
  const unread = /openperp: the connection string of the store cannot be read: it has to be post/
  assert.match(await refusal('postgres://a:hidden@b'), unread)
  const silent = 'postgres://a:hidden@127.0.0.1:1/b'
  const said = await refusal(silent)
  assert.match(said, /openperp: the database 127\.0\.0\.1:1 .*nothing listens there: check host/)
  assert.doesNotMatch(said, /hidden/)
  const single = /openperp: .*could be lost with one machine: synchronous_standby_names is empty/
  assert.match(await refusal(alone.url()), single)
  const examined = await openperp(['cluster', 'doctor', '--cluster', alone.url()])
  assert.equal(examined.code, 1, examined.err)
  assert.match(examined.out, /synchronous_standby_names.* must be/)
  const asked = await openperp(['cluster', 'status', '--cluster', silent, '--json'])
  assert.deepEqual([asked.code, JSON.parse(asked.err || asked.out).error.kind], [3, 'unreachable'])
})

test('a database of another exchange, version or history, or without room', async () => {
  const url = await databases.empty('refused')
  const { primary } = databases
  const node = new ExchangeNode('node', root)
  node.start(url)
  await node.leads()
  node.process.kill('SIGKILL')
  await node.process.ended
  const set = (change: string) => primary.query(`UPDATE refused.openperp_exchange SET ${change}`)
  await set('version = version + 1')
  assert.match(await refusal(url), /have version 2; this program .* Run the openperp that the oth/)
  await set('version = version - 1, format = format + 1')
  assert.match(await refusal(url), /in data format \d+; this program knows \d+\. Nothing was chan/)
  await set("format = format - 1, origin = decode('00', 'hex')")
  assert.match(await refusal(url), /holds another exchange .* Name the database of this exchange/)
  // The node's history is whole, and not of this chain.
  const other = join(root, 'other')
  cpSync(node.folder, other, { recursive: true, filter: (path) => !path.endsWith('lock') })
  const empty = await databases.empty('emptied')
  assert.match(await refusal(empty, other), /is not part of the chain .* start it with an empty/)
  await primary.query(`
    CREATE FUNCTION emptied.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END $$`)
  await primary.query(`CREATE TRIGGER full_disk BEFORE INSERT ON emptied.openperp_frame
    FOR EACH ROW EXECUTE FUNCTION emptied.full()`)
  assert.match(await refusal(empty), /no longer leads, and ends.*its disk is full: make room there/)
})
