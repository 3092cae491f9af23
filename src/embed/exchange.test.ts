import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateBehind } from '../../test/support/opened-state.ts'
import { checkInvariants, type MarketId } from '../core/index.ts'
import type { Lots, Ticks } from '../units/units.ts'
import { createExchange, type EmbeddedExchange, ownEventsOf, refusalOf } from './embed.ts'

/** Two traders at 95,000, bots in every market, an hour in between: something of everything. */
function played(exchange: EmbeddedExchange): EmbeddedExchange {
  const alice = exchange.trader('alice')
  const bob = exchange.trader('bob')
  exchange.setOracle('BTC', '95000')
  assert.ok(alice.place({ symbol: 'BTC', side: 'ask', price: '95100', amount: '0.4' }).ok)
  assert.ok(bob.market({ symbol: 'BTC', side: 'bid', amount: '0.3' }).ok)
  assert.ok(bob.setLeverage('ETH', 10).ok)
  assert.ok(bob.place({ symbol: 'ETH', side: 'bid', price: '3000', amount: '2' }).ok)
  exchange.advance('1h')
  exchange.setOracle('BTC', '94000', '93000', '92000')
  exchange.advance('90s')
  assert.ok(alice.cancelAll().ok)
  return exchange
}

const lively = { markets: ['BTC', 'ETH', 'WIF'], clock: 'manual', seed: 7, bots: true } as const

test('seed and calls determine the state, on every machine and every Node version', () => {
  assert.deepEqual(hashes(played(createExchange(lively))), {
    hash: 'adcb20d96f1f669b44101cef404859331a1699fd8ada7704e5258e6a6423df2f',
    tradingHash: '16c80d757f6caeb2f5c1a0fed81b19ec8951b47ad7d20a9ea1b5fdd0a8d3d24d',
  })
})

const hashes = (exchange: EmbeddedExchange) => ({
  hash: exchange.hash(),
  tradingHash: exchange.tradingHash(),
})

test('another seed gives another state', () => {
  const exchange = played(createExchange({ ...lively, seed: 8 }))
  assert.notEqual(exchange.hash(), played(createExchange(lively)).hash())
})

test('applied commands are replayed, reverts included, to the same state', () => {
  const exchange = played(createExchange(lively))
  exchange.snapshot()
  exchange.trader('carol').market({ symbol: 'BTC', side: 'ask', amount: '0.1' })
  exchange.advance('10m')
  exchange.revert()
  exchange.trader('dave').market({ symbol: 'ETH', side: 'bid', amount: '1' })
  exchange.advance('1m')
  assert.equal(exchange.journal().length, exchange.seq)
  assert.equal(exchange.replayedHash(), exchange.hash())
  assert.deepEqual(checkInvariants(stateBehind(exchange.state)), [])
})

test('a revert repeats exactly: ids, time, prices, bots and hashes', () => {
  const exchange = played(createExchange(lively))
  const id = exchange.snapshot()
  const before = hashes(exchange)
  const rounds = [0, 1, 2].map(() => {
    const placed = exchange.trader('carol').market({ symbol: 'BTC', side: 'ask', amount: '0.1' })
    exchange.advance('20m')
    const later = { ...hashes(exchange), now: exchange.now, order: placed.ok && placed.orderId }
    assert.equal(exchange.snapshot(), 's2')
    exchange.revert(id)
    assert.deepEqual(hashes(exchange), before)
    return later
  })
  assert.deepEqual(rounds[1], rounds[0])
  assert.deepEqual(rounds[2], rounds[0])
})

test('two exchanges in one process are independent', () => {
  const one = createExchange(lively)
  const other = createExchange(lively)
  played(one)
  assert.equal(hashes(other).hash, createExchange(lively).hash())
  assert.equal(played(other).hash(), one.hash())
})

