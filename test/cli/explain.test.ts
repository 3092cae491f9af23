// Explanations of what a real exchange did, compared with the numbers of the REST API.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Key, newKey } from '../../src/client/key.ts'
import type { Command } from '../../src/core/index.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

type Step = Readonly<{
  rule: string
  document: string
  inputs: Readonly<Record<string, string>>
  result: string
  recorded: string
  agrees: boolean
}>
type Explained = Readonly<{
  title: string
  agrees: boolean
  facts: Readonly<Record<string, string>>
  happened: readonly Readonly<{ what: string; rule: string }>[]
  steps: readonly Step[]
}>

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const data = join(live.folder, 'data')
await live.price('BTC', '100000')
const [alice, bob] = [await live.trader('10000'), await live.trader('1000000')]
const deal = { symbol: 'BTC', price: '100000' }
await live.trade({ ...deal, buyer: alice, seller: bob, amount: '0.3' })
await live.trade({ ...deal, buyer: alice, seller: bob, price: '100100', amount: '0.07' })
await live.trade({ ...deal, buyer: bob, seller: alice, price: '100250', amount: '0.11' })

async function explain(...args: string[]): Promise<Explained> {
  const { code, json } = await openperpJson<Explained>(['explain', ...args, '--data', data])
  assert.equal(code, 0, JSON.stringify(json))
  assert.equal(json.agrees, true)
  for (const { document, rule } of json.steps)
    assert.match(document, /^docs\/rules\/\w+\.md$/, rule)
  return json
}

const usd = (text: unknown) => `${text} USD`
const resultsOf = ({ steps }: Explained, rule: string) =>
  steps.filter((step) => step.rule === rule).map(({ result }) => result)

/** The two numbers of `required 5 USD, available 3 USD`. */
const refusedWith = ({ facts }: Explained) =>
  facts['refused with']!.split(', ').map((text) => text.replace(/^[a-z]+ /, ''))

test('every fill is explained with the numbers that the account sees', async () => {
  const rows = dataOf<Row[]>(await api.get('/trades/history', { account: alice.address }))
  assert.equal(rows.length, 3)
  for (const row of rows) {
    const explained = await explain('fill', String(row.history_id))
    assert.deepEqual(resultsOf(explained, 'FEE-1'), [usd(row.fee)])
    assert.equal(explained.facts.account, alice.address)
    assert.equal(explained.facts.order, String(row.order_id))
    assert.equal(explained.facts.price, row.price)
    if (row.side === 'close_long') assert.equal(resultsOf(explained, 'UNITS-2')[1], usd(row.pnl))
    else assert.equal(row.pnl, `-${row.fee}`)
  }
})

test('an order is explained with its events, its margin and its fills', async () => {
  const [row] = dataOf<Row[]>(await api.get('/trades/history', { account: alice.address }))
  const explained = await explain('order', String(row!.order_id))
  assert.match(explained.happened[0]!.what, /^placed by user: ask 0.11 BTC at 100250, GTC/)
  assert.ok(explained.happened.some(({ what }) => what.startsWith(`fill ${row!.history_id}:`)))
  assert.deepEqual(resultsOf(explained, 'FEE-1'), [usd(row!.fee)])
  // 0.37 held and 0.11 to sell: at 50x the worst case is the held position.
  const margin = explained.steps.find(({ rule }) => rule === 'MARGIN-2')!
  assert.match(margin.inputs.position!, /^0.37 BTC$/)
  assert.match(margin.inputs['open buys, sells']!, /^0 BTC, 0.11 BTC$/)
  const { out } = await openperp(['explain', 'order', String(row!.order_id), '--data', data])
  assert.match(out, /FEE-1 {2}fee = .*docs\/rules\/fees\.md/)
})

test('a funding payment is explained to the micro-dollar, with the rate of its hour', async () => {
  await live.sandbox('clock', { advance_ms: 2 * 3_600_000 })
  const rows = dataOf<Row[]>(await api.get('/funding/history', { account: alice.address }))
  const [row] = rows
  assert.ok(row !== undefined && row.payout !== '0')
  const explained = await explain('funding', String(row.history_id))
  assert.equal(explained.facts.account, alice.address)
  assert.deepEqual(resultsOf(explained, 'FUND-4'), [usd(row.payout)])
  assert.ok(resultsOf(explained, 'FUND-2')[0]!.startsWith(`${row.rate} (`))
  assert.equal(explained.steps.at(-1)!.inputs.position, `${row.amount} BTC`)
})

