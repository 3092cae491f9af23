// Channels, the AsyncAPI document and docs/api/streams.md agree; the example does what it says.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { signedBody } from '../../src/client/signed-body.ts'
import { isInHistory } from '../../src/feeds/channels/channels.ts'
import { tradingOperations } from '../../src/gateway/routes/trading-operations.ts'
import { dataOf } from '../../src/gateway/ws/replies.ts'
import { Compile, type TSchema } from '../../src/protocol/schemas/typebox.ts'
import { dataSchemas } from '../../src/protocol/streams/channel-schemas.ts'
import { allSources, type ChannelName, declared } from '../../src/protocol/streams/channels.ts'
import { type Json, keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
const page = readFileSync(join(root, 'docs', 'api', 'streams.md'), 'utf8')
let exchange: LiveExchange

before(async () => {
  exchange = await LiveExchange.start()
})
after(() => exchange.close())

/** The fields of a row. */
function fieldsOf(schema: TSchema): string[] {
  const { items, properties } = schema as unknown as { items?: TSchema; properties?: Json }
  return items === undefined ? Object.keys(properties ?? {}) : fieldsOf(items)
}

/** The part of the page under the heading that names this source first. */
function sectionOf(source: string): string {
  const from = page.indexOf(`\n### \`${source}\``)
  assert.ok(from >= 0, `docs/api/streams.md has no heading for ${source}`)
  const to = page.indexOf('\n##', from + 4)
  return page.slice(from, to < 0 ? undefined : to)
}

test('every channel is documented with all its spellings and fields', () => {
  for (const [name, { sources }] of Object.entries(declared)) {
    const section = sectionOf(sources[0])
    for (const source of sources) assert.ok(section.includes(`\`${source}\``), source)
    for (const field of fieldsOf(dataSchemas[name as ChannelName]))
      assert.match(section, new RegExp(`"${field}"|\`${field}\``), `${sources[0]}: ${field}`)
  }
})

test('the page says of every channel of an account whether a restart ends it', () => {
  const named = (begin: string) => {
    const from = page.indexOf(begin)
    const names = page.slice(from, page.indexOf('\n- ', from)).matchAll(/`([a-z]+_?[A-Za-z_]*)`/g)
    return [...names].map(([, name]) => name!).filter((name) => allSources.includes(name))
  }
  const ofAccounts = Object.entries(declared).filter(([, { of }]) => of === 'account')
  const [resumed, ended] = [true, false].map((kept) =>
    ofAccounts.filter(([name]) => isInHistory(name as ChannelName) === kept),
  )
  const sources = resumed!.flatMap(([, channel]) => channel.sources)
  assert.deepEqual(named('- These also resume').sort(), sources.sort())
  const names = ended!.map(([, channel]) => channel.sources[0])
  assert.deepEqual(named('- After a restart, the other').sort(), names.sort())
})

test('no channel is documented that does not exist', () => {
  const documented = [...page.matchAll(/^### (.*)$/gm)].flatMap(([, heading]) =>
    [...heading!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  )
  assert.deepEqual(documented.sort(), [...allSources].sort())
})

test('the AsyncAPI document has every channel, operation and answer', async () => {
  const document = (await (await fetch(`${exchange.url}/asyncapi.json`)).json()) as Json
  const { ws } = document.channels as { ws: { address: string; messages: Record<string, Json> } }
  assert.equal(ws.address, '/ws')
  for (const [name, { sources }] of Object.entries(declared)) {
    const { payload } = ws.messages[name] as { payload: { properties: Json } }
    assert.deepEqual(
      payload.properties.data,
      JSON.parse(JSON.stringify(dataSchemas[name as ChannelName])),
    )
    assert.deepEqual(payload.properties.channel, { enum: [...sources] })
    assert.ok(`subscribe_${name}` in ws.messages)
  }
  const ops = tradingOperations.flatMap(({ ws: op }) => (op === null ? [] : [op]))
  for (const op of ops) {
    assert.ok(op in ws.messages, op)
    assert.ok(op in dataOf, op)
    assert.ok(page.includes(`\`${op}\``), op)
  }
  assert.deepEqual(Object.keys(dataOf).sort(), ops.sort())
  assert.ok('authenticate' in ws.messages && page.includes('"method":"authenticate"'))
})

test('the AsyncAPI document has both proofs of an owner', async () => {
  const document = (await (await fetch(`${exchange.url}/asyncapi.json`)).json()) as Json
  const { ws } = document.channels as { ws: { messages: Record<string, Json> } }
  const { payload } = ws.messages.authenticate as { payload: never }
  const described = Compile(payload)
  const key = keyNamed(43)
  const options = { type: 'read_account', timestamp: Date.now() } as const
  const signed = await signedBody(key, {}, options)
  const isSaid = (params: object) => described.Check({ method: 'authenticate', params })
  assert.ok(isSaid({ api_key: 'AbCdEfGh_…' }) && isSaid(signed))
  const { signature: _, ...unsigned } = signed
  assert.ok(!isSaid({}) && !isSaid(unsigned))
  const client = await StreamClient.open(exchange.wsUrl)
  const { data } = await client.ask({ method: 'authenticate', params: signed })
  assert.deepEqual(data, { account: key.address })
  await client.close()
})

test('the example prints a fill as it happens', async () => {
  const [alice, bob] = [keyNamed(41), keyNamed(42)]
  await exchange.client().sandboxSetClock({ freeze: true })
  await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
  await exchange.fund(alice)
  await exchange.fund(bob)
  const script = join(root, 'examples', 'follow-fills.mjs')
  const child = spawn(process.execPath, [script, alice.address, exchange.url])
  await once(child.stderr, 'data')
  const printed = once(child.stdout, 'data') as Promise<[Buffer]>
  const order = { symbol: 'BTC', price: '100000', amount: '0.1', reduce_only: false }
  const rest = { ...order, side: 'ask', tif: 'ALO' } as const
  const take = { ...order, side: 'bid', tif: 'IOC' } as const
  await exchange.client(bob).createOrder(rest)
  await exchange.client(alice).createOrder(take)
  const [line] = await printed
  child.kill()
  assert.match(line.toString(), /^#\d+ BTC open_long 0\.1 at 100000, fee 4, profit -4\n$/)
})
