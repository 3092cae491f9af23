// The ccxt class of each of our errors: the classes that a bot catches and handles.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as ccxt from 'ccxt'
import { newKey } from '../../src/client/key.ts'
import { rejections } from '../../src/core/commands/rejections.ts'
import { errorTable } from '../../src/protocol/errors.ts'
import { BTC, configOf, type Rest } from '../support/ccxt/ccxt-desk.ts'
import { desk } from '../support/ccxt/shared-desk.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import type { Row } from '../support/http/api-client.ts'
import { liveExchange } from '../support/http/live-exchange.ts'
import { signedFields } from './account.ts'

type Thrown = new (...args: never[]) => Error
type Case = readonly [what: string, thrown: Thrown, ask: (trader: Rest) => Promise<unknown>]

/** Exactly this class: InvalidOrder is not OrderNotFound, although one extends the other. */
async function requireThrown(ask: Promise<unknown>, thrown: Thrown, says: string): Promise<void> {
  await assert.rejects(ask, (error: Error) => {
    assert.equal(error.constructor.name, thrown.name, error.message)
    assert.ok(error.message.includes(says), error.message)
    return true
  })
}

const buy = (trader: Rest, amount: number, price: number, params: Row = {}) =>
  trader.createOrder(BTC, 'limit', 'buy', amount, price, params)

const level = (trader: Rest, takeProfitPrice: number) =>
  trader.createOrder(BTC, 'limit', 'sell', 1, undefined, { takeProfitPrice })

const twap = (trader: Rest, seconds: number) =>
  trader.privatePostOrdersTwapCreate(
    signedFields(trader, 'create_twap_order', {
      ...{ symbol: 'BTC', side: 'bid', amount: '1', reduce_only: false },
      ...{ slippage_percent: '1', duration_in_seconds: seconds },
    }),
  )

const noTwap = (trader: Rest) =>
  signedFields(trader, 'cancel_twap_order', { symbol: 'BTC', order_id: 999_999_999 })

const unlisted = (trader: Rest) =>
  signedFields(trader, 'update_leverage', { symbol: 'NOSUCH', leverage: 2 })

const refusals: readonly Case[] = [
  ['INSUFFICIENT_BALANCE', ccxt.InsufficientFunds, (me) => buy(me, 10, 100_000)],
  ['OVER_WITHDRAWAL', ccxt.InsufficientFunds, (me) => me.withdraw('USDC', 1e6, me.walletAddress!)],
  [
    'WITHDRAW_AMOUNT_TOO_LOW',
    ccxt.InvalidOrder,
    (me) => me.withdraw('USDC', 0.01, me.walletAddress!),
  ],
  ['ORDER_AMOUNT_TOO_LOW', ccxt.InvalidOrder, (me) => buy(me, 0.00001, 100_000)],
  ['ORDER_AMOUNT_TOO_HIGH', ccxt.InvalidOrder, (me) => buy(me, 100, 100_000)],
  ['PRICE_TOO_FAR_FROM_MARK', ccxt.InvalidOrder, (me) => buy(me, 0.01, 140_000)],
  ['INVALID_TICK_LEVEL', ccxt.InvalidOrder, (me) => buy(me, 0.01, 2_000_000)],
  ['NO_POSITION', ccxt.InvalidOrder, (me) => buy(me, 0.01, 99_000, { reduceOnly: true })],
  ['INVALID_STOP_TICK', ccxt.InvalidOrder, (me) => stop(me, 90_000)],
  [
    'NO_REASONABLE_PRICE',
    ccxt.InvalidOrder,
    (me) => me.createMarketOrder('XAU/USDC:USDC', 'buy', 1),
  ],
  ['ORDER_NOT_FOUND', ccxt.OrderNotFound, (me) => me.cancelOrder('999999999', BTC)],
  ['ORDER_NOT_FOUND', ccxt.OrderNotFound, (me) => me.cancelOrder('999999999', BTC, { stop: true })],
  ['ORDER_NOT_FOUND', ccxt.OrderNotFound, (me) => edit(me, '999999999')],
  ['ORDER_NOT_FOUND', ccxt.OrderNotFound, (me) => me.fetchOrder('999999999')],
  ['POSITION_NOT_FOUND', ccxt.ExchangeError, (me) => level(me, 120_000)],
  ['TWAP_DURATION', ccxt.InvalidOrder, (me) => twap(me, 10)],
  ['TWAP', ccxt.OrderNotFound, (me) => me.privatePostOrdersTwapCancel(noTwap(me))],
  ['INVALID_LEVERAGE', ccxt.ExchangeError, (me) => me.setLeverage(99, BTC)],
  ['BOOK_NOT_FOUND', ccxt.ExchangeError, (me) => me.privatePostAccountLeverage(unlisted(me))],
  ['BOOK_NOT_FOUND', ccxt.ExchangeError, (me) => me.publicGetBook({ symbol: 'NOSUCH' })],
  ['UNSUPPORTED_OPERATION', ccxt.NotSupported, (me) => me.bindAgentWallet(me.walletAddress!)],
  ['does not have market symbol', ccxt.BadSymbol, (me) => me.fetchTicker('NOSUCH/USDC:USDC')],
]

const stop = (trader: Rest, triggerPrice: number) =>
  trader.createOrder(BTC, 'limit', 'buy', 0.01, undefined, { triggerPrice })
const edit = (trader: Rest, id: string) => trader.editOrder(id, BTC, 'limit', 'buy', 0.01, 90_000)

