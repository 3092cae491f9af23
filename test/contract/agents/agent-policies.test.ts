// Keys with a policy, black box: bound, listed, replaced, removed and enforced.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from '../../../src/client/client.ts'
import { type Key, newKey } from '../../../src/client/key.ts'
import { dataOf, type Row, refused } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
await live.price('BTC', '100000')

const order = { symbol: 'BTC', side: 'bid', price: '99000', amount: '0.01', reduce_only: false }
const limit = { ...order, tif: 'GTC' }
type Listed = Readonly<{ agent_wallets: string[]; agents: Row[] }>

async function bound(fields: object): Promise<Readonly<{ alice: Key; agent: Key }>> {
  const [alice, agent] = [await live.trader(), newKey()]
  dataOf(await api.signed(alice, '/agent/bind', { agent_wallet: agent.address, ...fields }))
  return { alice, agent }
}
const listOf = async (alice: Key) => dataOf<Listed>(await api.signed(alice, '/agent/list'))

test('a key is bound with its policy and addresses, and listed with them', async () => {
  const policy = { symbols: ['ETH', 'BTC'], max_slippage_percent: '2', max_daily_loss: '150.5' }
  const ips = ['127.0.0.1', '2001:DB8::1']
  const { alice, agent } = await bound({ policy, ips })
  const none = { max_order_value: null, max_position_value: null, expires_at: null, allow: [] }
  const flags = { post_only: false, reduce_only: false }
  const listed = await listOf(alice)
  assert.deepEqual(listed.agent_wallets, [agent.address])
  assert.deepEqual(listed.agents, [
    {
      agent_wallet: agent.address,
      policy: { ...policy, ...none, ...flags, symbols: ['BTC', 'ETH'] },
      ips: ['127.0.0.1', '2001:db8::1'],
      day_loss: '0',
      expired: false,
    },
  ])
  dataOf(await api.signed(alice, '/orders/create', limit, { agent }))
  const far = { ...limit, price: '102001' }
  refused(await api.signed(alice, '/orders/create', far, { agent }), {
    status: 403,
    says: /AGENT_LIMIT: rule 4 of this agent's policy: price 102001 is further .* than 102000/,
  })
  dataOf(await api.signed(alice, '/orders/create', { ...far, tif: 'ALO' }))
})

test('the account and the agent read the policy, and no other caller', async () => {
  const { alice, agent } = await bound({ policy: { max_order_value: '500' } })
  const agent_wallet = agent.address
  const { url } = live
  const [row] = (await listOf(alice)).agents
  const account = alice.address
  for (const by of [{ signer: alice }, { account, agent }])
    assert.deepEqual(await new Client({ url, ...by }).getAgentPolicy({ agent_wallet }), row)
  const own = new Client({ url, signer: alice })
  for (const other of [newKey().address, account])
    await assert.rejects(own.getAgentPolicy({ agent_wallet: other }), /AGENT_NOT_FOUND/)
  for (const by of [{ signer: await live.trader() }, {}]) {
    const read = new Client({ url, ...by }).getAgentPolicy({ account, agent_wallet })
    await assert.rejects(read, /CREDENTIALS_REQUIRED: policies need an API key/)
  }
})

test('a violated rule is named with the value that would be accepted', async () => {
  const { alice, agent } = await bound({})
  const agent_wallet = agent.address
  const says = async (policy: Row, text: RegExp) => {
    const fields = { agent_wallet: agent.address, policy }
    dataOf(await api.signed(alice, '/agent/policy', fields))
    const answer = await api.signed(alice, '/orders/create', limit, { agent })
    refused(answer, { status: 403, says: text })
    const request = { ...limit, account: alice.address }
    const preview = dataOf(await api.post('/orders/preview', { ...request, agent_wallet }))
    const { error, code } = answer.body as unknown as Row
    assert.deepEqual([preview.accepted, preview.error, preview.code], [false, error, code])
    assert.equal(dataOf(await api.post('/orders/preview', request)).accepted, true)
  }
  await says(
    { symbols: ['ETH'] },
    /rule 1 of this agent's policy: BTC is not one of the allowed markets/,
  )
  await says({ post_only: true }, /rule 2 .* the agent may only post: use tif ALO or TOB/)
  await says({ reduce_only: true }, /rule 3 .* the agent may only reduce: send reduce_only true/)
  await says({ max_order_value: '989.9' }, /rule 5 .* worth 990 USD, at most 989.9 USD/)
  await says({ max_position_value: '999' }, /rule 6 .* worth 1000 USD, at most 999 USD/)
  await says({ expires_at: 9e12, max_order_value: '1' }, /rule 5/)
  const tpsl = { symbol: 'BTC', side: 'ask', stop_loss: { stop_price: '90000' } }
  const none = await api.signed(alice, '/positions/tpsl', tpsl, { agent })
  refused(none, { status: 400, says: /POSITION_NOT_FOUND/ })
  const gone = { agent_wallet: agent.address, remove: true }
  dataOf(await api.signed(alice, '/agent/policy', gone))
  dataOf(await api.signed(alice, '/orders/create', limit, { agent }))
  assert.deepEqual(
    (await listOf(alice)).agents.map(({ policy }) => policy),
    [null],
  )
})

