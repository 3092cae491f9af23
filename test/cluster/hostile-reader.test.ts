// A program with everything that the disk of a read node has: its link key, its user of the
// database, its folder and its settings. None of its attacks changes anything.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { keyOfSeed } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { readConfig } from '../../src/config.ts'
import type { Command } from '../../src/core/index.ts'
import type { ForwardedAnswer, ForwardedRequest } from '../../src/gateway/intake/forwarded.ts'
import { decodeFrame, eachRecord } from '../../src/journal/frame.ts'
import { hostsOf } from '../../src/journal/postgres/hosts.ts'
import { PostgresStore } from '../../src/journal/postgres/postgres-store.ts'
import { newReaderOwner } from '../../src/main/cluster/reader-owner.ts'
import type { RunningExchange } from '../../src/main/run-options.ts'
import { runExchange } from '../../src/main/running-exchange.ts'
import { fetchFolder } from '../../src/sequencer/cluster/fetch-folder.ts'
import { decodeEntry } from '../../src/sequencer/codec.ts'
import { formatVersion, readDataFolder } from '../../src/sequencer/data-folder.ts'
import { keySecretFile } from '../../src/sequencer/key-secret.ts'
import { dialNode, linkKeyOf } from '../../src/sequencer/link/node-link.ts'
import { until } from '../support/http/held-sockets.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { RawLink } from '../support/running/raw-link.ts'
import { listing, order } from '../support/small-exchange/small-exchange.ts'

const databases = sharedDatabases(2)
const root = sharedFolder('hostile-reader')

const [alice, mallory] = [1, 3].map((n) => keyOfSeed(new Uint8Array(32).fill(n)))
const secrets = {
  cluster: 'c'.repeat(40),
  eyes: 'e'.repeat(40),
  ears: 'f'.repeat(40),
  token: 'admin-token-of-the-hostile-test',
}
const ports = ['--port', '0', '--admin-port', '0', '--compat-port', 'off', '--mode', 'venue']

async function run(url: string, node: string, flags: readonly string[]): Promise<RunningExchange> {
  const own = ['--cluster', url, '--node', node, '--data', join(root, node)]
  const all = [...ports, ...own, '--lease-ms', '60000', '--rate-limit', 'on', ...flags]
  const config = readConfig(all, {}, root)
  const log = pino({ level: 'silent' })
  const onFatal = (error: unknown) => assert.fail(error as Error)
  return runExchange({ config, tokens: config.adminTokens, log, onFatal })
}

type Attacked = Readonly<{
  leader: RunningExchange
  /** Address of its link. */
  link: string
  /** As the user of the read node. */
  url: string
  account: number
  order: number
  /** Armed at another read node. */
  armed: string
  /** That other read node. */
  ears: RawLink
}>

test('a program with everything that a reader has can do no more than read', async () => {
  const url = await makeUsers()
  const reader = url.replace('openperp@', 'eyes@')
  const trading = ['--cluster-key', secrets.cluster, '--link-port', '0']
  const keys = ['--reader-keys', `eyes:${secrets.eyes},ears:${secrets.ears}`]
  const tokens = ['--admin-tokens', `tests:${secrets.token}:read+money+operate`]
  const leader = await run(url, 'leads', [...trading, ...keys, ...tokens])
  try {
    const eyes = await run(reader, 'eyes', ['--role', 'read', '--reader-key', secrets.eyes])
    await until(async () => (await fetch(`http://127.0.0.1:${eyes.port}/serving`)).status === 200)
    const attacked = await prepare(leader, reader)
    await redirects(eyes, leader)
    await restoreRights(url)
    await eyes.close()
    const before = await stands(attacked)
    const done = [
      ...(await attackDatabase(attacked)),
      ...(await attackStore(attacked)),
      ...(await attackLink(attacked)),
      ...(await attackRequests(attacked)),
      ...(await attackReports(attacked)),
      ...(await searchDisk(attacked)),
    ]
    // A cancel that Mallory signed for its own account, which the core rejected.
    const commands = [...before.commands, 'CancelOrder']
    assert.deepEqual(await stands(attacked), { ...before, commands })
    assert.ok(done.length >= 45, `${done.length} attacks`)
    await mayTrade(attacked)
    attacked.ears.close()
  } finally {
    await leader.close()
  }
})