test('a liquidation is explained: equity, maintenance, and its steps', async () => {
  const account = dataOf(await api.get('/account', { account: alice.address }))
  assert.ok(Number(account.account_equity) > 9_000)
  // The oracle follows a fall this deep only after some ticks.
  await live.price('BTC', '61900')
  await live.sandbox('clock', { advance_ms: 60_000 })
  const gone = (await api.get<Row[]>('/positions', { account: alice.address })).body
  assert.deepEqual(gone, [])
  const explained = await explain('liquidation', alice.address)
  assert.equal(explained.facts.account, alice.address)
  assert.deepEqual(
    explained.steps.slice(0, 2).map(({ rule }) => rule),
    ['MARGIN-3', 'MARGIN-1'],
  )
  assert.match(explained.steps[0]!.inputs.BTC!, /^0.26 BTC at mark \d+, cost \d+/)
  assert.ok(explained.happened.some(({ rule }) => rule === 'LIQ-2'))
  assert.ok(explained.happened.some(({ rule }) => rule === 'LIQ-4' || rule === 'LIQ-3'))
  const [forced] = dataOf<Row[]>(await api.get('/trades/history', { account: alice.address }))
  assert.equal(forced!.cause, 'backstop_liquidation')
  await explain('fill', String(forced!.history_id))
})

test('while a market is catching up, rejections name the price that was used', async () => {
  const [carol, dave] = [await live.trader('20000'), await live.trader('1000000')]
  await live.price('ETH', '3000')
  const eth = { symbol: 'ETH', price: '3000', amount: '10' }
  await live.trade({ ...eth, buyer: carol, seller: dave })
  const market = live.running.exchange.view.symbols.get('ETH')!
  const price = 27_000_000_000
  const tick = { type: 'OracleTick', market, price, observedAtMs: null, jump: false }
  await live.running.exchange.submit(tick as Command)
  const { mark } = dataOf<Row[]>(await api.get('/info/prices')).find(
    ({ symbol }) => symbol === 'ETH',
  )!
  const counts = `10 ETH at 2700, and not at the mark ${mark}: the market catches up`
  const gone = dataOf<Row>(await api.signed(carol, '/account/withdraw', { amount: '10000' }))
  const withdrawn = await explain('withdrawal', String(gone.withdrawal_id))
  assert.ok(withdrawn.steps[0]!.inputs.ETH!.startsWith(counts), withdrawn.steps[0]!.inputs.ETH)
  assert.equal(withdrawn.steps[1]!.inputs['losses at guarded prices'], '-3000 USD')
  const more = await api.signed(carol, '/account/withdraw', { amount: '9000' })
  assert.equal(more.status, 422)
  const explained = await explain('refusal', more.headers.get('openperp-seq')!)
  assert.match(explained.title, /OVER_WITHDRAWAL$/)
  assert.deepEqual(explained.facts.account, carol.address)
  assert.ok(more.text.includes(resultsOf(explained, 'MARGIN-7')[0]!), more.text)
  const order = { symbol: 'ETH', side: 'bid', price: '2600', amount: '500', reduce_only: false }
  assert.equal((await api.signed(carol, '/orders/create', { ...order, tif: 'ALO' })).status, 422)
  const poor = await explain('refusal', carol.address)
  assert.match(poor.title, /INSUFFICIENT_BALANCE$/)
  assert.match(poor.facts.market!, /^ETH is catching up, mode open: the price moved fast/)
  assert.match(poor.facts['refused with']!, /^required [\d.]+ USD, available [\d.]+ USD$/)
  const margin = poor.steps.find(({ rule }) => rule === 'MARGIN-1')!
  assert.match(margin.inputs.tier!, /^from 0 USD, leverage at most 50$/)
  assert.deepEqual(resultsOf(poor, 'MARGIN-4'), refusedWith(poor))
})

