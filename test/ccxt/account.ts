// Money, settings and keys of an account through ccxt.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadRequest, PermissionDenied } from 'ccxt'
import { newKey } from '../../src/client/key.ts'
import { BTC, ETH, num, type Rest } from '../support/ccxt/ccxt-desk.ts'
import { desk } from '../support/ccxt/shared-desk.ts'
import type { Row } from '../support/http/api-client.ts'

const hourMs = 3_600_000

const accountOf = (trader: Rest) => desk.read('/account', { account: trader.walletAddress })

/** A long and a short of 0.1 BTC. */
async function paired(): Promise<[Rest, Rest]> {
  const [long, short] = [await desk.trader(), await desk.trader()]
  await short.createOrder(BTC, 'limit', 'sell', 0.1, 100_000)
  await long.createOrder(BTC, 'limit', 'buy', 0.1, 100_000)
  return [long, short]
}

test('balance and fee are those of /account, before and after a trade', async () => {
  const [long] = await paired()
  await long.createOrder(BTC, 'limit', 'buy', 0.01, 90_000)
  const account = await accountOf(long)
  assert.ok(num(account.total_margin_used) > 0)
  const balance = await long.fetchBalance()
  const { total, used, free } = balance.USDC as unknown as Record<string, number>
  assert.deepEqual([total, used], [num(account.balance), num(account.total_margin_used)])
  assert.ok(Math.abs(free! - (total! - used!)) < 1e-9)
  assert.equal(balance.timestamp, account.updated_at)
  const { maker, taker } = await long.fetchTradingFee(BTC)
  assert.deepEqual([maker, taker], [num(account.maker_fee), num(account.taker_fee)])
})

test('leverage and margin mode are set, read back, and fixed by a position', async () => {
  const trader = await desk.trader()
  const account = trader.walletAddress
  assert.equal((await trader.fetchLeverage(BTC)).longLeverage, 50)
  assert.equal((await trader.fetchMarginMode(BTC)).marginMode, 'cross')
  await trader.setLeverage(7, BTC)
  await trader.setMarginMode('isolated', BTC)
  // ccxt caches what it has read.
  await trader.loadAccountSettings(true)
  const settings = await desk.read<Row[]>('/account/settings', { account })
  assert.deepEqual(Object.values(await trader.fetchAccountSettings()), settings)
  assert.deepEqual([settings[0]!.leverage, settings[0]!.isolated], [7, true])
  const leverage = await trader.fetchLeverage(BTC)
  assert.deepEqual([leverage.longLeverage, leverage.shortLeverage], [7, 7])
  assert.equal((await trader.fetchMarginMode(BTC)).marginMode, 'isolated')
  const seenByOthers = await desk.rest().fetchLeverage(BTC, { account })
  assert.equal(seenByOthers.longLeverage, 7)

  const other = await desk.trader()
  await other.createOrder(BTC, 'limit', 'sell', 0.1, 100_000)
  await trader.createOrder(BTC, 'limit', 'buy', 0.1, 100_000)
  const position = await trader.fetchPosition(BTC)
  const [own] = (await desk.live.api.get<Row[]>('/positions', { account })).body
  assert.deepEqual([position.marginMode, own!.isolated], ['isolated', true])
  assert.equal(num(position.collateral), num(own!.margin))
  await assert.rejects(trader.setMarginMode('cross', BTC), /CANNOT_UPDATE_MARGIN/)
  await assert.rejects(trader.setLeverage(3, BTC), /INSUFFICIENT_BALANCE/)
  const add = signedFields(trader, 'add_isolated_margin', { symbol: 'BTC', amount: '100' })
  await trader.privatePostPositionsAddIsolatedMargin(add)
  const after = num((await trader.fetchPosition(BTC)).collateral)
  assert.ok(Math.abs(after - num(own!.margin) - 100) < 1e-6)
})

