// A fork has the exchange as it was after one entry, without the keys of its clients. The original
// keeps every byte.

import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Client } from '../../src/client/client.ts'
import { keyOfSecret, newKey } from '../../src/client/key.ts'
import type { ClosedState } from '../../src/core/index.ts'
import { readDataFolder } from '../../src/sequencer/data-folder.ts'
import { recover } from '../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../src/sequencer/snapshots/saved-state-files.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { DiskHistory } from '../support/disk-history.ts'
import { folderHash } from '../support/lab/folder-hash.ts'
import { pictureOf as corePicture } from '../support/picture.ts'
import { Fixture } from '../support/running/fixture.ts'

const history = new DiskHistory(4)
const place = mkdtempSync(join(tmpdir(), 'openperp-fork-'))
const entries = 400
const pictures: string[] = []
const times: number[] = []
let made = 0
/** As a process that was killed left it: nothing writes to it. */
let folder = ''

const recovered = (folder: string, options: Partial<Parameters<typeof recover>[1]> = {}) => {
  const opened = readDataFolder(folder)
  return recover(opened, { saved: new SavedStateFiles(opened.saved), ...options })
}
const pictureOf = (state: ClosedState) => JSON.stringify(corePicture(state as never))

before(async () => {
  await history.open({ journal: { segmentBytes: 20_000 } })
  await history.run(entries, 9)
  folder = history.copy()
  const { replica } = await recovered(folder, {
    feed: {
      after: 0,
      take: ({ outcomes }) => outcomes.forEach((each) => void times.push(each.atMs)),
    },
    watch: {
      before(seq, { state }) {
        pictures[seq - 1] = pictureOf(state)
      },
    },
  })
  pictures[entries] = pictureOf(replica.state)
})
after(async () => {
  await history.end()
  rmSync(place, { recursive: true, force: true })
})

type Said = Readonly<{
  seq: number
  at: string
  forgotten: Readonly<{ agents: number; apiKeys: number }>
  error: Readonly<{ kind: string; message: string; hint?: string }>
}>

async function fork(at: string | null, source = folder, ...flags: string[]) {
  const target = join(place, `fork-${++made}`)
  const given = [...(at === null ? [] : ['--at', at]), ...flags]
  const { code, json } = await openperpJson<Said>(['fork', source, '-o', target, ...given])
  assert.equal(existsSync(target), code === 0, 'a folder exists only if it is complete')
  return { target, code, ...json }
}

test('a fork has the exchange after any entry, and the original keeps its bytes', async () => {
  const hash = folderHash(folder)
  for (const seq of [1, 9, 10, 200, 331, entries]) {
    const made = await fork(`${seq}`)
    assert.deepEqual([made.code, made.seq], [0, seq])
    const { replica } = await recovered(made.target, { requireMark: true })
    assert.equal(pictureOf(replica.state), pictures[seq])
    assert.equal(replica.seq, seq)
    assert.deepEqual(readdirSync(made.target).sort(), [
      ...['genesis.json', 'journal', 'saved', 'snapshots'],
    ])
  }
  const ms = times[250]!
  const wanted = times.findIndex((each) => each > ms)
  assert.equal((await fork(new Date(ms).toISOString())).seq, wanted)
  assert.equal((await fork(null)).seq, entries)
  assert.equal(folderHash(folder), hash)
})

test('an anonymised fork has none of the addresses, and equal numbers', async () => {
  const { target } = await fork('300', folder, '--anonymise')
  const { replica } = await recovered(target)
  const original = await recovered(folder, { to: 300 })
  assert.equal(pictureOf(replica.state), pictures[300])
  const { accounts } = original.replica.view
  const file = join(target, 'snapshots', readdirSync(join(target, 'snapshots'))[0]!)
  const bytes = readFileSync(file, 'latin1')
  let replaced = 0
  for (let account = 1; account <= accounts.count; account++) {
    const address = accounts.addressOf(account as never)
    if (replica.view.accounts.addressOf(account as never) === address) continue
    assert.ok(!bytes.includes(address))
    replaced += 1
  }
  assert.ok(replaced > 3)
})