test('an order above its margin is explained with the numbers of the rejection', async () => {
  const admin = new AdminClient(live)
  const tiers = { risk_tiers: [{ from_value: '500000', max_leverage: 5 }] }
  const symbol = 'SOL'
  dataOf(await admin.post('/markets/change', { symbol, change: tiers, immediate: true }))
  await live.price(symbol, '200')
  const order = { symbol, tif: 'GTC', reduce_only: false }
  const bid = { ...order, side: 'bid', price: '195' }
  const steps = async (trader: Key, path: string, body: Row) => {
    const answer = await api.signed(trader, path, body)
    assert.equal(answer.status, 422, answer.text)
    const explained = await explain('refusal', answer.headers.get('openperp-seq')!)
    assert.deepEqual(resultsOf(explained, 'MARGIN-4').slice(-2), refusedWith(explained))
    return explained
  }
  // 2 SOL at 20x need 20 USD plus the taker fee.
  const poor = await live.trader('33')
  const { order_id } = dataOf<Row>(
    await api.signed(poor, '/orders/create', { ...bid, amount: '2' }),
  )
  const large = await steps(poor, '/orders/create', { ...bid, amount: '3500' })
  const margin = large.steps.find(({ rule }) => rule === 'MARGIN-1')!
  assert.equal(margin.inputs.tier, 'from 500000 USD, leverage at most 5')
  assert.equal(margin.inputs.value, '700400 USD')
  // A twentieth of the first 500,000 USD, and a fifth of the rest.
  assert.equal(margin.result, `${25_000 + 200_400 / 5} USD`)
  const edit = { symbol, order_id, price: '195', amount: '3500' }
  const edited = await steps(poor, '/orders/edit', edit)
  assert.match(
    edited.steps[1]!.inputs['this order']!,
    /3500 SOL would stay open, in place of 2 SOL/,
  )

  // An order that fills immediately pays the fee, and loses against the mark.
  const rich = await live.trader('1000000')
  await live.order(rich, { symbol, side: 'ask', price: '202', amount: '9' })
  const taking = { ...order, side: 'bid', price: '203', amount: '9' }
  const taken = await steps(poor, '/orders/create', taking)
  assert.match(taken.steps[1]!.inputs['this order']!, /^bid: takes 9 SOL for 1818 USD$/)

  const alone = await live.trader('33')
  dataOf(await api.signed(alone, '/account/margin', { symbol, is_isolated: true }))
  const isolated = await steps(alone, '/orders/create', taking)
  assert.ok(isolated.steps.length >= 4)
})

test('a rejection for an owner limit, and one in a closed market, are explained', async () => {
  const [owner] = [await live.trader('1000000')]
  const admin = new AdminClient(live)
  const limit = { account: owner.address, symbol: 'SOL', amount: '100' }
  dataOf(await admin.post('/accounts/owner_limit', limit))
  const order = { symbol: 'SOL', side: 'bid', tif: 'ALO', reduce_only: false, price: '100' }
  const place = (amount: string) => api.signed(owner, '/orders/create', { ...order, amount })
  dataOf(await place('60'))
  assert.equal((await place('41')).status, 422)
  const explained = await explain('refusal', owner.address)
  assert.match(explained.title, /POSITION_LIMIT_EXCEEDED$/)
  assert.deepEqual(resultsOf(explained, 'ORDER-13'), ['101 SOL'])
  assert.equal(explained.steps[0]!.inputs['limit of the owner'], '100 SOL')
  dataOf(await admin.post('/markets/cancel_only', { symbol: 'SOL' }))
  assert.equal((await place('10')).status, 422)
  const closed = await explain('refusal', owner.address)
  const stands =
    'SOL is cancel-only (set by the operator), mode cancel_only: no orders are accepted'
  assert.equal(closed.facts.market, stands)
})

test('a rejection for the policy of a key is explained with its rule and numbers', async () => {
  const [owner, agent] = [await live.trader('100000'), newKey()]
  const agent_wallet = agent.address
  const { mark } = dataOf<Row[]>(await api.get('/info/prices')).find(
    ({ symbol }) => symbol === 'ETH',
  )!
  const order = { symbol: 'ETH', side: 'bid', tif: 'ALO', reduce_only: false, amount: '1' }
  const refusedFor = async (policy: object) => {
    dataOf(await api.signed(owner, '/agent/bind', { agent_wallet, policy }))
    const body = { ...order, price: String(mark) }
    assert.equal((await api.signed(owner, '/orders/create', body, { agent })).status, 403)
    const { title, facts, steps } = await explain('refusal', owner.address)
    assert.match(title, /AGENT_LIMIT$/)
    assert.ok(steps.every(({ rule }) => rule === 'ACCT-9'))
    return [facts['refused with'], ...steps.map(({ result }) => result)]
  }
  const worth = `rule 5, value ${mark} USD, max 10 USD`
  assert.deepEqual(await refusedFor({ max_order_value: '10' }), [worth, `${mark} USD`])
  assert.deepEqual(await refusedFor({ reduce_only: true }), ['rule 3, value 0, max 0'])
  const [held, position] = await refusedFor({ max_position_value: '5' })
  assert.equal(held, `rule 6, value ${position}, max 5 USD`)
  const { facts, happened } = await explain('key', agent_wallet)
  assert.equal(facts['agent of'], owner.address)
  assert.equal(facts.policy, 'positions to 5 USD')
  assert.match(facts['a stolen one could cost']!, /^no bound/)
  assert.deepEqual(
    happened.filter(({ rule }) => rule === 'ACCT-9').map(({ what }) => what),
    ['policy: orders to 10 USD', 'policy: reduce-only', 'policy: positions to 5 USD'],
  )
})