test('funding rates, payments and the ledger are those of our reads, page by page', async () => {
  const [long, short] = await paired()
  await desk.advance(3 * hourMs)
  const symbol = 'BTC'
  const rates = await desk.read<Row[]>('/funding_rate/history', { symbol })
  const history = await long.fetchFundingRateHistory(BTC)
  assert.ok(rates.length >= 3)
  assert.deepEqual(
    history.map(({ fundingRate, timestamp }) => [fundingRate, timestamp]),
    rates.map(({ funding_rate, created_at }) => [num(funding_rate), created_at]).reverse(),
  )
  const first = history[0]!.timestamp!
  const pages = { paginate: true, maxEntriesPerRequest: 2 }
  const whole = await long.fetchFundingRateHistory(BTC, first, undefined, { ...pages })
  assert.equal(whole.length, history.length)

  for (const trader of [long, short]) {
    const account = trader.walletAddress
    const paid = await desk.read<Row[]>('/funding/history', { account })
    const payments = await trader.fetchFundingHistory()
    assert.ok(paid.length >= 2)
    // ccxt calls the size of the position `amount`; the money is in `info.payout`.
    assert.deepEqual(
      payments.map((row) => [row.id, (row as unknown as Row).rate, row.amount, row.timestamp]),
      paid
        .map((row) => [String(row.history_id), num(row.rate), num(row.amount), row.created_at])
        .reverse(),
    )
    assert.deepEqual(
      payments.map(({ info }) => (info as Row).payout),
      paid.map(({ payout }) => payout).reverse(),
    )
    const paged = await trader.fetchFundingHistory(BTC, first, undefined, { ...pages })
    assert.equal(paged.length, paid.length)

    const rows = await desk.read<Row[]>('/account/balance/history', { account })
    const entries = await trader.fetchLedger()
    assert.equal(entries.length, rows.length)
    const sum = entries.reduce((total, { amount, direction }) => {
      return direction === 'out' ? total - Math.abs(amount!) : total + amount!
    }, 0)
    assert.ok(Math.abs(sum - num((await accountOf(trader)).balance)) < 1e-6)
    assert.deepEqual(
      entries.map(({ after }) => after).sort(),
      rows.map(({ balance }) => num(balance)).sort(),
    )
    const kinds = new Set(entries.map(({ type }) => type))
    assert.deepEqual(kinds, new Set(['transaction', 'trade', 'funding']))
    const since = entries[0]!.timestamp!
    assert.equal((await trader.fetchLedger('USDC', since, 50, { ...pages })).length, rows.length)
  }
})

test('an order history of several pages is read completely', async () => {
  const trader = await desk.trader()
  for (let round = 0; round < 5; round++) {
    await trader.createOrder(ETH, 'limit', 'buy', 0.1, 3_000 + round)
    await desk.advance(1)
  }
  const since = (await trader.fetchOrders())[0]!.timestamp!
  const pages = { paginate: true, maxEntriesPerRequest: 2 }
  const all = await trader.fetchOrders(ETH, since, undefined, pages)
  assert.deepEqual(all.map(({ price }) => price).sort(), [3_000, 3_001, 3_002, 3_003, 3_004])
  const last = await trader.fetchOrders(ETH, undefined, 2)
  assert.deepEqual(
    last.map(({ price }) => price),
    [3_003, 3_004],
  )
  await trader.cancelAllOrders()
})

test('a withdrawal, and a transfer to a subaccount', async () => {
  const trader = await desk.trader()
  const before = num((await accountOf(trader)).balance)
  const { info } = await trader.withdraw('USDC', 250, trader.walletAddress!)
  assert.ok(Number.isInteger(((info as Row).data as Row).withdrawal_id))
  const sub = newKey()
  await trader.createSubAccount('', {
    subAccountAddress: sub.address,
    subAccountPrivateKey: sub.secret,
  })
  const moved = await trader.transfer('USDC', 1_000.5, trader.walletAddress!, sub.address)
  assert.deepEqual([moved.status, moved.amount, moved.toAccount], ['ok', 1_000.5, sub.address])
  assert.equal(num((await accountOf(trader)).balance), before - 250 - 1_000.5)
  const child = desk.rest(sub)
  assert.equal(((await child.fetchTotalBalance()) as unknown as Row).USDC, 1_000.5)
  const { data } = await trader.privatePostAccountSubaccountList(
    signedFields(trader, 'list_subaccounts', {}),
  )
  const [listed] = (data as { subaccounts: Row[] }).subaccounts
  assert.deepEqual([listed!.address, listed!.balance], [sub.address, '1000.5'])
  const back = await child.transfer('USDC', 0.5, sub.address, trader.walletAddress!)
  assert.equal(back.status, 'ok')
  const types = (await trader.fetchLedger()).map(({ type }) => type)
  assert.deepEqual(new Set(types), new Set(['transaction', 'transfer']))
  await assert.rejects(child.withdraw('USDC', 10, sub.address), PermissionDenied)
})

