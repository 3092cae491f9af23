// Accounts, agents and subaccounts, black box.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'
import { subaccountBody } from '../support/http/subaccount-body.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const order = { symbol: 'BTC', side: 'bid', price: '100000', amount: '0.01' }
const limit = { ...order, tif: 'GTC', reduce_only: false }

test('an account is shown with its amounts; an unknown account is 404 with code 1', async () => {
  const alice = await live.trader('1234.5')
  const account = dataOf(await api.get('/account', { account: alice.address }))
  assert.deepEqual(
    [account.balance, account.account_equity, account.available_to_withdraw, account.fee_level],
    ['1234.5', '1234.5', '1234.5', 0],
  )
  const names =
    'account_equity available_to_spend available_to_withdraw balance cross_account_equity ' +
    'cross_mmr fee_level maker_fee orders_count pending_balance pending_interest ' +
    'positions_count spot_balances spot_collateral spot_market_value stop_orders_count ' +
    'taker_fee total_margin_used updated_at use_ltp_for_stop_orders volume_14d'
  assert.equal(Object.keys(account).sort().join(' '), names)
  const unknown = await api.get('/account', { account: newKey().address })
  refused(unknown, { status: 404, code: 1, says: /ACCOUNT_NOT_FOUND/ })
})

test('settings list only what differs from the defaults', async () => {
  const alice = await live.trader()
  const settings = async () =>
    dataOf<Row[]>(await api.get('/account/settings', { account: alice.address }))
  assert.deepEqual(await settings(), [])
  const leverage = await api.signed(alice, '/account/leverage', { symbol: 'ETH', leverage: 5 })
  assert.equal(leverage.text, '{"success":true,"data":null,"error":null,"code":null}')
  dataOf(await api.signed(alice, '/account/margin', { symbol: 'SOL', is_isolated: true }))
  const rows = (await settings()).map(({ symbol, isolated, leverage }) => [
    symbol,
    isolated,
    leverage,
  ])
  assert.deepEqual(rows, [
    ['ETH', false, 5],
    ['SOL', true, 20],
  ])
})

test('leverage, margin mode and isolated margin are limited', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  const leverage = (value: unknown, symbol = 'SOL') =>
    api.signed(alice, '/account/leverage', { symbol, leverage: value })
  refused(await leverage(21), {
    status: 422,
    code: 11,
    says: /INVALID_LEVERAGE: leverage 21 is outside 1 to 20/,
  })
  refused(await leverage(0), { status: 400, says: /leverage must be >= 1/ })
  refused(await leverage('5'), { status: 400, says: /leverage must be integer/ })
  refused(await leverage(5, 'NOPE'), { status: 422, code: 3, says: /BOOK_NOT_FOUND/ })
  const cross = { symbol: 'WIF', is_isolated: false }
  refused(await api.signed(alice, '/account/margin', cross), {
    status: 422,
    code: 12,
    says: /CANNOT_UPDATE_MARGIN: .*isolated-only markets have no cross mode/,
  })
  await live.price('WIF', '0.9')
  await live.trade({ buyer: alice, seller: bob, symbol: 'WIF', price: '0.9', amount: '1000' })
  const add = (amount: unknown, symbol = 'WIF') =>
    api.signed(alice, '/positions/add_isolated_margin', { symbol, amount })
  assert.equal(dataOf(await add('10')), null)
  assert.equal(dataOf(await add('-10')), null)
  refused(await add('-10'), { status: 422, code: 5, says: /of free margin/ })
  refused(await add('0.0000001'), { status: 422, code: 59, says: /at most six decimals/ })
  refused(await add('1', 'ETH'), { status: 422, code: 13, says: /no open position on ETH/ })
  refused(await add(10), { status: 400, says: /amount must be a string/ })
})

test('a withdrawal is deducted immediately and waits for the operator', async () => {
  const alice = await live.trader('500')
  const withdraw = (amount: string) => api.signed(alice, '/account/withdraw', { amount })
  const { withdrawal_id } = dataOf(await withdraw('100.25'))
  assert.ok(Number.isSafeInteger(withdrawal_id))
  const { balance, pending_balance } = dataOf(await api.get('/account', { account: alice.address }))
  assert.deepEqual([balance, pending_balance], ['399.75', '100.25'])
  refused(await withdraw('400'), {
    status: 422,
    code: 9,
    says: /OVER_WITHDRAWAL: 400 USD is more than the withdrawable 399.75 USD/,
  })
  refused(await withdraw('0.5'), {
    status: 422,
    code: 29,
    says: /WITHDRAW_AMOUNT_TOO_LOW: 0.5 USD is below the minimum 1 USD/,
  })
  refused(await withdraw('-5'), {
    status: 422,
    code: 59,
    says: /INVALID_AMOUNT: the amount must be above zero/,
  })
})