test('a trip of maker protection is explained with the fills that caused it', async () => {
  const [maker, taker] = [await live.trader('100000'), await live.trader('100000')]
  await live.price('ETH', '3000')
  await live.sandbox('clock', { advance_ms: 60_000 })
  const limits = { symbol: 'ETH', window_ms: 1_000, frozen_ms: 5_000, max_amount: '3' }
  dataOf(await api.signed(maker, '/account/mmp/set', limits))
  const quote = { symbol: 'ETH', side: 'ask', tif: 'ALO', reduce_only: false, mmp: true }
  const shown = ['3000', '3001', '3002'].map((price) => ({ ...quote, price, amount: '2' }))
  const ids: unknown[] = []
  for (const body of shown)
    ids.push(dataOf(await api.signed(maker, '/orders/create', body)).order_id)
  const bid = { symbol: 'ETH', side: 'bid', tif: 'IOC', reduce_only: false }
  const took = { ...bid, price: '3001', amount: '3.5' }
  dataOf(await api.signed(taker, '/orders/create', took))
  const explained = await explain('trip', maker.address)
  assert.equal(explained.facts['filled as maker'], '3.5 ETH, at most 3 ETH')
  assert.equal(explained.facts['bought less sold'], '-3.5 ETH, no limit')
  assert.deepEqual(
    explained.happened.map(({ what }) => what),
    [
      `order ${ids[0]} sold 2 ETH at 3000`,
      `order ${ids[1]} sold 1.5 ETH at 3001`,
      'tripped',
      `order ${ids[1]} ended with 0.5 ETH unfilled`,
      `order ${ids[2]} ended with 2 ETH unfilled`,
    ],
  )
  const gone = await explain('order', String(ids[2]))
  assert.match(gone.happened[0]!.what, /^cancelled when the maker protection/)
  assert.equal(gone.happened.at(-1)!.rule, 'ORDER-18')
  const again = await api.signed(maker, '/orders/create', shown[0]!)
  assert.equal(again.status, 422)
  const frozen = await explain('refusal', maker.address)
  assert.match(frozen.title, /MMP_FROZEN$/)
  assert.match(frozen.facts['refused with']!, /^until \d{4}-/)
})

test('a trailing stop is explained with how it follows the price', async () => {
  const owner = await live.trader('100000')
  const stop_order = { trailing_percent: '1', amount: '1' }
  const body = { symbol: 'ETH', side: 'ask', reduce_only: false, stop_order }
  const { order_id } = dataOf(await api.signed(owner, '/orders/stop/create', body))
  const [trail, set] = (await explain('order', String(order_id))).happened
  assert.equal(trail!.what, 'follows the mark, 1 % behind the best mark')
  assert.match(set!.what, /when the mark comes back, from the mark \d+/)
})

type Placed = Readonly<{ order_id: number }>
const eth = { symbol: 'ETH', reduce_only: false } as const
const pass = (advance_ms: number) => live.sandbox('clock', { advance_ms })
const send = async (who: Key, path: string, body: Row) =>
  dataOf<Placed>(await api.signed(who, path, { ...eth, ...body })).order_id
const cancel = async (who: Key, path: string, body: Row) => {
  const answer = await api.signed(who, path, { symbol: 'ETH', ...body })
  assert.equal(answer.status, 200, answer.text)
}
const storyOf = async (id: number) => (await explain('order', String(id))).happened
const eventsOf = async (id: number) => (await storyOf(id)).map(({ what }) => what)
/** As REST reports it once it has ended. */
const over = async (who: Key, id: number) =>
  dataOf<Row[]>(await api.get('/orders/algo/history', { account: who.address })).find(
    ({ order_id }) => order_id === id,
  )!