test('a direct call returns the outcome, and a rejection is a value', () => {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held' })
  const alice = exchange.trader('alice')
  const rests = alice.place({ symbol: 'BTC', side: 'bid', price: '100000', amount: '0.5' })
  assert.ok(rests.ok)
  assert.deepEqual([rests.orderId, rests.status], [1, 'open'])
  const sold = exchange.trader('bob').market({ symbol: 'BTC', side: 'ask', amount: '0.2' })
  assert.ok(!sold.ok)
  assert.match(sold.error.message, /^NO_REASONABLE_PRICE: /)
  const limit = { symbol: 'BTC', side: 'ask', price: '100000', amount: '0.2' } as const
  const filled = exchange.trader('bob').place(limit)
  assert.ok(filled.ok)
  assert.equal(filled.status, 'filled')
  assert.ok(filled.events.some(({ type }) => type === 'Traded'))
  assert.deepEqual(
    alice.positions().map(({ symbol, side, amount }) => [symbol, side, amount]),
    [['BTC', 'bid', '0.2']],
  )
  assert.equal(alice.orders()[0]?.order_id, 1)
  const offGrid = alice.place({ ...limit, price: '100000.5' })
  assert.ok(!offGrid.ok)
  assert.match(offGrid.error.message, /nearest: 100000 or 100001/)
  const tooLarge = alice.place({ ...limit, side: 'bid', amount: '49.9' })
  assert.ok(!tooLarge.ok)
  assert.equal(tooLarge.error.errorName, 'INSUFFICIENT_BALANCE')
  assert.ok(!alice.cancel({ symbol: 'BTC', order_id: 99 }).ok)
  assert.ok(alice.cancel({ symbol: 'BTC', order_id: 1 }).ok)
  assert.throws(() => alice.place({ ...limit, amount: 0.2 as never }), /amount must be a string/)
})

test('a FOK order behind many small orders gets the limit and the fillable amount', async () => {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', funds: '1000000' })
  const { mark } = exchange.market('BTC')
  const order = { symbol: 'BTC', price: String(mark + 5), tif: 'GTC' } as const
  const wall = exchange.trader('wall')
  for (let at = 0; at < 1_000; at++)
    assert.ok(wall.place({ ...order, side: 'ask', amount: '0.0002' }).ok)
  assert.ok(exchange.trader('deep').place({ ...order, side: 'ask', amount: '2' }).ok)
  const alice = await exchange.client('alice')
  const fok = (amount: string) =>
    alice.createOrder({ ...order, tif: 'FOK', side: 'bid', amount, reduce_only: false })
  const says = [
    'TOO_MANY_ORDERS_TO_CHECK: a FOK order is checked against the first 1000 orders within its ' +
      'limit',
    'these have 0.2 BTC of 0.5 BTC',
    'the largest amount accepted now is 0.2 BTC',
    'an IOC order can take more',
  ]
  await assert.rejects(fok('0.5'), { message: says.join('; ') })
  assert.equal((await fok('0.2')).order_status, 'filled')
})

test('an engine command is applied as it is, and the caller may reuse its object', () => {
  const exchange = createExchange({ markets: ['BTC'] })
  const order = {
    type: 'PlaceOrder' as const,
    account: exchange.trader('alice').id,
    proof: null,
    market: exchange.market('BTC').id as MarketId,
    side: 'bid' as const,
    price: 90_000 as Ticks,
    size: 1_000 as Lots,
    tif: 'GTC' as const,
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }
  assert.equal(ownEventsOf(exchange.apply(order))[1]?.type, 'OrderRested')
  order.price = 1 as Ticks
  assert.equal(refusalOf(exchange.apply(order))?.rejection, 'ORDER_AMOUNT_TOO_LOW')
  assert.equal(exchange.replayedHash(), exchange.hash())
  assert.throws(() => exchange.apply({ ...order, size: Number.NaN as Lots }), /size of PlaceOrder/)
  assert.throws(() => exchange.apply(undefined as never), /TypeError|command/)
})

test('a refused direct call names its entry, which explains it', async () => {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held' })
  const alice = exchange.trader('alice')
  const refused = alice.place({ symbol: 'BTC', side: 'bid', price: '105000', amount: '500' })
  assert.ok(!refused.ok)
  const { seq, errorName } = refused.error
  assert.equal(seq, exchange.seq)
  const client = await exchange.client('alice')
  const explained = await client.explainRefusal({ seq: seq! })
  assert.ok(explained.title.endsWith(errorName), explained.title)
  exchange.advance('1s')
  assert.deepEqual(await client.explainRefusal({ seq: 'latest' }), explained)
  const bids = {
    side: 'bid',
    price: '105000',
    amount: '500',
    tif: 'GTC',
    reduce_only: false,
  } as const
  const again = await client.createOrder({ symbol: 'BTC', ...bids }).catch((error) => error)
  assert.deepEqual([again.reason, again.seq], [errorName, exchange.seq])
  exchange.reset()
  await assert.rejects(client.getAccount(), /ACCOUNT_NOT_FOUND|404/)
  exchange.trader('alice')
  assert.equal((await client.getAccount()).balance, '100000')
  await exchange.close()
})