test('a preview for a key includes its maximum amount, and where it may trade', async () => {
  const { alice, agent } = await bound({ policy: { max_order_value: '495' } })
  const request = { account: alice.address, ...limit, agent_wallet: agent.address }
  const preview = dataOf(await api.post('/orders/preview', request))
  assert.deepEqual([preview.accepted, preview.max_amount], [false, '0.005'])
  const stranger = { ...request, agent_wallet: newKey().address }
  const unbound = dataOf(await api.post('/orders/preview', stranger))
  assert.match(String(unbound.error), /^AGENT_NOT_BOUND: agent \w+ is not bound to account/)
  const other = { agent_wallet: agent.address, ips: ['203.0.113.7'] }
  dataOf(await api.signed(alice, '/agent/bind', other))
  const elsewhere = dataOf(await api.post('/orders/preview', request))
  assert.match(String(elsewhere.error), /AGENT_NOT_ALLOWED/)
})

test('a preview checks which orders may be protected', async () => {
  const alice = await live.trader()
  const request = { account: alice.address, ...limit, tif: 'ALO', mmp: true }
  assert.equal(dataOf(await api.post('/orders/preview', request)).accepted, true)
  const takes = dataOf(await api.post('/orders/preview', { ...request, tif: 'GTC' }))
  assert.match(String(takes.error), /INVALID_ORDER_TYPE/)
  const market = { ...order, account: alice.address, slippage_percent: '1', mmp: true }
  const { price: _, ...body } = market
  const wrong = await api.post('/orders/preview', body)
  refused(wrong, { status: 400, says: /expire_time and mmp are of limit orders/ })
})

test('margin and API keys need explicit permissions, also to list keys', async () => {
  const { alice, agent } = await bound({ policy: {} })
  const asks: readonly (readonly [string, Row])[] = [
    ['/account/leverage', { symbol: 'ETH', leverage: 5 }],
    ['/account/api_keys/create', {}],
    ['/account/api_keys', {}],
  ]
  for (const [path, body] of asks) {
    const word = path.includes('api_keys') ? 'api_keys' : 'margin'
    const says = new RegExp(`AGENT_NOT_ALLOWED: .* not allow it, because ${word} is missing`)
    const answer = await api.signed(alice, path, body, { agent })
    refused(answer, { status: path.includes('api_keys') ? 400 : 403, says })
  }
  const policy = { allow: ['api_keys', 'margin'] }
  dataOf(await api.signed(alice, '/agent/policy', { agent_wallet: agent.address, policy }))
  for (const [path, body] of asks)
    assert.equal((await api.signed(alice, path, body, { agent })).status, 200)
})

test('an invalid policy is rejected with the fault and leaves the key unchanged', async () => {
  const { alice, agent } = await bound({ policy: { post_only: true } })
  const wrong: readonly (readonly [Row, number, RegExp])[] = [
    [{}, 400, /give either policy or remove: true/],
    [{ remove: false }, 400, /give either policy or remove: true/],
    [{ policy: {}, remove: true }, 400, /give either policy or remove: true/],
    [{ policy: { symbols: [] } }, 400, /symbols/],
    [{ policy: { symbols: ['NOPE'] } }, 3, /BOOK_NOT_FOUND/],
    [
      { policy: { symbols: Array.from({ length: 33 }, () => 'BTC') } },
      422,
      /33 markets, at most 32/,
    ],
    [{ policy: { max_slippage_percent: '101' } }, 59, /from 0 to 100/],
    [{ policy: { max_order_value: '0' } }, 422, /max_order_value 0 is not an amount from 0/],
    [{ policy: { max_daily_loss: '-1' } }, 422, /max_daily_loss -1 is not an amount/],
    [{ policy: { max_daily_loss: '0.0000001' } }, 59, /at most six decimals/],
    [{ policy: { expires_at: 1 } }, 422, /expires_at 1 is in the past: engine time is \d+/],
    [{ policy: { allow: ['trade'] } }, 400, /allow/],
    [{ policy: { max_notional: '5' } }, 400, /max_notional/],
    [{ agent_wallet: 'x', policy: {} }, 400, /Invalid public key in agent_wallet/],
    [{ agent_wallet: newKey().address, policy: {} }, 422, /AGENT_NOT_FOUND/],
  ]
  for (const [fields, code, says] of wrong) {
    const body = { agent_wallet: agent.address, ...fields }
    const status = code === 400 ? 400 : 422
    refused(await api.signed(alice, '/agent/policy', body), { status, code, says })
  }
  const ips = { agent_wallet: agent.address, ips: ['here'] }
  const answer = await api.signed(alice, '/agent/bind', ips)
  refused(answer, { status: 400, says: /ips\[0\] here is not an IPv4 or IPv6 address/ })
  const [row] = (await listOf(alice)).agents
  assert.equal((row!.policy as Row).post_only, true)
})

test('policy limits are listed with the other limits', async () => {
  const { limits } = dataOf<{ limits: Row }>(await api.get('/info/risk'))
  assert.equal(limits.symbols_per_policy, 32)
})
