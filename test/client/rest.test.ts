// The typed client against a running exchange: every method, every kind of signer, every error.
import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import {
  ApiRefusal,
  Client,
  type ClientOptions,
  type FieldsOf,
  type Key,
  NetworkFailure,
  newKey,
  type ReplyOf,
  type RouteName,
  type Signer,
  TimeoutFailure,
  UnexpectedReply,
} from '../../src/client/index.ts'
import { methodName } from '../../src/client/methods.ts'
import { keyPairOf } from '../../src/client/platform/portable-ed25519.ts'
import { verifyReceipt } from '../../src/client/receipts/verify-receipt.ts'
import type { LeadersReceipts } from '../../src/main/receipts/receipts.ts'
import { decodeBase58 } from '../../src/protocol/base58.ts'
import { routeSchemas } from '../../src/protocol/route-schemas.ts'
import { routeNames } from '../../src/protocol/routes.ts'
import { Compile } from '../../src/protocol/schemas/typebox.ts'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'
import { closed } from '../support/http/published.ts'

let live: Live
let alice: Key
let bob: Key

before(async () => {
  live = await frozenSandbox()
  alice = await live.trader()
  bob = await live.trader()
  await live.price('BTC', '100000')
})
after(() => live.close())

const clientOf = (options: Omit<ClientOptions, 'url'> = {}) =>
  new Client({ url: live.url, ...options })

const limit = { symbol: 'BTC', tif: 'GTC', reduce_only: false, amount: '0.01' } as const
const seen = new Set<RouteName>()

/** Calls the method of that name, and checks its reply against the schema. */
async function ask<N extends RouteName>(
  client: Client,
  name: N,
  fields: FieldsOf<N>,
): Promise<ReplyOf<N>> {
  const method = (client as never as Record<string, (fields: unknown) => Promise<ReplyOf<N>>>)[
    methodName(name)
  ]
  const reply = await method!.call(client, fields)
  const check = Compile(closed(routeSchemas[name].reply) as never)
  assert.ok(check.Check(reply), `${name}: ${JSON.stringify(reply)}`)
  seen.add(name)
  return reply
}