test('a listener sees every outcome and cannot change the exchange', () => {
  const exchange = createExchange({ markets: ['BTC'] })
  const seen: number[] = []
  const stop = exchange.onBatch(({ outcomes }) => seen.push(...outcomes.map(({ seq }) => seq)))
  exchange.trader('alice')
  stop()
  exchange.trader('bob')
  assert.deepEqual(seen, [exchange.seq - 1])
  const meddling = exchange.onBatch(() => exchange.fund('carol', '1'))
  assert.throws(() => exchange.advance('1s'), /must not change it/)
  meddling()
  exchange.advance('1s')
})

test('a custom market trades like the others', () => {
  const gold = {
    symbol: 'GOLD-26',
    tickSize: '0.25',
    lotSize: '0.01',
    price: '4000',
    maxLeverage: 5,
  }
  const exchange = createExchange({ markets: ['BTC', gold], prices: 'held' })
  const order = { symbol: 'GOLD-26', amount: '1' } as const
  assert.ok(exchange.trader('alice').place({ ...order, side: 'ask', price: '4000.25' }).ok)
  const bought = exchange.trader('bob').market({ ...order, side: 'bid' })
  assert.ok(bought.ok && bought.status === 'filled')
  exchange.advance('2h')
  assert.equal(exchange.trader('bob').positions()[0]?.entryPrice, '4000.25')
})

test('a sandbox pays funding in its first hour, whenever it starts in it', () => {
  const exchange = createExchange({ markets: ['BTC'], start: '2026-01-01T00:59:45Z' })
  const market = () => exchange.state.markets.get(1)!
  assert.deepEqual([market().params.fundingSamplesMin, market().fundingRate], [1, 0])
  exchange.advance('20s')
  assert.notEqual(market().fundingRate, 0)
})

test('aggressive orders wait at the speed bump if it is enabled', () => {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', speedBump: true })
  const order = { symbol: 'BTC', price: '105000', amount: '0.1' } as const
  exchange.trader('alice').place({ ...order, side: 'ask', tif: 'ALO' })
  exchange.trader('bob').place({ ...order, side: 'bid' })
  assert.equal(exchange.trader('bob').positions().length, 0)
  exchange.advance('200ms')
  assert.equal(exchange.trader('bob').positions().length, 1)
})

test('invalid use gets a clear error', async () => {
  const exchange = createExchange({ markets: ['BTC'] })
  assert.throws(() => createExchange({ markets: ['DOGECOIN'] }), /no market DOGECOIN: the ready/)
  assert.throws(() => createExchange({ markets: [] }), /at least one/)
  assert.throws(() => createExchange({ markets: ['BTC', 'BTC'] }), /BTC twice/)
  const coarse = { symbol: 'X', tickSize: '1', lotSize: '1', price: '5' }
  assert.throws(() => createExchange({ markets: [coarse] }), /market X cannot be listed/)
  assert.throws(() => createExchange({ markets: [{ ...coarse, price: 'a' }] }), /price "a" is not/)
  assert.throws(() => createExchange({ clock: 'real' as never }), /clock must be 'manual'/)
  assert.throws(() => createExchange({ verfy: false } as never), /no option verfy; it knows/)
  assert.throws(() => createExchange({ verify: 0 as never }), /verify must be true or false/)
  assert.throws(() => createExchange({ historyMax: -1 }), /historyMax/)
  assert.throws(() => exchange.advance('an hour'), /not a duration: "an hour"/)
  assert.throws(() => exchange.advance(-5), /Time never goes back/)
  assert.throws(() => exchange.advance('400d'), /at most 366 days/)
  assert.throws(() => exchange.setTime(exchange.now - 1), /does not go back/)
  assert.throws(() => exchange.setTime('soon'), /not an instant: soon/)
  assert.throws(() => exchange.setOracle('ETH', '3000'), /no market ETH; there are BTC/)
  assert.throws(() => exchange.setOracle('BTC', 'a lot'), /price "a lot" of BTC/)
  assert.throws(() => exchange.revert(), /there is none yet/)
  assert.throws(() => exchange.revert('s9'), /no snapshot s9/)
  assert.throws(() => exchange.fund('alice', '-1'), /not an amount of USD: "-1"/)
  assert.throws(() => exchange.trader(''), /not a name of an account/)
  const full = createExchange({ markets: ['BTC'], historyMax: 3 })
  assert.throws(() => full.journal(), /kept up to 3 commands \(historyMax\)/)
  await exchange.close()
  assert.throws(() => exchange.fund('alice', '1'), /the exchange is closed/)
})

test('setTime and advance agree, and durations add up', () => {
  const [one, other] = [createExchange(), createExchange()]
  one.advance('1h 30m')
  one.advance(250)
  other.setTime('2026-01-01T01:30:00.250Z')
  assert.equal(one.now, other.now)
  assert.equal(other.setTime(new Date(other.now)), one.now)
})