/** As deploy/cluster/postgres/reader.sql does. */
async function makeUsers(): Promise<string> {
  const url = await databases.empty()
  for (const text of [
    'CREATE ROLE openperp_reader NOLOGIN',
    'GRANT pg_read_all_stats TO openperp_reader',
    'CREATE ROLE eyes LOGIN',
    'GRANT openperp_reader TO eyes',
    `GRANT USAGE ON SCHEMA ${databases.schema} TO PUBLIC`,
  ])
    await databases.primary.query(text)
  return url
}

async function prepare(leader: RunningExchange, url: string): Promise<Attacked> {
  const { exchange } = leader
  const submit = (command: object) => exchange.submit(command as Command)
  await submit(listing)
  for (const { address } of [alice!, mallory!])
    await submit({ type: 'Deposit', address, amount: 1_000_000_000_000, reference: address })
  const account = exchange.view.accounts.idOf(alice!.address)
  await submit({ ...order, account, proof: null, price: 50_000, tif: 'ALO', side: 'bid' })
  const [resting] = exchange.view.orders.openOf(account)
  const [found] = await databases.primary.query<{ link: string }>(
    `SELECT link FROM ${databases.schema}.openperp_node WHERE name = 'leads'`,
  )
  const { link } = found!
  const owner = newReaderOwner('ears')
  const ears = await RawLink.open(link, 'ears', secrets.ears)
  ears.calls.notify('hello', owner)
  await until(() => ears.heard.some(({ name }) => name === 'admin'))
  const armed = `${owner}a-connection`
  const arming = { type: 'ArmConnection', account, proof: null, keepProtective: true }
  await submit({ ...arming, connection: armed })
  return { leader, link, url, account, order: resting!.order, armed, ears }
}

/** Its admin port serves nothing but the address of the leader's. */
async function redirects(eyes: RunningExchange, leader: RunningExchange): Promise<void> {
  const at = `http://127.0.0.1:${eyes.adminPort}`
  const headers = { authorization: `Bearer ${secrets.token}` }
  await until(async () => (await fetch(`${at}/leading`)).status === 421)
  const reply = await fetch(`${at}/status`, { headers })
  assert.equal(reply.status, 421)
  const place = reply.headers.get('openperp-leader')
  assert.equal(place, `http://127.0.0.1:${leader.adminPort}`)
  assert.equal((await fetch(`${place}/leading`)).status, 200)
}

/** Databases whose readers still have more rights lose them with the next start of a trader. */
async function restoreRights(url: string): Promise<void> {
  const table = `${databases.schema}.openperp_node`
  await databases.primary.query(`GRANT INSERT, UPDATE ON ${table} TO openperp_reader`)
  const { origin } = readDataFolder(join(root, 'leads'))
  const now = () => performance.now()
  const options = { connectionString: url, origin, format: formatVersion, leaseMs: 5_000, now }
  const store = await PostgresStore.open(options)
  store.close()
}

/** What no attack changes: what clients have, and the commands of the journal except for ticks. */
async function stands({ leader, account, armed }: Attacked) {
  const { view } = leader.exchange
  const rows = await databases.primary.query<{ frame: Buffer }>(
    `SELECT frame FROM ${databases.schema}.openperp_frame WHERE last > 0 ORDER BY last`,
  )
  const commands = rows.flatMap(({ frame }) => typesIn(frame))
  const { balance, pending } = view.accounts.numbersOf(account)
  return {
    ...{ balance, pending },
    orders: view.orders.openOf(account).map(({ order }) => order),
    armed: view.accounts.isArmed(account, armed),
    commands: commands.filter((type) => type !== 'Tick'),
    lead: await databases.primary.query(
      `SELECT term, holder, step_down FROM ${databases.schema}.openperp_lead`,
    ),
    nodes: await databases.primary.query(
      `SELECT name, role, link FROM ${databases.schema}.openperp_node ORDER BY name`,
    ),
  }
}

