// An exchange moves from a machine into a cluster, and out of it. It goes on at one place at any
// time, with the same state, keys and texts.

import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signedBody } from '../../src/client/signed-body.ts'
import { openPostgresStore } from '../../src/journal/postgres/open-store.ts'
import { formatVersion, readDataFolder } from '../../src/sequencer/data-folder.ts'
import { runMoves } from '../programs/moves/move-rounds.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { DiskHistory } from '../support/disk-history.ts'
import { now } from '../support/postgres/chain.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { dataOf } from '../support/running/connection.ts'
import { alice, bob, ExchangeNode } from '../support/running/exchange-node.ts'

const databases = sharedDatabases(2)
const root = sharedFolder('moves')

type Said = Readonly<{ seq: number; stateHash: string; error: Readonly<{ message: string }> }>

const move = async (action: 'adopt' | 'leave', folder: string, url: string) =>
  (await openperpJson<Said>(['cluster', action, '--data', folder, '--cluster', url])).json

const refusal = async (...args: Parameters<typeof move>) => (await move(...args)).error.message

/** Why the program does not start with this folder. */
async function notStarted(node: ExchangeNode, url: string): Promise<string> {
  node.start(url)
  await assert.rejects(node.process.ready)
  return node.process.errors
}

async function stop({ process }: ExchangeNode): Promise<void> {
  process.kill('SIGTERM')
  await process.ended
}

async function apiKeys(node: ExchangeNode): Promise<readonly string[]> {
  const signing = { type: 'list_api_keys', timestamp: Date.now() } as const
  const reply = await node.post('/account/api_keys', await signedBody(alice, {}, signing))
  return dataOf<{ active_api_keys: string[] }>(reply).active_api_keys
}

/** An order that a slow machine may send again, too. */
async function lastingText(): Promise<string> {
  const order = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01' } as const
  const signing = { type: 'create_order', timestamp: Date.now(), expiryWindow: 600_000 } as const
  const fields = { ...order, tif: 'GTC', reduce_only: false } as const
  return JSON.stringify(await signedBody(bob, fields, signing))
}

/** A signed text that was used before is refused, and the key has its secret part. */
async function goesOn(node: ExchangeNode, text: string, key: string): Promise<void> {
  await node.leads()
  assert.equal(await node.position(bob), 0.01)
  assert.match(JSON.stringify((await node.post('/orders/create', text)).body), /REPLAYED/)
  assert.deepEqual(await apiKeys(node), [key])
}

test('a client uses its key and texts before a move, in a cluster, and after it', async () => {
  const url = await databases.empty()
  const node = new ExchangeNode('node', root)
  const { folder } = node
  node.start('')
  await node.leads()
  await node.prepare()
  await node.trade()
  const text = await lastingText()
  dataOf(await node.post('/orders/create', text))
  const signing = { type: 'create_api_key', timestamp: Date.now() } as const
  const made = await node.post('/account/api_keys/create', await signedBody(alice, {}, signing))
  const { api_key: key } = dataOf<{ api_key: string }>(made)
  assert.match(await refusal('adopt', folder, url), /is in use|another/)
  await stop(node)
  const state = await node.state()
  const adopted = await move('adopt', folder, url)
  assert.deepEqual({ seq: adopted.seq, hash: adopted.stateHash }, state)
  assert.deepEqual(await move('adopt', folder, url), adopted, 'finished: nothing is left to do')
  assert.match(await notStarted(node, ''), /belongs to a cluster, where the exchange may go on/)
  node.start(url)
  await goesOn(node, text, key)
  assert.match(await refusal('leave', join(root, 'elsewhere'), url), /holds another exchange/)
  const copied = join(root, 'copied')
  cpSync(folder, copied, { recursive: true, filter: (path) => !path.endsWith('lock') })
  assert.match(await refusal('leave', copied, url), /node leads: stop all trading nodes/)
  await stop(node)
  const left = await move('leave', folder, url)
  assert.deepEqual({ seq: left.seq, hash: left.stateHash }, await node.state())
  assert.deepEqual(await move('leave', folder, url), left, 'finished: nothing is left to do')
  assert.match(await refusal('leave', copied, url), /has left for .*node: use that folder/)
  assert.match(await notStarted(node, url), /has left the database .* for .*node, and goes on ther/)
  node.start('')
  await goesOn(node, text, key)
  await stop(node)
})

