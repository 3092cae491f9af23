// `openperp mcp` as the SDK of the Model Context Protocol uses it: every tool is listed and called,
// and a key trades within its policy only.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { pino } from 'pino'
import { Client } from '../../src/client/client.ts'
import { type Key, keyOfSecret, newKey } from '../../src/client/key.ts'
import { readConfig } from '../../src/config.ts'
import { exampleOf, needsFirst } from '../../src/gateway/documents/examples.ts'
import { apiOperations } from '../../src/gateway/routes/all-operations.ts'
import { runExchange } from '../../src/main/running-exchange.ts'
import { Fixture } from '../support/running/fixture.ts'

const program = fileURLToPath(new URL('../../src/main/openperp.js', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'openperp-mcp-'))
const fixture = new Fixture()
const { url, accounts } = await fixture.line
const open: McpClient[] = []
after(async () => {
  for (const client of open) await client.close()
  await fixture.end()
  rmSync(home, { recursive: true, force: true })
})

const alice = keyOfSecret(accounts.alice!.secret)
const bob = keyOfSecret(accounts.bob!.secret)
const client = new Client({ url, signer: alice })
const ofBob = new Client({ url, signer: bob })
const order = { symbol: 'BTC', side: 'bid', price: '90000', tif: 'ALO' } as const

function environmentOf(key: Key | null): Record<string, string> {
  return { HOME: home, PATH: process.env.PATH!, ...(key !== null && { OPENPERP_KEY: key.secret }) }
}

/** A client whose server has this key. */
async function connect(key: Key | null, flags: readonly string[] = [], at = url) {
  const mcp = new McpClient({ name: 'test', version: '1' })
  const args = [program, 'mcp', '--url', at, ...flags]
  await mcp.connect(
    new StdioClientTransport({ command: process.execPath, args, env: environmentOf(key) }),
  )
  open.push(mcp)
  const names = async () => (await mcp.listTools()).tools.map(({ name }) => name)
  const call = async (name: string, given: object = {}) => {
    const { isError, content } = await mcp.callTool({ name, arguments: { ...given } })
    const [{ text }] = content as [{ text: string }]
    return { isError: isError === true, text }
  }
  /** The reply of a tool that must succeed. */
  const reply = async (name: string, given: object = {}) => {
    const { isError, text } = await call(name, given)
    assert.equal(isError, false, `${name}: ${text}`)
    return JSON.parse(text)
  }
  return { mcp, names, call, reply }
}

const limits = {
  max_order_value: '1000',
  max_position_value: '5000',
  max_daily_loss: '100',
  max_slippage_percent: '50',
}
const agent = newKey()
await client.sandboxSetOracle({ symbol: 'BTC', price: '95000' })
await client.bindAgentWallet({ agent_wallet: agent.address, policy: limits })
const trader = await connect(agent, ['--account', alice.address])

test('the server names itself, and every tool has a schema and a description', async () => {
  assert.equal(trader.mcp.getServerVersion()?.name, 'openperp')
  assert.match(trader.mcp.getInstructions()!, /preview_order/)
  const { tools } = await trader.mcp.listTools()
  const names = tools.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  const served = apiOperations('sandbox')
  for (const { name } of served)
    if (/^(?:explain|sandbox)_/.test(name)) assert.ok(names.includes(name), name)
  // What is signed changes something: only cancels need no preview.
  for (const { name, signs } of served)
    if (signs !== null && names.includes(name)) assert.match(name, /^cancel_/)
  for (const { name, description, inputSchema } of tools) {
    assert.ok(description !== undefined && description.length > 5, name)
    assert.equal(inputSchema.additionalProperties, false, name)
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
      assert.ok(JSON.stringify(schema).includes('"description"'), `${name}: ${field}`)
  }
})

test('a previewed order is placed once, as it was previewed, and cancelled', async () => {
  const preview = await trader.reply('preview_order', { ...order, amount: '0.01' })
  assert.deepEqual([preview.accepted, preview.notional], [true, '900'])
  assert.deepEqual((await client.getOpenOrders()).rows, [], 'a preview has no effect')
  const { order_id } = await trader.reply('place_order', { preview_id: preview.preview_id })
  const [placed] = (await client.getOpenOrders()).rows
  assert.deepEqual([placed!.order_id, placed!.price], [order_id, '90000'])
  const again = await trader.call('place_order', { preview_id: preview.preview_id })
  assert.match(again.text, /unknown, already placed, or older[\s\S]*call preview_order again/)
  assert.equal((await trader.reply('get_open_orders')).rows.length, 1)
  await trader.reply('cancel_order', { symbol: 'BTC', order_id })
  assert.deepEqual((await client.getOpenOrders()).rows, [])
})