async function refusalIn(promise: Promise<unknown>): Promise<ApiRefusal> {
  const error = await promise.then(
    () => assert.fail('was not rejected'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiRefusal, String(error))
  return error
}

test('markets: every read has its method and its types', async () => {
  const client = clientOf()
  const info = await ask(client, 'get_info', {})
  assert.ok(info.some(({ symbol }) => symbol === 'BTC'))
  await ask(client, 'get_prices', {})
  await ask(client, 'get_fees', {})
  await ask(client, 'get_risk', { symbol: 'BTC' })
  await ask(client, 'get_time', {})
  await ask(client, 'get_venue', {})
  const book = await ask(client, 'get_book', { symbol: 'BTC', depth: undefined })
  assert.equal(book.s, 'BTC')
  await ask(client, 'get_trades', { symbol: 'BTC', limit: 5 })
  await ask(client, 'get_candles', { symbol: 'BTC', interval: '1m', start_time: 0, limit: 3 })
  await ask(client, 'get_mark_candles', { symbol: 'BTC', interval: '1m', start_time: 0, limit: 3 })
  await ask(client, 'get_funding_rates', { symbol: 'BTC' })
  await ask(client, 'get_open_interest_history', { symbol: 'BTC', interval: '1d' })
  await ask(client, 'get_index_price_history', { symbol: 'BTC' })
  await ask(client, 'get_liquidations', {})
})

test('an unknown method or field is named before anything is sent', async () => {
  const client = clientOf()
  const wrong = [
    ['no_such_op', {}, /there is no operation no_such_op; .*such as create_order/],
    ['batch_orders', {}, /batch_orders needs actions, a list/],
    [
      'batch_orders',
      { actions: [{ type: 'Nope', data: {} }] },
      /Nope is not an action.* Create, .*Quo/,
    ],
  ] as const
  for (const [name, fields, says] of wrong)
    await assert.rejects(client.call(name as 'get_time', fields), says)
})

test('an empty result is an empty list, and the leaderboard is returned', async () => {
  const client = clientOf()
  const lists = ['get_spot_assets', 'get_spot_bridges', 'get_pending_spot_withdrawals'] as const
  for (const name of [...lists, 'get_loan_pools', 'get_account_loans'] as const)
    assert.deepEqual(await ask(client, name, {}), [])
  assert.deepEqual(await ask(client, 'get_vaults', {}), { lakes: [] })
  const pages = ['get_spot_balance_history', 'get_spot_deposits', 'get_spot_withdrawals'] as const
  for (const name of pages)
    assert.deepEqual(await ask(client, name, {}), { rows: [], next_cursor: null, has_more: false })
  assert.equal(await ask(client, 'get_reserves', {}), null)
  const leaders = await ask(client, 'get_leaderboard', { limit: 2 })
  assert.equal(leaders.length, 2)
})

test('receipts: checkpoints, frames, and a command of the account', async () => {
  const a = clientOf({ signer: alice, timeoutMs: 600_000 })
  const order = await ask(a, 'create_order', { ...limit, side: 'bid', price: '90000' })
  const { receipts, seq } = live.running.exchange
  const receipt = await ask(a, 'get_receipt', { seq: seq() })
  assert.equal((await verifyReceipt(receipt)).inCheckpoint, false)
  const made = await (receipts as LeadersReceipts).checkpointNow()
  const { checkpoints } = await ask(a, 'get_checkpoints', { limit: 1 })
  assert.deepEqual(checkpoints, [made])
  await ask(a, 'get_frame_proof', { seq: receipt.seq })
  await a.cancelOrder({ symbol: 'BTC', order_id: order.order_id })
})

test('orders: placed, changed, batched, cancelled', async () => {
  const a = clientOf({ signer: alice })
  const b = clientOf({ signer: bob, expiryWindow: 5_000 })
  await ask(a, 'preview_order', { ...limit, side: 'bid', price: '99000' })
  const order = await ask(a, 'create_order', { ...limit, side: 'bid', price: '99000' })
  assert.equal(order.order_status, 'open')
  const { order_id } = await ask(a, 'edit_order', {
    symbol: 'BTC',
    order_id: order.order_id,
    price: '99100',
    amount: '0.02',
  })
  assert.deepEqual(
    (await ask(a, 'get_open_orders', {})).rows.map((row) => [row.order_id, row.price]),
    [[order_id, '99100']],
  )
  await ask(b, 'create_market_order', {
    symbol: 'BTC',
    side: 'ask',
    amount: '0.02',
    slippage_percent: '5',
    reduce_only: false,
  })
  await ask(a, 'set_position_tpsl', {
    symbol: 'BTC',
    side: 'ask',
    take_profit: { stop_price: '150000' },
  })
  const stop = { stop_price: '90000', amount: '0.01' }
  const stopped = await ask(a, 'create_stop_order', {
    symbol: 'BTC',
    side: 'ask',
    reduce_only: true,
    stop_order: stop,
  })
  const leg = { side: 'bid', amount: '0.01', reduce_only: false } as const
  const pair = await ask(a, 'create_oco_order', {
    symbol: 'BTC',
    legs: [
      { ...leg, price: '90000' },
      { ...leg, stop_price: '130000' },
    ],
  })
  const legs = (await ask(a, 'get_open_orders', {})).rows.filter((row) => row.oco_order_id != null)
  assert.deepEqual(
    legs.map(({ order_id, oco_order_id }) => [oco_order_id, order_id]),
    [pair.order_ids, [...pair.order_ids].reverse()],
  )
  await ask(a, 'cancel_order', { symbol: 'BTC', order_id: pair.order_ids[0]! })
  await ask(a, 'cancel_stop_order', { symbol: 'BTC', order_id: stopped.order_id })
  const { results } = await ask(a, 'batch_orders', {
    actions: [
      { type: 'Create', data: { ...limit, side: 'bid', price: '98000' } },
      { type: 'Create', data: { ...limit, side: 'bid', price: '97000' } },
      { type: 'Cancel', data: { symbol: 'BTC', order_id: 999_999 } },
    ],
  })
  assert.deepEqual(
    results.map(({ success }) => success),
    [true, true, false],
  )
  await ask(a, 'cancel_order', { symbol: 'BTC', order_id: results[0]!.order_id })
  await ask(a, 'cancel_all_orders', { all_symbols: true, exclude_reduce_only: false })
  await ask(a, 'schedule_cancel', { time: null })
  await ask(a, 'get_order_events', { order_id })
  await ask(a, 'get_order_history', {})
})

test('orders with an expiry, and self-trade prevention', async () => {
  const a = clientOf({ signer: alice })
  const { engine_now } = await ask(a, 'get_time', {})
  const expire_time = engine_now + 60_000
  const bid = { ...limit, side: 'bid', price: '98000', expire_time } as const
  await ask(a, 'preview_order', { ...bid, stp: 'cancel_both' })
  await ask(a, 'preview_order', { ...bid, tif: null, chase: true })
  const timed = await ask(a, 'create_order', bid)
  const { results } = await ask(a, 'batch_orders', {
    actions: [
      { type: 'Create', data: { ...bid, price: '97000', stp: 'cancel_taker' } },
      { type: 'Create', data: { ...bid, price: '97000', expire_time: undefined } },
      { type: 'Create', data: { ...bid, side: 'ask', price: '97000', stp: 'cancel_taker' } },
    ],
  })
  assert.ok(results.every(({ success }) => success))
  const stop_order = { stop_price: '150000', amount: '0.01' }
  const stop = { symbol: 'BTC', side: 'bid', reduce_only: false, stop_order } as const
  const waits = await ask(a, 'create_stop_order', { ...stop, expire_time })
  const { rows } = await ask(a, 'get_open_orders', {})
  assert.deepEqual(rows.map((row) => [row.order_id, row.expire_time]).toReversed(), [
    [timed.order_id, expire_time],
    [results[0]!.order_id, expire_time],
    [results[1]!.order_id, undefined],
    [waits.order_id, expire_time],
  ])
  // The ask met its own bid at 98000.
  const [event] = await ask(a, 'get_order_events', { order_id: results[2]!.order_id! })
  assert.equal(event?.event_type, 'self_trade_prevented')
  await live.sandbox('clock', { advance_ms: 60_000 })
  const past = await ask(a, 'get_order_history', {})
  const ended = past.rows.filter((row) => row.reason === 'expired')
  assert.deepEqual(
    ended.map((row) => row.expire_time),
    [expire_time, expire_time, expire_time],
  )
  const market = { symbol: 'BTC', side: 'ask', amount: '0.01', reduce_only: false } as const
  const own = { ...market, slippage_percent: '5', stp: 'cancel_both' } as const
  const error = await refusalIn(a.createMarketOrder(own))
  assert.equal(error.reason, 'NO_REASONABLE_PRICE')
  await ask(a, 'cancel_all_orders', { all_symbols: true, exclude_reduce_only: false })
})

test('slices, positions and money of an account', async () => {
  const a = clientOf({ signer: alice })
  const twap = await ask(a, 'create_twap_order', {
    symbol: 'BTC',
    side: 'bid',
    amount: '0.1',
    slippage_percent: '1',
    reduce_only: false,
    duration_in_seconds: 300,
  })
  await ask(a, 'get_twap_orders', {})
  await ask(a, 'cancel_twap_order', { symbol: 'BTC', order_id: twap.order_id })
  await ask(a, 'get_twap_history', {})
  await ask(a, 'get_twap_events', { order_id: twap.order_id })
  const wish = { symbol: 'BTC', side: 'bid', price: '90000', reduce_only: false } as const
  const sizes = { amount: '0.1', display_amount: '0.02' }
  const { order_id } = await ask(a, 'create_iceberg_order', { ...wish, ...sizes })
  const [open] = await ask(a, 'get_algo_orders', {})
  assert.deepEqual(
    [open?.order_id, open?.kind, open?.display_amount],
    [order_id, 'iceberg', '0.02'],
  )
  await ask(a, 'cancel_order', { symbol: 'BTC', order_id })
  const chase = await ask(a, 'create_chase_order', { ...wish, amount: '0.1' })
  await ask(a, 'cancel_order', { symbol: 'BTC', order_id: chase.order_id })
  const [, past] = (await ask(a, 'get_algo_history', {})).rows
  assert.deepEqual(
    [past?.order_id, past?.order_status, past?.reason],
    [order_id, 'cancelled', 'owner'],
  )
  assert.equal((await ask(a, 'get_positions', {}))[0]?.amount, '0.02')
  assert.equal((await ask(clientOf(), 'get_positions', { account: bob.address }))[0]?.side, 'ask')
  await ask(a, 'get_position_history', {})
  await ask(a, 'get_account', {})
  await ask(a, 'update_leverage', { symbol: 'ETH', leverage: 5 })
  await ask(a, 'update_margin_mode', { symbol: 'ETH', is_isolated: true })
  await ask(a, 'get_account_settings', {})
  await live.trade({ buyer: alice, seller: bob, symbol: 'ETH', price: '3000', amount: '0.1' })
  await ask(a, 'add_isolated_margin', { symbol: 'ETH', amount: '10' })
  await ask(a, 'get_funding_history', {})
  await ask(a, 'get_balance_history', {})
  await ask(a, 'get_portfolio', { time_range: '1d' })
  await ask(a, 'get_trade_history', {})
  await ask(a, 'withdraw', { amount: '25' })
  const sub = newKey()
  await ask(a, 'create_subaccount', { subaccount: sub })
  assert.equal(await ask(a, 'list_reserve_proof', {}), null)
  assert.equal((await ask(a, 'list_subaccounts', {})).subaccounts[0]?.address, sub.address)
  await ask(a, 'transfer_funds', { to_account: sub.address, amount: '25' })
})

test('explanations of fills, orders, refusals, positions, funding and liquidations', async () => {
  const a = clientOf({ signer: alice })
  const [fill] = (await ask(a, 'get_trade_history', {})).rows
  const { history_id, order_id } = fill!
  assert.equal((await ask(a, 'explain_fill', { history_id })).agrees, true)
  const { steps } = await ask(a, 'explain_order', { order_id: order_id! })
  assert.ok(steps.every(({ agrees }) => agrees))
  const { title } = await ask(a, 'explain_position', { symbol: 'BTC' })
  assert.equal(title, 'Position on BTC: long 0.02 BTC')
  // test/cli/explain-everywhere.test.ts has those that exist.
  const none = {
    explain_refusal: () => a.explainRefusal({ seq: 1 }),
    explain_funding: () => a.explainFunding({ history_id: 999_999 }),
    explain_liquidation: () => a.explainLiquidation({ seq: 'latest' }),
  }
  for (const [name, explain] of Object.entries(none)) {
    assert.equal((await refusalIn(explain())).status, 404)
    seen.add(name as keyof typeof none)
  }
})

test('maker protection: set, read, reset', async () => {
  const a = clientOf({ signer: alice })
  const limits = { window_ms: 1_000, frozen_ms: 5_000, max_amount: '1' }
  await ask(a, 'set_mmp', { symbol: 'BTC', ...limits })
  assert.equal((await ask(a, 'get_mmp', {}))[0]?.max_amount, '1')
  await ask(a, 'reset_mmp', { symbol: 'BTC' })
  await ask(a, 'set_mmp', { symbol: 'BTC', remove: true })
  assert.deepEqual(await ask(a, 'get_mmp', {}), [])
})

test('API keys: created, listed, used, revoked', async () => {
  const a = clientOf({ signer: alice })
  const { data } = await ask(a, 'create_api_key', {})
  const keyed = clientOf({ account: alice.address, apiKey: data.api_key })
  await ask(keyed, 'get_account', {})
  assert.equal((await ask(a, 'list_api_keys', {})).keys[0]?.prefix, data.api_key.slice(0, 8))
  await ask(a, 'revoke_api_key', { api_key: data.api_key })
  const refusal = await refusalIn(keyed.getAccount())
  assert.deepEqual([refusal.status, refusal.reason], [401, 'INVALID_API_KEY'])
})

test('an agent signs for an account without its key, within its permissions', async () => {
  const owner = clientOf({ signer: alice })
  const agent = newKey()
  await ask(owner, 'bind_agent_wallet', { agent_wallet: agent.address })
  const policy = { max_order_value: '1000', allow: ['api_keys' as const, 'margin' as const] }
  await ask(owner, 'set_agent_policy', { agent_wallet: agent.address, policy })
  await ask(owner, 'get_agent_policy', { agent_wallet: agent.address })
  await ask(owner, 'list_agent_wallets', {})
  const ip = { agent_wallet: agent.address, ip_address: '203.0.113.7' }
  await ask(owner, 'add_agent_whitelisted_ip', ip)
  await ask(owner, 'list_agent_ip_whitelist', { api_agent_key: agent.address })
  await ask(owner, 'remove_agent_whitelisted_ip', ip)
  await ask(owner, 'set_agent_ip_whitelist_enabled', {
    agent_wallet: agent.address,
    enabled: false,
  })
  const bot = clientOf({ account: alice.address, agent })
  const { order_id } = await bot.createOrder({ ...limit, side: 'bid', price: '96000' })
  await bot.cancelOrder({ symbol: 'BTC', order_id })
  await assert.rejects(async () => bot.withdraw({ amount: '1' }), /account's own key/)
  const both = clientOf({ signer: alice, agent })
  await both.withdraw({ amount: '1' })
  await ask(owner, 'revoke_agent_wallet', { agent_wallet: agent.address })
  const refusal = await refusalIn(
    bot.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false }),
  )
  assert.equal(refusal.reason, 'AGENT_NOT_BOUND')
  await ask(owner, 'revoke_all_agent_wallets', {})
})