function typesIn(bytes: Buffer): readonly string[] {
  const types: string[] = []
  eachRecord(decodeFrame(bytes, 0)!, (_, from, to) => {
    const { entry } = decodeEntry(bytes, from, to)
    types.push(entry.kind === 'command' ? entry.command.type : entry.kind)
  })
  return types
}

/** The attack fails with this error. */
async function fails(name: string, attack: () => Promise<unknown>, why: RegExp): Promise<string> {
  const result = await attack().then(
    (value) => `succeeded with ${JSON.stringify(value)}`,
    (error: Error) => error.message,
  )
  assert.match(result, why, name)
  return name
}

const denied = /permission denied|must be (?:owner|able|superuser)|row-level security/

const locked = (table: string, mode: string) =>
  `DO $$ BEGIN LOCK TABLE ${table} IN ${mode} MODE; END $$`

const locks = {
  'lock the table of the lease': locked('openperp_lead', 'ACCESS SHARE'),
  'lock the chain': locked('openperp_frame', 'EXCLUSIVE'),
  'lock the reports': locked('openperp_node', 'ACCESS EXCLUSIVE'),
  'lock the report of the leader': "SELECT name FROM openperp_node WHERE name = 'leads' FOR UPDATE",
}

/** Statements of its user of the database. */
async function attackDatabase({ url, leader }: Attacked): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: hostsOf(url)[0]!.url })
  await client.connect()
  const holder = '(SELECT holder FROM openperp_lead)'
  const report = (change: object) => {
    const own = { name: 'eyes', holder: 'eyes/x', role: 'read', version: '1', link: '', hosts: '' }
    const row = { ...own, wall: 0, seq: 0, hash_seq: 0, hash: '', reported: 'now()', ...change }
    const shown = (value: unknown) =>
      typeof value === 'string' && !/[()]/.test(value) ? `'${value}'` : String(value)
    const values = Object.values(row).map(shown).join(', ')
    return `INSERT INTO openperp_node (${Object.keys(row).join(', ')}) VALUES (${values})
      ON CONFLICT (name) DO UPDATE SET (${Object.keys(row).join(', ')}) = ROW (${values})`
  }
  const statements: Record<string, string> = {
    'append a frame': `INSERT INTO openperp_frame SELECT last + 1, seal, seal, frame
      FROM openperp_frame ORDER BY last DESC LIMIT 1`,
    'change a frame': 'UPDATE openperp_frame SET frame = frame',
    'remove frames': 'DELETE FROM openperp_frame',
    'empty the chain': 'TRUNCATE openperp_frame',
    'take the lease': "UPDATE openperp_lead SET holder = 'eyes/x', term = term + 1",
    'renew the lease': 'UPDATE openperp_lead SET beat = beat + 1',
    'make the leader step down': 'UPDATE openperp_lead SET step_down = 1',
    'lock the lease': 'SELECT id FROM openperp_lead FOR UPDATE',
    ...locks,
    'read the secret': 'SELECT key_secret FROM openperp_exchange',
    'read the row of the exchange': 'SELECT * FROM openperp_exchange',
    'change the venue': "UPDATE openperp_exchange SET venue = ''",
    'change the report of the leader': "UPDATE openperp_node SET link = '' WHERE name = 'leads'",
    'remove reports': 'DELETE FROM openperp_node',
    'invent a node': report({ name: 'ghost', holder: 'ghost/x' }),
    'pass for the leader': report({ holder }),
    'write as the leader': report({ name: 'leads', holder: 'leads/x' }),
    'pass for a trading node': report({ role: 'trade' }),
    'lure other readers': report({ link: '127.0.0.1:1' }),
    'report a time that no query can read': report({ reported: 'infinity' }),
    'report a clock that no query can read': report({ wall: '(-9223372036854775808)' }),
    'report a seq that no number holds': report({ seq: '(9223372036854775807)' }),
    'fill the table': report({ version: 'x'.repeat(10_000) }),
    'become the owner': 'SET ROLE openperp',
    'lift the policies': 'ALTER TABLE openperp_node DISABLE ROW LEVEL SECURITY',
    'grant itself more': 'GRANT ALL ON openperp_frame TO eyes',
    'make a table': 'CREATE TABLE more (n int)',
    'read files': "SELECT pg_read_file('/etc/hosts')",
    'run programs': "COPY (SELECT 1) TO PROGRAM 'true'",
    'read the password of replication': 'SHOW primary_conninfo',
    'end other connections': `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = 'openperp' LIMIT 1`,
  }
  // Not refused, and without effect: no row is its own, and it has nothing to give.
  const idle = /^(?:change|lock) the report of the leader$|^grant itself more$/
  const done: string[] = []
  for (const [name, text] of Object.entries(statements)) {
    const attack = async () => (await client.query(text)).rows
    done.push(await fails(name, attack, idle.test(name) ? /succeeded with \[\]/ : denied))
  }
  const again = statements['append a frame']!
  done.push(await fails('append a frame afterwards', () => client.query(again), denied))
  await client.query(report({}))
  await client.end()
  assert.ok(leader.exchange.seq() > 0)
  return done
}