test('each kind of order can be previewed and placed', async () => {
  const base = { symbol: 'BTC', side: 'bid', amount: '0.01' }
  const stop_order = { stop_price: '100000', amount: '0.005' }
  const leg = { side: 'bid', amount: '0.001', reduce_only: false }
  await ofBob.createOrder({
    ...order,
    side: 'ask',
    price: '95000',
    amount: '1',
    reduce_only: false,
  })
  for (const given of [
    { ...base, slippage_percent: '1', amount: '0.001' },
    { symbol: 'BTC', side: 'bid', stop_order },
    { ...base, price: '90000', display_amount: '0.005' },
    { ...base, price: '90000', chase: true },
    {
      symbol: 'BTC',
      legs: [
        { ...leg, price: '90000' },
        { ...leg, stop_price: '100000' },
      ],
    },
    { ...order, amount: '0.001', chase: false, client_order_id: null },
  ]) {
    const { preview_id, ...rest } = await trader.reply('preview_order', given)
    assert.ok(preview_id, JSON.stringify(rest))
    await trader.reply('place_order', { preview_id })
  }
  assert.equal((await trader.reply('get_positions'))[0].amount, '0.001')
  assert.equal((await trader.reply('get_algo_orders')).length, 2)
  await trader.reply('cancel_all_orders', { all_symbols: true, exclude_reduce_only: false })
})

test('an order beyond the policy is refused, by its preview and when it is placed', async () => {
  const large = await trader.reply('preview_order', { ...order, amount: '0.1' })
  assert.deepEqual([large.accepted, large.preview_id], [false, undefined])
  assert.match(large.error, /AGENT_LIMIT.*1000/)
  const { preview_id } = await trader.reply('preview_order', { ...order, amount: '0.01' })
  const narrower = { ...limits, max_order_value: '500' }
  await client.setAgentPolicy({ agent_wallet: agent.address, policy: narrower })
  const placed = await trader.call('place_order', { preview_id })
  assert.equal(placed.isError, true)
  assert.match(placed.text, /AGENT_LIMIT.*500/)
  assert.deepEqual((await client.getOpenOrders()).rows, [])
  assert.equal((await trader.reply('get_agent_policy')).policy.max_order_value, '500')
  await client.setAgentPolicy({ agent_wallet: agent.address, policy: limits })
})

test('a key without a policy may read, and neither place nor cancel', async () => {
  const free = newKey()
  await client.bindAgentWallet({ agent_wallet: free.address })
  for (const [key, flags, why] of [
    [free, ['--account', 'alice'], /has no policy/],
    [alice, [], /not the own key of the account/],
    [newKey(), ['--account', 'alice'], /cannot be read/],
    [null, ['--account', 'alice'], /there is none/],
  ] as const) {
    const server = await connect(key, flags)
    assert.ok((await server.reply('get_account')).balance > '0')
    for (const [name, given] of [
      ['place_order', { preview_id: 'p1' }],
      ['cancel_all_orders', { all_symbols: true, exclude_reduce_only: false }],
    ] as const) {
      const { isError, text } = await server.call(name, given)
      assert.equal(isError, true)
      assert.match(text, why)
      assert.match(text, /openperp agent bind[\s\S]*docs\/api\/keys\.md/)
    }
    await server.mcp.close()
  }
})

test('invalid arguments are refused by name', async () => {
  for (const [name, given, why] of [
    ['get_book', { symbl: 'BTC' }, /get_book has no argument symbl; its arguments: symbol/],
    ['get_book', {}, /get_book needs symbol/],
    ['get_book', { symbol: 'NONE' }, /NONE|symbol/],
    ['get_trades', { symbol: 'BTC', limit: 'many' }, /limit/],
    ['preview_order', { ...order, amount: 0.1 }, /amount/],
    ['preview_order', { ...order, amount: '0.1', account: bob.address }, /no argument account/],
    ['sandbox_set_clock', { advance_ms: -1 }, /advance_ms/],
  ] as const) {
    const { isError, text } = await trader.call(name, given)
    assert.equal(isError, true, name)
    assert.match(text, why)
  }
  await assert.rejects(trader.call('get_bok'), /there is no tool get_bok; did you mean get_book\?/)
  await assert.rejects(trader.call('withdraw', { amount: '1' }), /there is no tool withdraw/)
})

