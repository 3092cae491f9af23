import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Desk } from '../desk.ts'
import { gridOf } from '../market/market-grid.ts'
import { type Notice, Notices } from '../notices.ts'
import type { BalanceChange, Fill, LiquidationEvent } from '../wire.ts'
import { Account } from './account.ts'
import { notifyFills } from './account-notices.ts'
import { lossOf, movedBy, notifyLiquidations } from './forced-closes.ts'

function desk() {
  const notices = new Notices(() => undefined)
  const grid = gridOf({ tick_size: '1', lot_size: '0.001' })
  const trader = { peek: () => null }
  const parts = { account: new Account(), notices, trader, markets: { gridOf: () => grid } }
  const texts = () => notices.shown.peek().map(({ title, text }: Notice) => [title, text])
  return { parts: parts as unknown as Desk, texts }
}

let h = 0
const fill = (part: object) => {
  h += 1
  const usual = { i: 7, s: 'BTC', te: 'fulfill_taker', tc: 'normal', t: 1_000, f: '1' }
  return { h, ...usual, ...part } as Fill
}
const forced = (part: object) =>
  fill({ e: 'force_close_long', ts: 'close_long', tc: 'market_liquidation', ...part })
const start = (created_at: number, equity = '9') =>
  ({
    event_type: 'liquidation_started',
    equity,
    maintenance_margin: '10',
    created_at,
    li: created_at,
  }) as LiquidationEvent

test('the notice of a close has its realised profit and fees', () => {
  const { parts, texts } = desk()
  const close = { e: 'close_long', ts: 'close_long', a: '1' }
  notifyFills(parts, [
    fill({ ...close, p: '100', n: '-3.5' }),
    fill({ ...close, p: '102', n: '1.25' }),
  ])
  const text = '2 in 2 fills at an average of 101, realised profit -2.25 USD after 2.00 USD of fees'
  assert.deepEqual(texts(), [['Close long BTC', text]])
  const [opened, open] = [desk(), { e: 'open_long', ts: 'open_long', i: 8 }]
  notifyFills(opened.parts, [fill({ ...open, a: '1', p: '100', n: '-1' })])
  assert.deepEqual(opened.texts(), [['Open long BTC', '1 at 100, fee 1.0000']])
})

test('a liquidation is one notice with its total loss, in whatever order its parts arrive', () => {
  const fills = [
    forced({ a: '0.1', p: '90', n: '-20', f: '1' }),
    forced({ a: '0.3', p: '86', n: '-40', f: '2', i: 9 }),
    forced({ a: '2', p: '5', n: '-4', s: 'ETH', i: null, t: 2_000 }),
  ]
  const text =
    'The liquidation closed long 0.4 BTC at an average of 87, long 2 ETH at an average of 5. ' +
    'Total loss -64.00 USD after fees.'
  for (const startsFirst of [true, false]) {
    const { parts, texts } = desk()
    if (startsFirst) notifyLiquidations(parts, [start(900)])
    if (startsFirst) assert.deepEqual(texts()[0]![0], 'Liquidation started')
    notifyFills(parts, fills.slice(0, 1))
    notifyLiquidations(parts, [start(1_500, '8')])
    notifyFills(parts, fills.slice(1))
    // What is reported twice counts once.
    notifyFills(parts, fills.slice(1))
    assert.deepEqual(texts(), [['Liquidated: BTC, ETH', text]])
  }
})

test('a later liquidation and a deleveraging have their own notices', () => {
  const { parts, texts } = desk()
  const part = { a: '1', p: '90', n: '-20' }
  notifyFills(parts, [forced(part)])
  notifyFills(parts, [forced({ ...part, tc: 'deleverage', n: '5', te: 'fulfill_maker' })])
  notifyLiquidations(parts, [start(4_000_000)])
  assert.deepEqual(
    texts().map(([title]) => title),
    ['Liquidated: BTC', 'Deleveraged: BTC', 'Liquidation started'],
  )
})

test('the total loss includes the margin of a takeover, and what the insurance fund paid', () => {
  const takeover = forced({ a: '3', p: '97', n: '-9417', tc: 'backstop_liquidation', t: 50 })
  const events = [start(40)]
  const episode = { about: '', deleverages: false, at: 50, events, fills: [takeover], moved: null }
  assert.deepEqual(lossOf(episode), { total: -9417, isWhole: false })
  const row = (amount: string, created_at: number, event_type = 'backstop_liquidation') =>
    ({ amount, created_at, event_type }) as BalanceChange
  const rows = [row('-457.5', 50), row('-9417', 50), row('-45', 49, 'trade'), row('-9', 30)]
  assert.equal(movedBy(rows.slice(2), episode), null, 'history is not written yet')
  const moved = movedBy(rows, episode)
  assert.equal(moved, -457.5)
  assert.deepEqual(lossOf({ ...episode, moved }), { total: -9874.5, isWhole: true })
  // An isolated position loses its margin at most: the fund pays the rest.
  const isolated = { ...episode, events: [{ ...start(40), symbol: 'BTC' }] }
  assert.deepEqual(lossOf(isolated), { total: -9417, isWhole: false })
  const insurance = { event_type: 'insurance_paid', symbol: 'BTC', amount: '3000' }
  const insured = { ...isolated, events: [...isolated.events, insurance as LiquidationEvent] }
  assert.deepEqual(lossOf(insured), { total: -6417, isWhole: true })
})