/** The program's own store, with the rights of the read node. */
async function attackStore({ url }: Attacked): Promise<readonly string[]> {
  const { origin } = readDataFolder(join(root, 'eyes'))
  const now = () => performance.now()
  const options = { connectionString: url, origin, format: formatVersion, leaseMs: 5_000, now }
  const trades = () => PostgresStore.open(options)
  const reads = await PostgresStore.open({ ...options, onExcess: (rights) => assert.fail(rights) })
  try {
    const newest = await reads.newest()
    return [
      await fails('open the store as a trading node', trades, denied),
      await fails('lead as a read node', () => reads.lead('eyes/x', newest.seq), denied),
      await fails('read the secret of the store', async () => reads.keySecret, /has no secret/),
    ]
  } finally {
    reads.close()
  }
}

/** Its key of the link. */
async function attackLink({ leader, link, account, order: resting }: Attacked) {
  const { exchange } = leader
  const done: string[] = []
  const unknown = /does not know the key/
  const dial = (node: string, key = linkKeyOf(secrets.eyes)) =>
    dialNode(link, { node, wish: 'follow' }, key)
  done.push(
    await fails('call itself another node', () => dial('ears'), unknown),
    await fails('call itself the leader', () => dial('leads'), unknown),
  )
  const asTrader = { ...linkKeyOf(secrets.eyes), id: linkKeyOf(secrets.cluster).id }
  done.push(await fails('name the key of traders', () => dial('eyes', asTrader), unknown))
  const by = { who: 'tests', why: 'a very good reason' }
  const { address } = mallory!
  const commands: Record<string, Command> = {
    'credit itself': { type: 'CreditDeposit', address, amount: 5e12, reference: 'x', by: 'tests' },
    'approve a credit': { type: 'ApproveCredit', credit: 1, approver: 'other' },
    'approve a withdrawal': { type: 'ApproveWithdrawal', withdrawal: 1, approver: 'other' },
    'place an order of another': { ...order, account, price: 40_000 },
    'cancel an order of another': {
      ...{ type: 'CancelOrder', account, proof: null, market: 1 },
      ...{ order: resting, clientOrderId: null },
    },
    'withdraw from another': { type: 'Withdraw', account, proof: null, amount: 1_000_000 },
    'halt the exchange': { type: 'SetExchangeMode', mode: 'halted' },
    'move the price': {
      ...{ type: 'OracleTick', market: 1, price: 1e6 },
      observedAtMs: null,
      jump: true,
    },
  } as unknown as Record<string, Command>
  for (const [name, command] of Object.entries(commands)) {
    const evil = await RawLink.open(link, 'eyes', secrets.eyes)
    evil.submit(command, name === 'cancel an order of another' ? null : by)
    await evil.closed
    done.push(name)
  }
  const loud = await RawLink.open(link, 'eyes', secrets.eyes)
  loud.write(Buffer.alloc(1_000, 0xff))
  await loud.closed
  const folder = join(root, 'stolen')
  const stream = await dialNode(link, { node: 'eyes', wish: 'join' }, linkKeyOf(secrets.eyes))
  await fetchFolder(stream, folder)
  assert.ok(readdirSync(folder).includes('journal'), 'it may have the journal')
  assert.equal(readdirSync(folder).includes('api-key-secret'), false)
  assert.ok(exchange.seq() > 0)
  return [...done, 'break the link', 'copy the secret']
}

