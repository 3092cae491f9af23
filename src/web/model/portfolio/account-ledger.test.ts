import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountTrade, FundingPayment } from '../wire.ts'
import { inRange, marketSum, profitByKind, profitByMarket, withNewer } from './account-ledger.ts'

const fill = (
  id: number,
  side: AccountTrade['side'],
  part: Partial<AccountTrade> = {},
): AccountTrade => ({
  ...{ history_id: id, order_id: id, client_order_id: null, symbol: 'BTC', amount: '1', side },
  ...{ price: '100', entry_price: '100', fee: '0.1', pnl: '-0.1', event_type: 'fulfill_taker' },
  ...{ cause: 'normal', created_at: id * 1_000, ...part },
})

const paid = (id: number, payout: string, part: Partial<FundingPayment> = {}): FundingPayment => ({
  ...{ history_id: id, symbol: 'BTC', side: 'bid', amount: '1', payout, rate: '0' },
  ...{ created_at: id * 1_000, ...part },
})

const near = (value: number, expected: number) =>
  assert.ok(Math.abs(value - expected) < 1e-9, `${value} instead of ${expected}`)

const fills = [
  fill(9, 'close_short', { symbol: 'ETH', price: '50', fee: '-0.5', pnl: '-9.5' }),
  fill(5, 'open_short', { symbol: 'ETH', price: '40', fee: '0', pnl: '0' }),
  fill(3, 'close_long', { price: '120', fee: '0.12', pnl: '19.88' }),
  fill(1, 'open_long'),
]
const ledger = { fills, funding: [paid(2, '-0.4')], partial: false }

test('profit by market has trading before fees, fees, funding and volume', () => {
  const [eth, btc] = profitByMarket(ledger)
  assert.equal(eth!.symbol, 'ETH')
  near(eth!.trading, -10)
  near(eth!.fees, 0.5)
  near(eth!.total, -9.5)
  near(btc!.trading, 20)
  near(btc!.fees, -0.22)
  near(btc!.funding, -0.4)
  near(btc!.total, 19.38)
  assert.deepEqual([btc!.volume, btc!.fills], [220, 2])
})

test('the kinds add up to the profit', () => {
  const sum = marketSum(profitByMarket(ledger))
  const kinds = profitByKind(25, sum)
  near(
    kinds.reduce((total, { value }) => total + value, 0),
    25,
  )
  near(kinds[3].value, 25 - 9.88)
  assert.equal(sum.fills, 4)
})

test('only rows since the start of a range count', () => {
  const part = inRange(ledger, 5_000)
  assert.deepEqual(
    part.fills.map(({ history_id }) => history_id),
    [9, 5],
  )
  assert.deepEqual(part.funding, [])
})

test('newer rows are added once, and a reverted history is noticed', () => {
  const [newest] = fills
  const next = fill(10, 'open_long')
  assert.deepEqual(withNewer(fills, [next, newest!]), [next, ...fills])
  assert.equal(withNewer(fills, [next]), null)
  assert.deepEqual(withNewer([], [next]), [next])
})