const ordersFrom = async (who: Key, id: number) =>
  dataOf<Row[]>(await api.get('/orders/history', { account: who.address }))
    .filter(({ parent_order_id }) => parent_order_id === id)
    .map(({ order_id }) => Number(order_id))
    .reverse()
const filledBy = async (who: Key) => [
  ...new Set(
    dataOf<Row[]>(await api.get('/trades/history', { account: who.address }))
      .map(({ order_id }) => Number(order_id))
      .reverse(),
  ),
]

const byOwner = 'cancelled by its owner (cancel_order)'

test('a chase is explained with its orders, moves, fills and end', async () => {
  const [owner, leader, taker] = [await live.trader(), await live.trader(), await live.trader()]
  const lead = (price: string) => live.order(leader, { ...eth, side: 'bid', price, amount: '0.1' })
  await lead('2990')
  await pass(1_000)
  const chase = await send(owner, '/orders/chase/create', {
    ...{ side: 'bid', amount: '2', price: '2993' },
  })
  await pass(1_000)
  await lead('2993')
  await pass(2_000)
  await live.order(taker, { ...eth, side: 'ask', price: '2993', amount: '0.6', tif: 'IOC' })
  await cancel(owner, '/orders/cancel', { order_id: chase })
  const explained = await explain('order', String(chase))
  const [first, second] = await ordersFrom(owner, chase)
  const row = await over(owner, chase)
  assert.equal(explained.title, `Chase ${chase} on ETH`)
  assert.equal(explained.facts.orders, `${first}, ${second}`)
  const filled = `${row.filled_amount} ETH of 2 ETH for 1496.5 USD`
  assert.equal(explained.facts.filled, filled)
  assert.deepEqual(resultsOf(explained, 'ALGO-1'), [`${row.filled_amount} ETH`, '1496.5 USD'])
  assert.match(
    explained.happened[0]!.what,
    /^chase placed: bid 2 ETH at the best price, never above/,
  )
  assert.deepEqual(
    explained.happened.slice(1).map(({ what }) => what),
    [
      `step 1: order ${first} for 2 ETH at 2990, at the best price`,
      `step 2: order ${second} for 2 ETH at 2993, in place of order ${first} at 2990, ` +
        'at the price limit',
      `order ${second} filled 0.5 ETH for 1496.5 USD; ${filled} in total`,
      `order ${second} ended with 1.5 ETH unfilled: ${byOwner}`,
      `ended with ${filled} filled: ${byOwner}`,
    ],
  )
  const [before, moved] = [await eventsOf(first!), await eventsOf(second!)]
  assert.ok(before.includes(`ended with 2 ETH unfilled: replaced by order ${second}`), `${before}`)
  const move = `in place of order ${first} at 2990, at the price limit`
  const by = `placed by chase ${chase}, step 2, ${move}: bid`
  assert.ok(
    moved.some((what) => what.startsWith(by)),
    `${moved}`,
  )
  assert.equal(moved.at(-1), `ended with 1.5 ETH unfilled: ${byOwner}, and chase ${chase} with it`)
})

test('an iceberg, a TWAP and a rejected chase are explained', async () => {
  const [owner, taker, poor] = [await live.trader(), await live.trader(), await live.trader('10')]
  const ice = await send(owner, '/orders/iceberg/create', {
    ...{ side: 'ask', amount: '1', price: '3010', display_amount: '0.6' },
  })
  const twap = await send(taker, '/orders/twap/create', {
    ...{ side: 'bid', amount: '1.1', duration_in_seconds: 300, slippage_percent: '1' },
  })
  const chase = await send(poor, '/orders/chase/create', {
    side: 'bid',
    amount: '5',
    price: '2990',
  })
  for (let slice = 0; slice < 11; slice += 1) await pass(30_000)
  const [shown, sliced] = [await explain('order', `${ice}`), await explain('order', `${twap}`)]
  assert.match(shown.facts.filled!, /^1 ETH of 1 ETH for/)
  assert.match(sliced.facts.filled!, /^1 ETH of 1.1 ETH for/)
  assert.equal(shown.facts.orders, (await filledBy(owner)).join(', '))
  assert.equal(sliced.facts.orders, (await filledBy(taker)).join(', '))
  const [one, two] = await ordersFrom(owner, ice)
  const steps = shown.happened.map(({ what }) => what).filter((what) => what.startsWith('step'))
  assert.deepEqual(steps, [
    `step 1: order ${one} for 0.6 ETH at 3010, first part`,
    `step 2: order ${two} for 0.4 ETH at 3010, next part`,
  ])
  assert.match(shown.happened.at(-1)!.what, /finished, completely filled$/)
  assert.match(sliced.happened.at(-1)!.what, /finished with its last slice$/)
  const [slice] = await filledBy(taker)
  assert.match((await eventsOf(slice!))[0]!, RegExp(`^placed by twap ${twap}, slice 1 of 11: bid`))
  const refused = await eventsOf(chase)
  const wish = '5 ETH at 2990 was refused: INSUFFICIENT_BALANCE'
  assert.deepEqual(refused.slice(1), [
    ...[1, 2, 3, 4, 5].map((step) => `step ${step}: ${wish}`),
    'ended with 0 ETH of 5 ETH for 0 USD filled: refused, 5 times in a row',
  ])
})

