// API keys are derived from a secret of the data folder: shown in full after restarts and from
// backups, and still valid, but not shown in full, when the secret is lost.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Key } from '../../src/client/key.ts'
import { createExchange } from '../../src/embed/embed.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { adminToken, type Live, liveExchange } from '../support/http/live-exchange.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'

const create = '/account/api_keys/create'
const list = '/account/api_keys'
const quiet = ['--past-minutes', '0']
const secretOf = (live: Live) => join(live.folder, 'data', 'api-key-secret')

type Listed = Readonly<{ active_api_keys: string[]; keys: Row[] }>

async function newApiKey({ api }: Live, key: Key): Promise<string> {
  return (await api.signed<{ data: { api_key: string } }>(key, create)).body.data.api_key
}

async function listed({ api }: Live, key: Key): Promise<Listed> {
  return dataOf<Listed>(await api.signed(key, list))
}

const accepts = async ({ api }: Live, apiKey: string) =>
  (await api.get('/time', {}, { 'SVC-API-KEY': apiKey })).status

async function backup(live: Live): Promise<string> {
  const reply = await fetch(`${live.adminUrl}/backup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ reason: 'before the weekend' }),
  })
  const { data } = (await reply.json()) as { data: { folder: string } }
  return data.folder
}

test('keys are shown in full after a restart, from a backup, and nowhere else', async () => {
  const live = await liveExchange(quiet)
  const alice = await live.trader()
  const keys = [await newApiKey(live, alice), await newApiKey(live, alice)]
  assert.equal(statSync(secretOf(live)).mode & 0o777, 0o600)
  const secret = readFileSync(secretOf(live), 'utf8')
  const folder = await backup(live)
  const restored = join(live.folder, 'restored')
  const put = await openperp(['restore', folder, '--data', join(restored, 'data')])
  assert.equal(put.code, 0, put.err)
  assert.equal(readFileSync(join(restored, 'data', 'api-key-secret'), 'utf8'), secret)
  await live.running.close()
  for (const at of [live.folder, restored]) {
    const again = await liveExchange(quiet, at)
    const { active_api_keys: whole } = await listed(again, alice)
    assert.deepEqual(whole, keys, at)
    for (const key of keys) assert.equal(await accepts(again, key), 200)
    await again.running.close()
  }
  const journal = join(live.folder, 'data', 'journal')
  const written = readdirSync(journal).map((name) => readFileSync(join(journal, name), 'latin1'))
  for (const key of keys) {
    assert.ok(written.some((text) => text.includes(key.slice(0, 8))))
    assert.ok(!written.some((text) => text.includes(key.slice(9))), 'a digest, never the key')
  }
  rmSync(live.folder, { recursive: true })
})

test('a lost secret is created again: old keys stay valid, and are listed by prefix', async () => {
  const live = await liveExchange(quiet)
  const alice = await live.trader()
  const old = await newApiKey(live, alice)
  const file = secretOf(live)
  await live.running.close()
  rmSync(file)
  const child = new ChildExchange(join(live.folder, 'data'), ['--bots', 'off'])
  await child.ready
  child.kill('SIGTERM')
  await child.ended
  assert.match(child.errors, /the secret of API keys was missing in .* 1 keys stay valid/)
  const again = await liveExchange(quiet, live.folder)
  try {
    const fresh = await newApiKey(again, alice)
    const { active_api_keys, keys } = await listed(again, alice)
    assert.deepEqual(active_api_keys, [fresh])
    const prefixes = [old.slice(0, 8), fresh.slice(0, 8)]
    assert.deepEqual(
      keys.map(({ prefix }) => prefix),
      prefixes,
    )
    assert.equal(await accepts(again, old), 200)
    const revoked = await again.api.signed(alice, `${list}/revoke`, { api_key: old })
    dataOf(revoked)
    assert.equal(await accepts(again, old), 401)
  } finally {
    await again.close()
  }
})

test('a damaged secret stops the start, and the message names the remedy', async () => {
  const live = await liveExchange(quiet)
  const file = secretOf(live)
  await live.running.close()
  renameSync(file, `${file}.kept`)
  for (const text of ['', 'short', 'x'.repeat(64)]) {
    writeFileSync(file, text)
    await assert.rejects(liveExchange(quiet, live.folder), /api-key-secret is damaged: restore it/)
  }
  renameSync(`${file}.kept`, file)
  await (await liveExchange(quiet, live.folder)).close()
})

test('an embedded exchange shows its keys in full too, to the account and its agents', async () => {
  const exchange = createExchange({ markets: ['BTC'] })
  try {
    const owner = await exchange.client('alice')
    const agent = exchange.key('bot')
    await owner.bindAgentWallet({ agent_wallet: agent.address })
    const bot = await exchange.client('alice', {
      signer: undefined,
      account: owner.account!,
      agent,
    })
    const keys = [await owner.createApiKey(), await bot.createApiKey()]
    const made = keys.map(({ data }) => data.api_key)
    for (const client of [owner, bot])
      assert.deepEqual((await client.listApiKeys()).active_api_keys, made)
  } finally {
    await exchange.close()
  }
})