test('what cannot be forked is refused, with what could be', async () => {
  const refused = async (run: ReturnType<typeof fork>, words: RegExp, code = 1) => {
    const { code: found, error } = await run
    assert.equal(found, code, error.message)
    assert.match(`${error.message} ${error.hint ?? ''}`, words)
  }
  await refused(fork('401'), /there is no entry 401: entries 1 \(.*\) to 400 \(.*\) can be named/)
  await refused(fork('0'), /entry 0 is before the start: entries 1 /)
  await refused(fork('1969-01-01'), /is before the start: entries 1 /)
  await refused(fork('2300-01-01'), /is after the end: entries 1 /)
  await refused(fork('soon'), /--at soon is not a time/, 2)
  await refused(fork('1', join(place, 'nowhere')), /nowhere does not exist/, 2)
  await refused(fork('1', join(folder, 'saved')), /has no genesis.json/, 4)
  await refused(fork('1', folder, '--unknown'), /fork has no flag --unknown/, 2)
  const damaged = join(place, 'damaged')
  cpSync(folder, damaged, { recursive: true })
  const [segment] = readdirSync(join(damaged, 'journal'))
  const file = join(damaged, 'journal', segment!)
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
  await refused(fork(null, damaged), /journal damaged/, 4)
  assert.equal((await fork('1', damaged)).code, 0, 'the damage is later')
  writeFileSync(join(damaged, 'cluster.json'), '{"stage":"member"}')
  await refused(fork('1', damaged), /is the folder of a cluster node.*openperp backup/)
  const { target } = await fork('1')
  const run = await openperp(['fork', folder, '-o', target])
  assert.match(run.err, /exists and is not empty; nothing was written/)
  assert.equal((await openperp(['fork', folder])).code, 2)
  assert.equal((await openperp(['fork', target, '-o', join(target, 'inside')])).code, 2)
})

test('diff and whatif say by their exit code whether there is a difference', async () => {
  const { target } = await fork('300')
  const same = await openperp(['diff', folder, target])
  assert.deepEqual([same.code, same.out.includes('only the first has this entry')], [1, true])
  assert.match((await openperp(['diff', folder, folder])).out, /EQUAL: no difference/)
  assert.equal((await openperp(['diff', folder, place])).code, 4)
  const unchanged = await openperp(['whatif', folder])
  assert.equal(unchanged.code, 0, unchanged.out)
  assert.match(unchanged.out, /^nothing changed: .*\ndistance +0 accepted there are refused here/)
  const dropped = await openperpJson<{ distance: { dropped: number } }>([
    'whatif',
    folder,
    '--drop',
    'order=1',
    '--drop',
    'order=2',
  ])
  assert.deepEqual([dropped.code, dropped.json.distance.dropped > 0], [1, true])
  for (const [change, words] of [
    ['--drop=order=999999', /order 999999/],
    ['--drop=account=absent', /account=absent: there is no such account/],
    ['--set=NO.max_leverage=3', /no market NO; there are /],
  ] as const) {
    const missed = await openperp(['whatif', folder, change])
    assert.deepEqual([missed.code, words.test(missed.err)], [2, true], missed.err)
  }
  const refused = await openperp(['whatif', folder, '--set', 'BTC.foo=1'])
  assert.deepEqual([refused.code, /unknown parameter foo/.test(refused.err)], [2, true])
})

/** Written from time to time by a running exchange that does nothing else. */
const ownFiles = /durable\.mark$|lock$|history\.db/

test('a fork of a running exchange acts for any account, on loopback only', async () => {
  const data = join(place, 'running')
  const original = new Fixture(['--data', data])
  const { url, accounts } = await original.line
  const { address, secret } = accounts.alice!
  const alice = new Client({ url, signer: keyOfSecret(secret) })
  const order = { symbol: 'BTC', price: '90000', amount: '0.1', tif: 'GTC' } as const
  const placed = await alice.createOrder({ ...order, side: 'bid', reduce_only: false })
  const agent = newKey()
  await alice.bindAgentWallet({ agent_wallet: agent.address })
  const { api_key } = (await alice.createApiKey({})).data
  const before = (await alice.getOpenOrders()).rows.length
  const refusedHeader = await fetch(`${url}/api/v1/orders`, { headers: { 'x-act-as': address } })
  assert.match(await refusedHeader.text(), /x-act-as is for forks/)

  const hash = folderHash(data, ownFiles)
  const { target, forgotten } = await fork(null, data)
  assert.equal(folderHash(data, ownFiles), hash)
  assert.deepEqual([forgotten.agents, forgotten.apiKeys], [1, 1])

  const copy = new Fixture(['--data', target])
  const line = await copy.line
  const call = async (path: string, body?: object, headers: object = { 'x-act-as': address }) => {
    const reply = await fetch(`${line.url}/api/v1${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: reply.status, json: (await reply.json()) as { data: never; error?: string } }
  }
  const open = async () => ((await call('/orders')).json.data as object[]).length
  assert.equal(await open(), before)
  const cancel = { symbol: 'BTC', order_id: placed.order_id }
  assert.equal((await call('/orders/cancel', cancel, {})).status, 400, 'unsigned')
  assert.equal((await call('/orders/cancel', cancel, { 'x-act-as': 'x' })).status, 400)
  const wrong = await call('/orders/cancel', { ...cancel, account: accounts.bob!.address })
  assert.match(`${wrong.json.error}`, /account must match the account in the x-act-as header/)
  const page = await call('/orders/cancel', cancel, { 'x-act-as': address, origin: 'http://a.b' })
  assert.equal(page.status, 403)
  assert.equal((await call('/orders/cancel', cancel)).status, 200)
  assert.equal(await open(), before - 1)
  assert.equal((await call('/account', undefined, { 'pf-api-key': api_key })).status, 401)
  assert.equal((await alice.getOpenOrders()).rows.length, before, 'both are alive')
  await copy.end()
  await original.end()
})