test('a leg of an OCO is explained with the events of the other one', async () => {
  const [owner, taker] = [await live.trader(), await live.trader()]
  const leg = { side: 'ask', amount: '1', reduce_only: false }
  const pair = async () => {
    const legs = [
      { ...leg, price: '3010' },
      { ...leg, stop_price: '2800' },
    ]
    const answer = await api.signed(owner, '/orders/oco/create', { symbol: 'ETH', legs })
    return dataOf<{ order_ids: [number, number] }>(answer).order_ids
  }
  const [order, stop] = await pair()
  await cancel(owner, '/orders/cancel', { order_id: order })
  const cancelled = await eventsOf(stop)
  assert.ok(cancelled.includes(`linked to ${order}: when one executes, the other is cancelled`))
  assert.equal(cancelled.at(-1), `ended with 1 ETH unfilled: the other leg ${order} was cancelled`)

  const [old, cut] = await pair()
  const edit = { order_id: old, price: '3005', amount: '0.9' }
  const { order_id: edited } = dataOf<Placed>(
    await api.signed(owner, '/orders/edit', { symbol: 'ETH', ...edit }),
  )
  const take = (amount: string) => live.order(taker, { ...eth, side: 'bid', price: '3005', amount })
  await take('0.4')
  await take('0.5')
  assert.deepEqual((await eventsOf(cut)).slice(-3), [
    'reduced to 0.9 ETH, the remaining size of the other leg',
    'reduced to 0.5 ETH, the remaining size of the other leg',
    `ended with 0.5 ETH unfilled: the other leg ${edited} was filled`,
  ])
  assert.match(
    (await eventsOf(edited))[0]!,
    RegExp(`^placed by user, in place of order ${old}: ask`),
  )

  const [rests, fires] = await pair()
  const take_profit = { stop_price: '2600' }
  const entry = { side: 'ask', stop_order: { stop_price: '2700', amount: '1' }, take_profit }
  const oto = await send(owner, '/orders/stop/create', entry)
  await cancel(owner, '/orders/stop/cancel', { order_id: oto })
  const level = await storyOf(oto + 1)
  assert.match(level[0]!.what, RegExp(`, once the order of stop ${oto} has filled$`))
  const { what, rule } = level.at(-1)!
  assert.equal(what, `ended: order ${oto}, for which it waited, ended: cancelled by its owner`)
  assert.deepEqual([level[0]!.rule, rule], ['TRIG-13', 'TRIG-13'])
  await live.price('ETH', '2790')
  await pass(60_000)
  const fired = await eventsOf(fires)
  assert.ok(
    fired.some((what) => what.startsWith('fired at ')),
    `${fired}`,
  )
  const why = RegExp(`^ended with 1 ETH unfilled: the other leg ${fires} fired at [0-9.]+$`)
  assert.match((await eventsOf(rests)).at(-1)!, why)
  const past = dataOf<Row[]>(await api.get('/orders/history', { account: owner.address }))
  const made = past.find(({ stop_parent_order_id }) => stop_parent_order_id === fires)!.order_id
  assert.equal(fired.at(-1), `placed order ${made}`)
  assert.match((await eventsOf(Number(made)))[0]!, RegExp(`^placed by trigger ${fires}: ask 1 ETH`))
})