test('an external signer gets the text and its bytes, and may return bytes', async () => {
  const seed = decodeBase58(alice.secret, 64)!.subarray(0, 32)
  const pair = keyPairOf(seed)
  const signed: string[] = []
  const wallet: Signer = {
    address: alice.address,
    async sign(text, bytes) {
      signed.push(text)
      assert.equal(new TextDecoder().decode(bytes), text)
      return pair.sign(bytes)
    },
  }
  const order = { ...limit, side: 'bid', price: '96000' } as const
  const { order_id } = await clientOf({ signer: wallet }).createOrder(order)
  assert.match(signed[0]!, /^\{"data":\{"amount":"0.01","price":"96000",.*"type":"create_order",/)
  const { venue } = await clientOf().getVenue()
  assert.ok(signed[0]!.endsWith(`,"venue":"${venue}"}`), signed[0])
  const hardware: Signer = {
    address: alice.address,
    hardware: true,
    sign: (_, bytes) => pair.sign(bytes),
  }
  await clientOf({ signer: hardware }).cancelOrder({ symbol: 'BTC', order_id })
  const wrong = { address: alice.address, sign: () => 'not a signature' }
  await assert.rejects(() => clientOf({ signer: wrong }).createOrder(order), /64-byte signature/)
})

test('the sandbox: money, clock, prices, snapshots, bots', async () => {
  const a = clientOf({ signer: alice })
  await ask(a, 'sandbox_faucet', { amount: '1000' })
  await ask(a, 'sandbox_get_clock', {})
  await ask(a, 'sandbox_set_clock', { advance_ms: 60_000 })
  await ask(a, 'sandbox_set_oracle', { symbol: 'BTC', price: '100000' })
  const { id } = await ask(a, 'sandbox_snapshot', {})
  await ask(a, 'sandbox_list_snapshots', {})
  await ask(a, 'sandbox_scenario', { name: 'freeze', symbol: 'SOL' })
  await ask(a, 'sandbox_bots', { running: false })
  assert.deepEqual(await ask(a, 'sandbox_get_bots', {}), { running: false })
  await ask(a, 'sandbox_revert', { id })
  await ask(a, 'sandbox_get_hash', {})
  await ask(a, 'sandbox_settle', {})
  await ask(a, 'sandbox_latency', { lines: [] })
  await ask(a, 'sandbox_get_latency', {})
  await ask(a, 'sandbox_faults', { rules: [] })
  await ask(a, 'sandbox_get_faults', {})
  await ask(a, 'sandbox_drop_connections', { kind: 'http' })
  const fork = await ask(a, 'sandbox_fork', {})
  await ask(a, 'sandbox_end_fork', { id: fork.id })
  await live.running.exchange.sandbox!.keepStart()
  await ask(a, 'sandbox_reset', {})
})

test('these tests call the method of every route', () => {
  assert.deepEqual(
    routeNames.filter((name) => !seen.has(name)),
    [],
  )
})

test('rows are read through all pages; a page is available as a table', async () => {
  const a = clientOf({ signer: alice })
  const paged = []
  for await (const row of a.rows('get_balance_history', { limit: 2 })) paged.push(row)
  const { rows } = await a.getBalanceHistory({ limit: 1_000 })
  assert.ok(rows.length > 4)
  assert.deepEqual(paged, rows)
  const table = await a.table('get_balance_history', { limit: 2 })
  assert.equal(table.text.trim().split('\n').length, 3)
  assert.ok(table.nextCursor)
})

test('a rejection has status, code, name, message and the full reply', async () => {
  const a = clientOf({ signer: alice })
  const tooMuch = { ...limit, amount: '5000', side: 'bid', price: '99000' } as const
  const refusal = await refusalIn(a.createOrder(tooMuch))
  assert.equal(refusal.status, 422)
  assert.match(refusal.message, new RegExp(`^${refusal.reason}: `))
  assert.deepEqual(refusal.details, {
    success: false,
    data: null,
    error: refusal.message,
    code: refusal.code,
  })
  const gone = await refusalIn(a.cancelOrder({ symbol: 'BTC', order_id: 999_999 }))
  assert.deepEqual([gone.status, gone.reason, gone.retryAfter], [400, 'ORDER_NOT_FOUND', null])
})

test('a signed body can be sent again, and is executed once', async () => {
  const a = clientOf({ signer: alice })
  const body = await a.body('create_order', { ...limit, side: 'bid', price: '95000' })
  const { order_id } = await a.send('create_order', body)
  assert.equal((await refusalIn(a.send('create_order', body))).reason, 'REPLAYED')
  const { rows } = await a.getOpenOrders()
  assert.equal(rows.filter(({ price }) => price === '95000').length, 1)
  await a.cancelOrder({ symbol: 'BTC', order_id })
})

test('a wrong clock is rejected by name, and can be set from the exchange', async () => {
  const hour = 3_600_000
  const late = clientOf({ signer: alice, now: () => Date.now() - hour })
  assert.equal((await refusalIn(late.listAgentWallets())).reason, 'EXPIRED')
  const ahead = await late.syncClock()
  assert.ok(Math.abs(ahead - hour) < 60_000, String(ahead))
  await late.listAgentWallets()
})

test('a call without the account or key it needs fails before anything is sent', async () => {
  await assert.rejects(() => clientOf().getAccount(), /get_account is about an account/)
  const reader = clientOf({ account: alice.address })
  await reader.getAccount()
  await assert.rejects(() => reader.updateLeverage({ symbol: 'BTC', leverage: 3 }), /no key/)
})

const servers: Server[] = []
// Closed also when a test fails: a listening server keeps the runner from ending.
after(() => {
  for (const server of servers) server.close().closeAllConnections()
})

async function serverOf(listener: RequestListener) {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  }
  return { url, close }
}

test('no server, a server without replies and a foreign one fail differently', async () => {
  const stranger = await serverOf((_, response) => response.end('<html>hello</html>'))
  await assert.rejects(
    () => new Client({ url: stranger.url }).getInfo(),
    (error) => error instanceof UnexpectedReply && error.status === 200,
  )
  await stranger.close()
  const unanswering = await serverOf(() => undefined)
  await assert.rejects(
    () => new Client({ url: unanswering.url, timeoutMs: 100 }).getTime(),
    TimeoutFailure,
  )
  await unanswering.close()
  const none = new Client({ url: unanswering.url })
  await assert.rejects(() => none.getTime(), NetworkFailure)
  await assert.rejects(() => none.getTime(), /no answer from http.*: .*ECONNREFUSED/)
})

test('a read is repeated while the history lags, an order never', async () => {
  let attempts = 0
  const busy = await serverOf((_, response) => {
    attempts += 1
    const last = attempts === 3
    response.writeHead(last ? 200 : 503, { 'retry-after': '0' })
    const error = last ? null : 'NOT_READY: history has not caught up yet'
    response.end(JSON.stringify({ success: last, data: {}, error, code: last ? null : 503 }))
  })
  await new Client({ url: busy.url }).getTime()
  assert.equal(attempts, 3)
  attempts = 0
  const order = { ...limit, side: 'bid', price: '1' } as const
  const refusal = await refusalIn(
    new Client({ url: busy.url, signer: alice, venue: null }).createOrder(order),
  )
  assert.deepEqual([attempts, refusal.status, refusal.retryAfter], [1, 503, 0])
  await busy.close()
})

test('printing a client or its stream shows no secret', async () => {
  const { inspect } = await import('node:util')
  const client = clientOf({ signer: alice, apiKey: 'secret-api-key' })
  const stream = client.stream()
  const shown = inspect([client, stream], { depth: 9 }) + JSON.stringify(client)
  stream.close()
  assert.ok(!shown.includes(alice.secret) && !shown.includes('secret-api-key'), shown)
})