test('an agent wallet trades for the account, and cannot move money', async () => {
  const [owner, agent] = [await desk.live.trader(), newKey()]
  const main = desk.rest(owner)
  await main.bindAgentWallet(agent.address)
  // As in ccxt: the agent's key, the owner's address, and the signer in the options.
  const bot = desk.rest({ ...agent, address: owner.address }, { agentAddress: agent.address })
  const order = await bot.createOrder(BTC, 'limit', 'buy', 0.01, 90_000)
  assert.deepEqual(
    (await main.fetchOpenOrders()).map(({ id }) => id),
    [order.id],
  )
  await bot.setLeverage(9, BTC)
  assert.equal((await main.fetchLeverage(BTC)).longLeverage, 9)
  await assert.rejects(bot.withdraw('USDC', 10, owner.address), PermissionDenied)
  const listed = await main.privatePostAgentList(signedFields(main, 'list_agent_wallets', {}))
  assert.deepEqual(listed.data.agent_wallets, [agent.address])
  const gone = { agent_wallet: agent.address }
  await main.privatePostAgentRevoke(signedFields(main, 'revoke_agent_wallet', gone))
  await assert.rejects(bot.cancelOrder(order.id!, BTC), BadRequest)
  assert.equal((await main.fetchOpenOrders()).length, 1)
})

test('API keys are created, listed, used and revoked', async () => {
  const owner = await desk.live.trader()
  const trader = desk.rest(owner)
  const made = (await trader.createApiKey()) as { data: { api_key: string } }
  const { api_key: apiKey } = made.data
  assert.match(apiKey, /^[1-9A-HJ-NP-Za-km-z]{8}_[1-9A-HJ-NP-Za-km-z]+$/)
  const keyed = desk.rest(owner, { apiKey })
  await keyed.fetchBalance()
  const listed = (await trader.fetchApiKeys()) as { data: { keys: Row[]; api_key_limit: number } }
  const [key] = listed.data.keys
  assert.deepEqual([key!.prefix, listed.data.api_key_limit], [apiKey.slice(0, 8), 5])
  assert.notEqual(key!.last_used_at, null)
  await trader.revokeApiKey(apiKey)
  await assert.rejects(keyed.fetchBalance(), /INVALID_API_KEY/)
  const none = (await trader.fetchApiKeys()) as { data: { keys: Row[] } }
  assert.deepEqual(none.data.keys, [])
})

test('builder codes do not exist here, and trading works without them', async () => {
  const trader = await desk.trader()
  await assert.rejects(trader.approveBuilderCode('CCXT', '0.01'), BadRequest)
  await assert.rejects(trader.revokeBuilderCode('CCXT'), BadRequest)
  await assert.rejects(trader.fetchBuilderApprovals(trader.walletAddress!), BadRequest)
  assert.equal(await trader.initializeClient(), true)
  assert.equal(trader.options.builderFee, false)
  // Without an approval the code is signed as a field of the order.
  const [maker, approved] = [await desk.trader(), await desk.trader({ approvedBuilderFee: true })]
  await maker.createOrder(ETH, 'limit', 'sell', 0.1, 4_001)
  const { id } = await approved.createOrder(ETH, 'market', 'buy', 0.1)
  assert.match(String(approved.last_request_body), /"builder_code":"CCXT"/)
  assert.equal((await approved.fetchOrder(id!)).status, 'closed')
})

/** A request without a ccxt method, signed by ccxt's own functions. */
export function signedFields(trader: Rest, type: string, fields: Row): Row {
  return trader.postActionRequest(type, { ...fields }, {}) as Row
}