test('the order of a triggered stop is explained with each of its runs and its end', async () => {
  const [owner, maker] = [await live.trader(), await live.trader()]
  await live.price('ETH', '3000')
  await live.trade({ symbol: 'ETH', price: '3000', amount: '2', buyer: owner, seller: maker })
  const stop_order = { stop_price: '2990', amount: '2' }
  const stop = await send(owner, '/orders/stop/create', {
    ...{ side: 'ask', reduce_only: true, stop_order },
  })
  await live.order(maker, { ...eth, side: 'bid', price: '2989', amount: '0.5' })
  await live.price('ETH', '2990')
  const order = stop + 1 + 1
  assert.ok((await eventsOf(stop)).includes(`placed order ${order}`))
  await live.order(maker, { ...eth, side: 'bid', price: '2979', amount: '0.5', tif: 'ALO' })
  await live.price('ETH', '2980')
  await cancel(owner, '/orders/stop/cancel', { order_id: order })
  const story = await storyOf(order)
  const lines = story.map(({ what, rule }) => `${rule} ${what}`)
  assert.match(lines[0]!, /^ORDER-14 expires at /)
  assert.match(lines[1]!, /^TRIG-3 placed by trigger \d+: ask 2 ETH .*; the rest is retried until/)
  assert.match(lines[2]!, /^ORDER-6 fill \d+: close_long 0\.5 ETH /)
  assert.match(lines[3]!, /^TRIG-3 retried by the tick of seq \d+: the price is in force$/)
  assert.match(lines[4]!, /^ORDER-6 fill \d+: close_long 0\.5 ETH /)
  assert.deepEqual(lines.slice(5), [
    'ORDER-8 ended with 1 ETH unfilled: cancelled by its owner (cancel_stop_order)',
  ])
})

test('unknown ids and invalid arguments are reported', async () => {
  const none = await openperp(['explain', 'order', '999999', '--data', data])
  assert.equal(none.code, 1)
  assert.match(none.err, /no order 999999 in this history/)
  assert.equal((await openperp(['explain', 'life', '--data', data])).code, 2)
  const stop = await openperp(['explain', 'stop', '16', '--data', data])
  assert.match(stop.err, /explain knows no stop\n.*openperp explain order 16/)
  assert.equal((await openperp(['explain', 'order', 'x', '--data', data])).code, 2)
})

test('reverted events are not explained', async () => {
  const saved = dataOf<Row>(await live.sandbox('snapshot', {}))
  const { order_id } = await live.order(bob, {
    symbol: 'BTC',
    side: 'bid',
    price: '60000',
    amount: '0.1',
  })
  await explain('order', String(order_id))
  dataOf(await live.sandbox('revert', { id: saved.id }))
  const { code } = await openperp(['explain', 'order', String(order_id), '--data', data])
  assert.equal(code, 1)
})

test('exports are the rows of the API, and the journal is one line an entry', async () => {
  const environment = { OPENPERP_URL: live.url }
  const who = ['--account', alice.address]
  for (const [what, route] of [
    ['fills', '/trades/history'],
    ['orders', '/orders/history'],
    ['funding', '/funding/history'],
    ['balance', '/account/balance/history'],
  ] as const) {
    const rows = dataOf<Row[]>(await api.get(route, { account: alice.address }))
    const { code, out } = await openperp(['export', what, ...who], { environment })
    assert.equal(code, 0)
    const lines = out.trim().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      rows,
    )
    const table = await openperp(['export', what, ...who, '--csv'], { environment })
    const [head, ...cells] = table.out.trim().split('\n')
    assert.deepEqual(head!.split(','), Object.keys(rows[0]!))
    assert.equal(cells.length, rows.length)
  }
  const { seq } = dataOf<Row>(await live.sandbox('snapshot', {}))
  const commands = await openperp(['export', 'commands', '--data', data])
  const entries = commands.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  assert.deepEqual(
    entries.map((entry) => entry.seq),
    Array.from({ length: Number(seq) }, (_, at) => at + 1),
  )
  assert.equal(entries.at(-1)!.kind, 'snapshot')
  const last = String(Number(seq) - 1)
  const part = await openperp(['export', 'events', '--data', data, '--from', '2', '--to', last])
  const events = part.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  assert.ok(events.some(({ type }) => type === 'LiquidationStarted'))
  assert.ok(events.every((event) => Number(event.seq) >= 2 && Number(event.seq) < Number(seq)))
})
