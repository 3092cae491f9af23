// alice and bob are in the documentation with their secrets. A venue rejects them on every path.

import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKey } from '../../src/client/key.ts'
import { sandboxKeys } from '../../src/client/sandbox-keys.ts'
import { readConfig } from '../../src/config.ts'
import { sandboxAddresses } from '../../src/protocol/auth/sandbox-addresses.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, freshTimestamp, refused } from '../support/http/api-client.ts'
import { liveExchange } from '../support/http/live-exchange.ts'
import { subaccountBody } from '../support/http/subaccount-body.ts'

const venue = ['--mode', 'venue', '--gateways', '0']
const live = await liveExchange(venue)
after(() => live.close())
const { api } = live
const admin = new AdminClient(live)
const says = /^INVALID_ADDRESS: Invalid public key in \w+: this is (alice|bob) of every sandbox/
const no = { status: 400, says } as const
const mine = newKey()
const btc = { template: 'btc', oracle: '100000' }
const wish = { symbol: 'BTC', side: 'bid', price: '1', amount: '1', tif: 'GTC' }
const order = { ...wish, reduce_only: false }

test('the list of published addresses is that of the keys', () => {
  const keys = sandboxKeys.map(({ name, key }) => [key.address, name])
  assert.deepEqual(keys, [...sandboxAddresses])
})

test('a venue credits them nothing, and gives them no role', async () => {
  for (const { key } of sandboxKeys) {
    const account = key.address
    refused(await admin.post('/deposits', { account, amount: '5', reference: account }), no)
    refused(await admin.post('/markets/list', { ...btc, backstop_address: account }), no)
    const settings = ['--mode', 'venue', '--admin-tokens', `a:${account}:read`]
    assert.throws(
      () => readConfig([...settings, '--operator-accounts', account], {}, '/'),
      /operatorAccounts has (alice|bob) of every sandbox/,
    )
  }
  dataOf(await admin.post('/deposits', { account: mine.address, amount: '500', reference: 'mine' }))
})

test('a venue accepts no signature of theirs, and no right for them', async () => {
  for (const { key } of sandboxKeys) {
    for (const [path, body] of [
      ['/orders/create', order],
      ['/orders/cancel_all', { all_symbols: true, exclude_reduce_only: false }],
      ['/account/withdraw', { amount: '1' }],
      ['/account/api_keys/create', {}],
      ['/agent/list', {}],
    ] as const)
      refused(await api.signed(key, path, body), no)
    refused(await api.signed(mine, '/orders/create', order, { agent: key }), no)
    refused(await api.signed(mine, '/agent/bind', { agent_wallet: key.address }), no)
    for (const pair of [
      [mine, key],
      [key, mine],
    ] as const) {
      const body = await subaccountBody(...pair, freshTimestamp())
      refused(await api.post('/account/subaccount/create', body), no)
    }
  }
  // A right that an earlier version granted can still be removed.
  const agent_wallet = sandboxKeys[0]!.key.address
  refused(await api.signed(mine, '/agent/revoke', { agent_wallet }), {
    status: 422,
    says: /AGENT_NOT_FOUND/,
  })
})

test('a deposit for them reported by a treasury is rejected with the reason', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'openperp-published-'))
  const folder = join(home, 'treasury')
  const places = { in: join(folder, 'in'), refused: join(folder, 'in', 'refused') }
  mkdirSync(places.in, { recursive: true })
  const setting = JSON.stringify({ kind: 'files', folder })
  const other = await liveExchange([...venue, '--treasury', setting])
  t.after(async () => {
    await other.close()
    rmSync(home, { recursive: true, force: true })
  })
  const [{ key }] = sandboxKeys as [(typeof sandboxKeys)[0]]
  const head = 'type,reference,account,amount,withdrawal_id,reason\n'
  const part = join(home, 'one.part')
  writeFileSync(part, `${head}deposit,tx-1,${key.address},250,,\n`)
  renameSync(part, join(places.in, 'one.csv'))
  // The file exists a moment before its text.
  const said = () => {
    const names = existsSync(places.refused) ? readdirSync(places.refused) : []
    const [text] = names.filter((name) => name.endsWith('.txt'))
    return text === undefined ? '' : readFileSync(join(places.refused, text), 'utf8')
  }
  while (said() === '') await sleep(20)
  assert.match(said(), /alice of every sandbox/)
})

test('a sandbox still accepts them', async () => {
  const sandbox = await liveExchange()
  const { key } = sandboxKeys[0]!
  dataOf(await sandbox.sandbox('faucet', { account: key.address, amount: '5' }))
  assert.equal((await sandbox.api.signed(key, '/agent/list', {})).status, 200)
  await sandbox.close()
})