test('an error of the rules becomes the ccxt class for it', async () => {
  const trader = await desk.trader({}, '10000')
  for (const [says, thrown, ask] of refusals) await requireThrown(ask(trader), thrown, says)
  const clientOrderId = randomUUID()
  await buy(trader, 0.01, 90_000, { clientOrderId })
  const again = buy(trader, 0.01, 90_001, { clientOrderId })
  await requireThrown(again, ccxt.InvalidOrder, 'DUPLICATE_CLIENT_ORDER_ID')
  await trader.cancelAllOrders()
  const { address } = await desk.live.trader()
  const away = trader.transfer('USDC', 1, trader.walletAddress!, address)
  await requireThrown(away, ccxt.BadRequest, 'INVALID_TRANSFER_RELATIONSHIP')
  assert.deepEqual(await trader.fetchPositions(), [])
})

test('a bad signature, a stale one, a used one, a bad key and a bad address', async () => {
  const owner = await desk.live.trader()
  const stranger = desk.rest({ ...newKey(), address: owner.address })
  const wrongKey = buy(stranger, 0.01, 90_000)
  await requireThrown(wrongKey, ccxt.AuthenticationError, 'the text that was verified is')
  const nowhere = desk.rest({ ...newKey(), address: 'nowhere' })
  await requireThrown(buy(nowhere, 0.01, 90_000), ccxt.AuthenticationError, 'Invalid public key')
  const unknown = desk.rest(owner, { apiKey: 'AAAAAAAA_BBBBBBBBBBBBBBBBBBBBBB' })
  await requireThrown(unknown.fetchBalance(), ccxt.AuthenticationError, 'INVALID_API_KEY')

  const trader = desk.rest(owner)
  const old = { timestamp: Date.now() - 120_000 }
  await requireThrown(trader.createApiKey(old), ccxt.BadRequest, 'EXPIRED')
  const once = signedFields(trader, 'update_leverage', { symbol: 'BTC', leverage: 4 })
  await trader.privatePostAccountLeverage(once)
  const twice = trader.privatePostAccountLeverage(once)
  await requireThrown(twice, ccxt.BadRequest, 'REPLAYED')
  const agentless = desk.rest(
    { ...newKey(), address: owner.address },
    { agentAddress: newKey().address },
  )
  await assert.rejects(buy(agentless, 0.01, 90_000), ccxt.AuthenticationError)
  const newcomer = desk.rest()
  await requireThrown(newcomer.fetchBalance(), ccxt.ExchangeError, 'ACCOUNT_NOT_FOUND')
  await requireThrown(buy(newcomer, 0.01, 90_000), ccxt.ExchangeError, 'ACCOUNT_NOT_FOUND')
})

test('a halted market, a halted exchange, and one that does not answer', async () => {
  const admin = new AdminClient(desk.live)
  const trader = await desk.trader({ maxRetriesOnFailure: 0 })
  await admin.post('/markets/halt', { symbol: 'BTC' })
  await requireThrown(buy(trader, 0.01, 90_000), ccxt.PermissionDenied, 'TRADING_DISABLED')
  await admin.post('/markets/resume', { symbol: 'BTC' })
  await admin.post('/exchange/mode', { mode: 'halted' })
  await requireThrown(buy(trader, 0.01, 90_000), ccxt.ExchangeNotAvailable, 'NOT_READY')
  await admin.post('/exchange/mode', { mode: 'open' })
  await buy(trader, 0.01, 90_000)
  await trader.cancelAllOrders()
  const unreachable = new ccxt.pacifica(configOf('http://127.0.0.1:1', newKey()))
  unreachable.options.maxRetriesOnFailure = 0
  await assert.rejects(unreachable.fetchMarkets(), ccxt.NetworkError)
})

test('used-up credits are RateLimitExceeded, and a key has its own', async () => {
  const limited = await liveExchange(['--rate-limit', 'on', '--credits', '20'])
  try {
    const owner = await limited.trader()
    const trader = new ccxt.pacifica(configOf(limited.url, owner, { maxRetriesOnFailure: 0 }))
    const made = (await trader.createApiKey()) as { data: { api_key: string } }
    const spend = async () => {
      for (let left = 100; left > 0; left--) await trader.fetchMarkets()
    }
    await requireThrown(spend(), ccxt.RateLimitExceeded, 'RATE_LIMITED')
    trader.options.apiKey = made.data.api_key
    assert.equal((await trader.fetchMarkets()).length, 8)
  } finally {
    await limited.close()
  }
})

test('every error name has one ccxt class, whatever its message', () => {
  const { exact, broad } = desk.rest().exceptions as Record<string, Record<string, Thrown>>
  const classOf = (status: number, response: Row): string => {
    const nothing: never = undefined as never
    try {
      const body = JSON.stringify(response)
      desk.rest().handleErrors(status, '', '', 'POST', nothing, body, response, nothing, nothing)
    } catch (error) {
      return (error as Error).constructor.name
    }
    return 'none'
  }
  for (const [name, { code }] of Object.entries(rejections)) {
    if (code > 999) continue
    assert.ok(exact![code], `ccxt does not know ${name}, ${code}`)
    const response = { success: false, data: null, error: `${name}: why`, code }
    assert.equal(classOf(422, response), exact![code]!.name, name)
  }
  // ccxt's match of the message overrides the code: only these errors of ours rely on that.
  const words = Object.keys(broad!)
  const chosen = Object.keys(errorTable).filter((name) => words.some((word) => name.includes(word)))
  assert.deepEqual(chosen, [])
})