test('agents are bound, listed and revoked; an agent’s order belongs to the account', async () => {
  const alice = await live.trader()
  const [one, two] = [newKey(), newKey()]
  for (const { address } of [one, two])
    assert.equal(dataOf(await api.signed(alice, '/agent/bind', { agent_wallet: address })), null)
  const list = async () =>
    dataOf<{ agent_wallets: string[] }>(await api.signed(alice, '/agent/list')).agent_wallets
  assert.deepEqual(await list(), [one.address, two.address])
  const placed = dataOf(await api.signed(alice, '/orders/create', limit, { agent: one }))
  dataOf(await api.signed(alice, '/agent/revoke', { agent_wallet: one.address }))
  assert.deepEqual(await list(), [two.address])
  const open = dataOf<Row[]>(await api.get('/orders', { account: alice.address }))
  assert.deepEqual([open.length, open[0]!.order_id], [1, placed.order_id], 'its orders remain')
  const late = await api.signed(alice, '/orders/create', limit, { agent: one })
  refused(late, { status: 400, says: /AGENT_NOT_BOUND: agent \S+ is not bound to account \S+/ })
  dataOf(await api.signed(alice, '/agent/revoke_all'))
  assert.deepEqual(await list(), [])
  const unknown = await api.signed(alice, '/agent/revoke', { agent_wallet: one.address })
  refused(unknown, { status: 422, says: /AGENT_NOT_FOUND: that address is not an agent/ })
  const self = await api.signed(alice, '/agent/bind', { agent_wallet: alice.address })
  refused(self, { status: 422, code: 51, says: /UNSUPPORTED_OPERATION/ })
  const bad = await api.signed(alice, '/agent/bind', { agent_wallet: 'x' })
  refused(bad, { status: 400, says: /Invalid public key in agent_wallet/ })
})

test('a deposit to an address that is bound as an agent opens an account there', async () => {
  const mallory = await live.trader()
  const stranger = newKey()
  dataOf(await api.signed(mallory, '/agent/bind', { agent_wallet: stranger.address }))
  dataOf(await live.sandbox('faucet', { account: stranger.address, amount: '1000' }))
  dataOf(await api.signed(stranger, '/orders/create', limit))
  const listed = dataOf(await api.signed(mallory, '/agent/list'))
  assert.deepEqual(listed, { agent_wallets: [], agents: [] }, 'the deposit ended the binding')
  const late = await api.signed(mallory, '/orders/create', limit, { agent: stranger })
  refused(late, { status: 400, says: /AGENT_NOT_BOUND/ })
  const again = await api.signed(mallory, '/agent/bind', { agent_wallet: stranger.address })
  refused(again, { status: 422, code: 51, says: /UNSUPPORTED_OPERATION: .*never both/ })
})

test('two accounts may bind one key; its first signed command decides', async () => {
  const [mallory, alice] = [await live.trader(), await live.trader()]
  const agent = newKey()
  const bind = (who: typeof alice) =>
    api.signed(who, '/agent/bind', { agent_wallet: agent.address })
  for (const who of [mallory, alice]) assert.equal(dataOf(await bind(who)), null)
  dataOf(await api.signed(alice, '/orders/create', limit, { agent }))
  const late = await api.signed(mallory, '/orders/create', limit, { agent })
  refused(late, { status: 400, says: /AGENT_NOT_BOUND/ })
  refused(await bind(mallory), { status: 422, code: 51, says: /confirmed agent of one account/ })
  const paid = await live.sandbox('faucet', { account: agent.address, amount: '1000' })
  refused(paid, { status: 422, code: 51, says: /confirmed agent of one account/ })
})

test('an account has a maximum of twenty agents', async () => {
  const alice = await live.trader()
  const bind = () => api.signed(alice, '/agent/bind', { agent_wallet: newKey().address })
  for (let at = 0; at < 20; at++) dataOf(await bind())
  refused(await bind(), { status: 422, says: /LIMIT_REACHED: an account has at most 20 agents/ })
})

test('an agent may trade, change leverage or margin, and manage API keys only', async () => {
  const alice = await live.trader()
  const agent = newKey()
  dataOf(await api.signed(alice, '/agent/bind', { agent_wallet: agent.address }))
  const by = { agent }
  dataOf(await api.signed(alice, '/orders/create', limit, by))
  dataOf(await api.signed(alice, '/account/leverage', { symbol: 'SOL', leverage: 3 }, by))
  dataOf(await api.signed(alice, '/account/margin', { symbol: 'SOL', is_isolated: true }, by))
  const says =
    /^AGENT_FORBIDDEN: an agent may trade, change leverage or margin, and make, list and revoke API/
  for (const [path, fields] of [
    ['/account/withdraw', { amount: '5' }],
    ['/account/subaccount/list', {}],
    ['/account/subaccount/transfer', { to_account: newKey().address, amount: '1' }],
    ['/agent/list', {}],
    ['/agent/revoke_all', {}],
    ['/agent/ip_whitelist/list', { api_agent_key: agent.address }],
  ] as const)
    refused(await api.signed(alice, path, fields, by), { status: 403, says })
})

