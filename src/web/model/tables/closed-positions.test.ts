import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FundingPayment } from '../wire.ts'
import { ClosedPositions, closedPages, netOf, withFunding } from './closed-positions.ts'

let at = 0
const fill = (side: string, amount: string, price: string, part: object = {}) => {
  at += 1
  const money = { fee: '1', pnl: '-1', cause: 'normal' }
  const times = { history_id: at, created_at: at * 10 }
  return { symbol: 'BTC', side, amount, price, ...money, ...times, ...part } as never
}
const newestFirst = <T>(rows: readonly T[]) => rows.toReversed()

test('a position that was closed has its prices, profit, fees and times', () => {
  at = 0
  const fills = [
    fill('open_long', '1', '100'),
    fill('open_long', '3', '104'),
    fill('close_long', '1.5', '110', { pnl: '9.5' }),
    fill('close_long', '2.5', '112', { pnl: '21.5', cause: 'market_liquidation' }),
  ]
  const [found, ...more] = new ClosedPositions([]).add(newestFirst(fills))
  assert.equal(more.length, 0)
  assert.deepEqual(found, {
    symbol: 'BTC',
    long: true,
    size: 4,
    entry: 103,
    exit: (1.5 * 110 + 2.5 * 112) / 4,
    // 1 and 3 at 100 and 104, sold for 445.
    profit: 33,
    fees: 4,
    funding: null,
    opened: 10,
    closed: 40,
    forced: true,
  })
  assert.equal(netOf(found!), 29)
})

test('a fill that turns a position ends one and begins the next', () => {
  at = 0
  const turn = fill('close_long', '2', '90') as { history_id: number }
  const { history_id } = turn
  const fills = [
    fill('open_long', '2', '100', { history_id: 0 }),
    turn as never,
    fill('open_short', '1', '90', { history_id }),
    fill('close_short', '1', '80', { history_id: 9 }),
  ]
  // The history may have the two parts of a turn in any order.
  for (const order of [fills, [fills[0]!, fills[2]!, fills[1]!, fills[3]!]]) {
    const found = new ClosedPositions([]).add(newestFirst(order))
    assert.deepEqual(
      found.map(({ long, entry, exit }) => [long, entry, exit]),
      [
        [false, 90, 80],
        [true, 100, 90],
      ],
    )
  }
})

test('partial closes of a position that is still open are not a closed position', () => {
  at = 0
  const fills = [
    fill('open_short', '1', '100'),
    fill('close_short', '1', '99'),
    fill('open_short', '5', '98'),
    fill('close_short', '2', '97'),
  ]
  const open = [{ s: 'BTC', d: 'ask', a: '3' } as const]
  const found = new ClosedPositions(open).add(newestFirst(fills))
  assert.deepEqual(
    found.map(({ size, closed }) => [size, closed]),
    [[1, 20]],
  )
})

test('a position begins in an older page, and one without a beginning is not shown', () => {
  at = 0
  const fills = [fill('open_long', '0.3', '100'), fill('close_long', '0.1', '101')]
  const rest = [fill('close_long', '0.2', '102')]
  const walk = new ClosedPositions([])
  assert.deepEqual(walk.add(newestFirst(rest)), [])
  assert.equal(walk.add(newestFirst(fills)).length, 1)
  assert.deepEqual(new ClosedPositions([]).add(newestFirst([...rest, fills[1]!])), [])
})

test('a closed position shows all of its funding, or none', async () => {
  at = 0
  const fills = [fill('open_long', '1', '100'), fill('close_long', '1', '101')]
  const paid = (created_at: number, payout: string, symbol = 'BTC') =>
    ({ created_at, payout, symbol }) as FundingPayment
  const payments = [paid(25, '9'), paid(20, '-2'), paid(15, '5', 'ETH'), paid(12, '0.5')]
  const [row] = new ClosedPositions([]).add(newestFirst(fills))
  assert.equal(withFunding(row!, payments, false).funding, null)
  assert.equal(withFunding(row!, payments, true).funding, -1.5)
  assert.equal(withFunding(row!, [...payments, paid(9, '7')], false).funding, -1.5)
  const source = {
    getTradeHistory: async () => ({ rows: newestFirst(fills), next_cursor: null }),
    getFundingHistory: async ({ cursor }: { cursor?: string | null }) => ({
      rows: cursor === null ? payments.slice(0, 2) : payments.slice(2),
      next_cursor: cursor === null ? 'more' : null,
    }),
  } as never
  const ask = closedPages(() => [])
  for (const again of [1, 2]) {
    const page = await ask(source, { account: 'me', cursor: null })
    assert.deepEqual([page.rows.length, page.rows[0]?.funding], [1, -1.5], `time ${again}`)
  }
})