/** A small exchange of its own in a folder that is closed. */
async function small(name: string, seed: number): Promise<string> {
  const history = new DiskHistory(seed)
  await history.open()
  await history.run(30, 5)
  await history.data.close()
  const folder = join(root, name)
  cpSync(history.folder, folder, { recursive: true })
  await history.end()
  return folder
}

const openLive = (folder: string, connectionString: string) =>
  openPostgresStore({
    ...{ connectionString, format: formatVersion, leaseMs: 30_000, now, adopted: null },
    origin: readDataFolder(folder).origin,
  })

test('a store with anything else, and a folder that is not whole, is refused', async () => {
  const url = await databases.empty()
  const [one, other] = [await small('one', 1), await small('other', 1)]
  await move('adopt', one, url)
  assert.match(await refusal('adopt', other, url), /holds an exchange already/)
  const damaged = await small('damaged', 1)
  const [segment] = readdirSync(join(damaged, 'journal')).filter((name) => name.endsWith('.seg'))
  const file = join(damaged, 'journal', segment!)
  const bytes = readFileSync(file)
  bytes[300]! ^= 1
  writeFileSync(file, bytes)
  const next = await databases.empty()
  assert.match(await refusal('adopt', damaged, next), /journal damaged/)
  await assert.rejects(openLive(damaged, next), /holds no exchange|is not complete/)
  const empty = await databases.empty()
  assert.match(await refusal('leave', other, empty), /holds no exchange/)
  assert.match(await refusal('adopt', join(root, 'none'), url), /does not exist/)
})

test('a move that is not finished ends with its own folder and store only', async () => {
  const [url, second] = [await databases.empty(), await databases.empty()]
  const folder = await small('unfinished', 2)
  const hash = (await move('adopt', folder, url)).stateHash
  // As if it had been killed before its last step.
  const { schema, primary } = databases
  const first = schema.replace(/\d+$/, (n) => `${Number(n) - 1}`)
  const back = "SET stage = 'adopting', move = 'ours'"
  await primary.query(`UPDATE ${first}.openperp_exchange ${back}`)
  writeFileSync(join(folder, 'cluster.json'), '{"stage":"adopting","move":"ours"}')
  await assert.rejects(openLive(folder, url), { code: 'STORE_MOVING', message: /not complete/ })
  assert.match(await refusal('adopt', folder, second), /is being moved into a cluster/)
  assert.match(await refusal('leave', folder, url), /is not complete: run `openperp cluster adop/)
  // A backup of the folder went on alone.
  const parted = join(root, 'parted')
  cpSync(folder, parted, { recursive: true })
  rmSync(join(parted, 'cluster.json'))
  const history = new DiskHistory(2)
  await history.open({ folder: parted })
  await history.run(10)
  await history.data.close()
  await history.end()
  await primary.query(`DELETE FROM ${first}.openperp_frame WHERE last > 25`)
  assert.equal((await move('adopt', folder, url)).stateHash, hash)
  assert.match(await refusal('adopt', parted, url), /is not part of the chain|not the beginning/)
  assert.equal((await openperp(['cluster', 'leave', '--data', folder, '--database-lost'])).code, 0)
  await history.open({ folder })
  assert.equal(history.hash, hash)
  await history.end()
})

test('a move that is killed at a random point is complete when it is run again', async () => {
  await runMoves({ commands: 50, kills: 2, seed: 7, say: () => undefined })
})