test('the address list of an agent applies as soon as it is in force', async () => {
  const alice = await live.trader()
  const agent = newKey()
  const agent_wallet = agent.address
  dataOf(await api.signed(alice, '/agent/bind', { agent_wallet }))
  const ips = (route: string, fields: Row) =>
    api.signed(alice, `/agent/ip_whitelist/${route}`, fields)
  const list = async () => dataOf(await ips('list', { api_agent_key: agent_wallet }))
  assert.deepEqual(await list(), { ips: [], enabled: false })
  dataOf(await ips('add', { agent_wallet, ip_address: '10.1.2.3' }))
  dataOf(await ips('toggle', { agent_wallet, enabled: true }))
  assert.deepEqual(await list(), { ips: ['10.1.2.3'], enabled: true })
  const by = { agent }
  const text = await api.body(alice, '/orders/create', limit, by)
  const onlyAddress =
    /^AGENT_NOT_ALLOWED: this agent may not do this: the request comes from an address out/
  const before = live.running.exchange.seq()
  const outside = await api.post('/orders/create', text)
  refused(outside, { status: 403, says: onlyAddress })
  assert.equal(live.running.exchange.seq(), before, 'it is not in the journal')
  const cancel = { symbol: 'BTC', order_id: 1 }
  refused(await api.signed(alice, '/orders/cancel', cancel, by), {
    status: 400,
    says: /AGENT_NOT_/,
  })
  dataOf(await ips('add', { agent_wallet, ip_address: '127.0.0.1' }))
  // The request rejected for its address was never executed, so the same text is still valid, once.
  dataOf(await api.post('/orders/create', text))
  refused(await api.post('/orders/create', text), { status: 400, says: /^REPLAYED: / })
  dataOf(await ips('remove', { agent_wallet, ip_address: '127.0.0.1' }))
  refused(await api.signed(alice, '/orders/create', limit, by), { status: 403, says: /AGENT_NOT_/ })
  dataOf(await ips('toggle', { agent_wallet, enabled: false }))
  dataOf(await api.signed(alice, '/orders/create', limit, by))
  const odd = await ips('add', { agent_wallet, ip_address: '10.0.0.256' })
  refused(odd, { status: 400, says: /ip_address is not an IPv4 or IPv6 address/ })
  const other = await ips('list', { api_agent_key: newKey().address })
  refused(other, { status: 422, says: /AGENT_NOT_FOUND/ })
})

test('two signatures create a subaccount; transfers work in both directions', async () => {
  const [main, sub] = [await live.trader('1000'), newKey()]
  const made = await api.post('/account/subaccount/create', await subaccountBody(main, sub))
  assert.equal(dataOf(made), null)
  const list = async () =>
    dataOf<{ subaccounts: Row[] }>(await api.signed(main, '/account/subaccount/list')).subaccounts
  const [row] = await list()
  const { created_at, ...rest } = row!
  assert.ok(Number.isSafeInteger(created_at))
  assert.deepEqual(rest, { address: sub.address, balance: '0', pending_balance: '0', fee_level: 0 })
  const path = '/account/subaccount/transfer'
  const down = await api.signed(main, path, { to_account: sub.address, amount: '300' })
  assert.deepEqual(dataOf(down), { success: true, error: null })
  assert.equal((await list())[0]!.balance, '300')
  dataOf(await api.signed(sub, path, { to_account: main.address, amount: '100' }))
  assert.equal((await list())[0]!.balance, '200')
  const stranger = await live.trader()
  const away = await api.signed(main, path, { to_account: stranger.address, amount: '1' })
  refused(away, { status: 422, code: 33, says: /INVALID_TRANSFER_RELATIONSHIP: transfers go/ })
  const over = await api.signed(sub, path, { to_account: main.address, amount: '201' })
  refused(over, { status: 422, code: 9, says: /OVER_WITHDRAWAL/ })
  const unknown = await api.signed(main, path, { to_account: newKey().address, amount: '1' })
  refused(unknown, { status: 422, code: 1, says: /ACCOUNT_NOT_FOUND/ })
  const out = await api.signed(sub, '/account/withdraw', { amount: '5' })
  refused(out, { status: 422, code: 34, says: /SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED/ })
})

test('a subaccount cannot have subaccounts, and an account cannot become one', async () => {
  const [main, sub] = [await live.trader(), newKey()]
  const path = '/account/subaccount/create'
  dataOf(await api.post(path, await subaccountBody(main, sub)))
  const deeper = await api.post(path, await subaccountBody(sub, newKey()))
  refused(deeper, { status: 422, code: 35, says: /SUBACCOUNT_CANNOT_CREATE_SUBACCOUNT/ })
  const taken = await api.post(path, await subaccountBody(main, await live.trader()))
  refused(taken, { status: 422, code: 2, says: /ACCOUNT_ALREADY_EXISTS/ })
})