test('every tool can be called', async () => {
  const operations = new Map(apiOperations('sandbox').map((each) => [each.name, each]))
  const traders = { alice: alice.address, bob: bob.address }
  const { tools } = await trader.mcp.listTools()
  // A reset undoes what others need.
  const last = ['sandbox_reset']
  for (const { name, inputSchema } of tools.toSorted(
    (a, b) => last.indexOf(a.name) - last.indexOf(b.name),
  )) {
    if (name === 'place_order') continue
    const example = Object.entries(exampleOf(operations.get(name)!, traders))
    const known = example.filter(([field]) => field in (inputSchema.properties ?? {}))
    const given = Object.fromEntries(known.filter(([field]) => !/account|agent/.test(field)))
    if (name === 'sandbox_revert') given.id = (await trader.reply('sandbox_snapshot')).id
    const { isError, text } = await trader.call(name, given)
    const mayFail = needsFirst[name] !== undefined || /explain|sandbox_(?!set|reset)/.test(name)
    assert.ok(!isError || mayFail, `${name}: ${text}`)
    // Refusals are those of the exchange.
    if (isError) assert.match(text, /^[A-Z_]+: /, name)
  }
})

test('a venue is read-only without --allow-trading, and has no sandbox', async () => {
  const flags = ['--mode', 'venue', '--admin-tokens', `one:${'t'.repeat(24)}:read`, '--port', '0']
  const ports = ['--admin-port', '0', '--compat-port', 'off', '--data', join(home, 'venue')]
  const config = readConfig([...flags, ...ports], {}, home)
  const venue = await runExchange({
    config,
    tokens: config.adminTokens,
    log: pino({ level: 'silent' }),
    onFatal: (error) => assert.fail(error as Error),
  })
  const at = `http://127.0.0.1:${venue.port}`
  try {
    const key = newKey()
    const reader = await connect(key, ['--account', newKey().address], at)
    const names = await reader.names()
    assert.deepEqual(
      names.filter((name) => /^(?:sandbox|place|cancel)_/.test(name)),
      [],
    )
    assert.ok(names.includes('preview_order'))
    await assert.rejects(reader.call('place_order'), /only with --allow-trading/)
    await assert.rejects(reader.call('sandbox_faucet'), /there is no tool sandbox_faucet/)
    const trades = await connect(key, ['--account', newKey().address, '--allow-trading'], at)
    assert.ok((await trades.names()).includes('place_order'))
    const { isError, text } = await trades.call('place_order', { preview_id: 'p1' })
    assert.equal(isError, true)
    assert.match(text, /policy/)
    await Promise.all([reader, trades].map(({ mcp }) => mcp.close()))
  } finally {
    await venue.close()
  }
})

test('the server negotiates versions, answers what it has read, and ends with its input', () => {
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05' } },
    { id: 2, method: 'initialize', params: { protocolVersion: '2099-01-01' } },
    { id: 3, method: 'initialize', params: {} },
    { id: 4, method: 'resources/list' },
    { id: 5, method: 'tools/list', params: { cursor: 'more' } },
    { id: 6, method: 'tools/call', params: { name: 'get_time' } },
    { id: 7, method: 'tools/call', params: { name: 'get_time', arguments: [] } },
  ].map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`)
  const run = (at: string, input: string) =>
    spawnSync(process.execPath, [program, 'mcp', '--url', at], {
      env: environmentOf(null),
      input,
      encoding: 'utf8',
    })
  const { status, stdout, stderr } = run(url, `not JSON\n${messages.join('')}`)
  assert.deepEqual([status, stderr], [0, ''])
  const replies = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((reply) => [reply.id, reply.error?.code ?? reply.result]),
  )
  assert.equal(replies.get(1).protocolVersion, '2024-11-05')
  assert.equal(replies.get(2).protocolVersion, '2025-11-25')
  assert.deepEqual(
    [null, 3, 4, 5].map((id) => replies.get(id)),
    [-32700, -32602, -32601, -32602],
  )
  assert.match(replies.get(6).content[0].text, /"engine_now":\d+/)
  assert.equal(replies.get(7).isError, true)
  const absent = run('http://127.0.0.1:1', `${messages[0]}${messages[5]}`)
  assert.equal(absent.status, 0)
  assert.match(absent.stdout, /"protocolVersion":"2024-11-05"[\s\S]*"error":.*no answer from/)
})