const forwarded = { form: 'own', ip: '127.0.0.1', line: 1, alone: true, connection: null } as const

async function follows(link: string): Promise<readonly [RawLink, string]> {
  const evil = await RawLink.open(link, 'eyes', secrets.eyes)
  const owner = newReaderOwner('eyes')
  evil.calls.notify('hello', owner)
  await until(() => evil.heard.some(({ name }) => name === 'status'))
  return [evil, owner]
}

type Sent = Partial<Record<keyof ForwardedRequest, unknown>>

async function answerTo(evil: RawLink, sent: Sent, body: unknown): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const all = { ...forwarded, ...sent }
  const answer = await evil.calls.ask<ForwardedAnswer>('request', all, text)
  return 'refused' in answer ? answer.refused.message : `done: ${JSON.stringify(answer.reply)}`
}

/** Requests that it forwards. */
async function attackRequests({ link, order: resting, armed }: Attacked) {
  const [evil, owner] = await follows(link)
  const at = { type: 'create_order', timestamp: Date.now() } as const
  const fields = { symbol: 'BTC-USD', side: 'bid', price: '40000', amount: '0.01' }
  const wish = { ...fields, tif: 'GTC', reduce_only: false }
  const own = await signedBody(mallory!, wish, at)
  const account = alice!.address
  const cancel = { symbol: 'BTC-USD', order_id: resting }
  const ownCancel = await signedBody(mallory!, cancel, { ...at, type: 'cancel_order' })
  const arming = { ...at, type: 'cancel_on_disconnect' } as const
  const arms = await signedBody(mallory!, {}, arming)
  const deep = `{"account":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  const notAccepted = /does not accept \w+ from read nodes/
  const requests: Record<string, readonly [Sent, unknown, RegExp]> = {
    'an order without a signature': [{}, { ...own, signature: undefined }, /signature/],
    'an order signed by another': [{}, { ...own, account }, /INVALID_SIGNATURE/],
    'an order that was changed': [{}, { ...own, price: '1' }, /INVALID_SIGNATURE/],
    'a cancel signed by another': [
      { operation: 'cancel_order' },
      { ...ownCancel, account },
      /INVALID_SIGNATURE/,
    ],
    'a cancel of the order of another': [{ operation: 'cancel_order' }, ownCancel, /NOT_FOUND/],
    'an operation of operators': [{ operation: 'credit_account' }, own, notAccepted],
    'money of a sandbox': [{ operation: 'sandbox_faucet' }, { account, amount: '1' }, notAccepted],
    'a heavy read': [{ operation: 'get_leaderboard' }, {}, notAccepted],
    'a name of every object': [{ operation: 'constructor' }, own, notAccepted],
    'a form that is none': [{ form: 'toString' }, own, /forwarded request/],
    'an address that is none': [{ ip: 'localhost' }, own, /forwarded request/],
    'a body that is too large': [{}, 'x'.repeat(70_000), /BODY_TOO_LARGE/],
    'a body that is too deep': [{}, deep, /MALFORMED_REQUEST/],
    'arming the connection of another': [{ connection: armed }, arms, /not one of this node/],
    'arming without a signature': [
      { connection: `${owner}x` },
      { account, timestamp: at.timestamp },
      /signature/,
    ],
  }
  const done: string[] = []
  for (const [name, [sent, body, why]] of Object.entries(requests)) {
    const attack = () => answerTo(evil, { operation: 'create_order', ...sent }, body)
    done.push(await fails(name, async () => Promise.reject(new Error(await attack())), why))
  }
  for (const call of ['pushPrices', 'prices', 'sandbox fund', 'storeTo', 'ready', 'constructor'])
    done.push(await fails(call, () => evil.calls.ask(call, 'tests', []), /unknown call/))
  evil.close()
  return done
}

/** What it may report without a signature. */
async function attackReports({ link, leader, account, armed, ears }: Attacked) {
  const { exchange } = leader
  const [evil, owner] = await follows(link)
  const before = exchange.seq()
  for (const name of [armed, `${owner}never`, '', 'lead-x/y', null, {}])
    for (const type of ['EndConnection', 'DisarmConnection', 'Withdraw'])
      await evil.calls.ask('endConnection', type, account, name)
  const endless = Array.from({ length: 2_000 }, (_, n) =>
    evil.calls.ask('endConnection', 'EndConnection', n, `${owner}${n}`),
  )
  await Promise.all(endless)
  assert.ok(exchange.seq() - before < 100, 'endless reports leave no entries')
  ears.heard.length = 0
  const rows = [
    ['perIp', '10.0.0.9', -1_000_000],
    ['perIp', '10.0.0.8', 1e15],
    ['perIp', '10.0.0.7', 'many'],
    ['perKey', `${account} 1`, 1e15],
    ['perKey', '999999 1', 1_000],
    ['reserves', `${account}`, 1e15],
    ['constructor', 'x', 1],
    ['perIp', 'x'.repeat(1_000), 1],
  ]
  evil.calls.notify('spent', rows)
  evil.calls.notify('spent', [['perIp', '10.0.0.8', 1e15], ...rows])
  evil.calls.notify('spent', 'nothing')
  evil.calls.notify('keysUsed', [['unknown1', 1], ['x', 'y'], 7, null])
  evil.calls.notify('keysUsed', { length: 1e9 })
  await evil.calls.ask('wallClock')
  await ears.calls.ask('wallClock')
  await until(() => ears.heard.filter(({ name }) => name === 'keysUsed').length >= 2)
  const heard = (name: string) =>
    ears.heard.filter((each) => each.name === name).flatMap(({ what }) => what as unknown[])
  const tenths = 10 * exchange.settings.creditsPerIp
  assert.deepEqual(heard('spent'), [
    ['perIp', '10.0.0.8', 11 * tenths],
    ['perKey', `${account} 1`, tenths],
    ['reserves', `${account}`, tenths],
  ])
  assert.deepEqual(heard('keysUsed'), [])
  evil.calls.notify('hello', newReaderOwner('ears'))
  await evil.closed
  const names = ['end the connection of another', 'report endless ends', 'give itself credits']
  return [...names, 'take all credits', 'invent the use of a key', 'pass for another owner']
}

/** All files of the folder, and what they must not contain. */
async function searchDisk({ leader }: Attacked): Promise<readonly string[]> {
  const secret = readFileSync(keySecretFile(join(root, 'leads')), 'utf8').trim()
  const wanted = [
    Buffer.from(secret, 'hex'),
    ...[secret, secrets.token, secrets.cluster].map((text) => Buffer.from(text)),
    createHash('sha256').update(secrets.token).digest(),
  ]
  for (const folder of ['eyes', 'stolen'])
    for (const name of readdirSync(join(root, folder), { recursive: true }) as string[]) {
      const path = join(root, folder, name)
      if (!statSync(path).isFile()) continue
      const bytes = readFileSync(path)
      for (const each of wanted) assert.equal(bytes.includes(each), false, path)
    }
  assert.ok(leader.adminPort > 0)
  return ['find the secret', 'find a token', 'find the key of traders']
}

/** The same link executes what is signed: the attacks above did not fail for another reason. */
async function mayTrade({ link, leader, account }: Attacked): Promise<void> {
  const { view } = leader.exchange
  const [evil, owner] = await follows(link)
  const at = { type: 'cancel_on_disconnect', timestamp: Date.now() } as const
  const connection = `${owner}x`
  const said = await answerTo(
    evil,
    { operation: 'x', connection },
    await signedBody(alice!, {}, at),
  )
  assert.match(said, /^done: .*"armed":true/)
  assert.equal(view.accounts.isArmed(account, connection), true)
  await evil.calls.ask('endConnection', 'EndConnection', account, connection)
  assert.equal(view.accounts.isArmed(account, connection), false)
  assert.equal(view.orders.openOf(account).length, 0, 'its end cancels')
  evil.close()
}
