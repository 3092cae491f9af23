// The same explanation from REST, from the command line of a running exchange, and from its data
// folder, which finds the commands by another way.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from '../../src/client/client.ts'
import { ApiRefusal } from '../../src/client/errors.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const data = join(live.folder, 'data')
await live.price('BTC', '100000')
const [alice, bob] = [await live.trader('10000'), await live.trader('1000000')]
const pass = (advance_ms: number) => live.sandbox('clock', { advance_ms })
const client = new Client({ url: live.url, signer: alice })

async function everywhere(what: string, id: string, rest: Promise<unknown>): Promise<Row> {
  const explained = (await rest) as Row
  const url = ['--url', live.url, '--key', alice.secret]
  const online = await openperpJson<Row>(['explain', what, id, ...url])
  const account = ['--account', alice.address]
  const folder = await openperpJson<Row>(['explain', what, id, '--data', data, ...account])
  assert.deepEqual(online.json, explained)
  assert.deepEqual(folder.json, explained)
  assert.equal(explained.agrees, true)
  return explained
}

test('every way gives the same explanation, also of what has not happened', async () => {
  const deal = { symbol: 'BTC', price: '100000', buyer: alice, seller: bob, amount: '0.3' }
  await live.trade(deal)
  await pass(2 * 3_600_000)
  const stop_order = { stop_price: '90000', amount: '0.1' }
  const stop = { symbol: 'BTC', side: 'ask', reduce_only: true, stop_order } as const
  const { order_id: stopId } = await client.createStopOrder(stop)
  await pass(120_000)
  await live.price('BTC', '95000')
  await pass(120_000)
  await live.price('BTC', '97000')
  await pass(120_000)
  const bid = { symbol: 'BTC', side: 'bid', price: '90100', amount: '0.01' } as const
  await live.order(bob, { ...bid, amount: '0.5' })
  const resting = await live.order(alice, bid)

  const [fill] = dataOf<Row[]>(await live.api.get('/trades/history', { account: alice.address }))
  const { history_id, order_id } = fill as { history_id: number; order_id: number }
  await everywhere('fill', `${history_id}`, client.explainFill({ history_id }))
  await everywhere('order', `${order_id}`, client.explainOrder({ order_id }))
  const funding = dataOf<Row[]>(await live.api.get('/funding/history', { account: alice.address }))
  const payment = Number(funding[0]!.history_id)
  await everywhere('funding', `${payment}`, client.explainFunding({ history_id: payment }))
  const whatOf = (row: Row) => (row.pending as { what: string }[]).map(({ what }) => what)

  const waits = await everywhere('order', `${stopId}`, client.explainOrder({ order_id: stopId }))
  const [far, closest, then, reduces] = whatOf(waits)
  assert.match(far!, /^not fired yet: fires at mark ≤ 90000, and the mark is 97000, 7000 or 7\./)
  assert.match(closest!, /the mark came closest at 95000 in the minute of .*, 5000 short of it$/)
  assert.match(then!, /^would place if it fired now: ask 0.1 BTC at the market; .* become 0.2 BTC$/)
  assert.match(reduces!, /^only reduces the position of 0.3 BTC/)

  const rests = Number(resting.order_id)
  const queued = await everywhere('order', `${rests}`, client.explainOrder({ order_id: rests }))
  assert.match(whatOf(queued)[1]!, /^place in its queue: 1 order with 0.5 BTC ahead, and 0 BTC/)

  const position = await everywhere('position', 'BTC', client.explainPosition({ symbol: 'BTC' }))
  const paid = funding.reduce((sum, row) => sum + Number(row.payout), 0)
  const facts = position.facts as Record<string, string>
  assert.equal(
    facts.funding,
    `${paid < 0 ? 'paid' : 'received'} ${Math.abs(paid)} USD in 2 payments`,
  )

  const refused = await live.api.signed(alice, '/orders/create', {
    ...{ ...bid, amount: '40', tif: 'GTC', reduce_only: false },
  })
  assert.equal(refused.status, 422)
  const seq = Number(refused.headers.get('openperp-seq'))
  const one = await everywhere('refusal', `${seq}`, client.explainRefusal({ seq }))
  const newest = client.explainRefusal({ seq: 'latest' })
  assert.deepEqual(await everywhere('refusal', 'latest', newest), one)

  await live.price('BTC', '60000')
  await pass(60_000)
  const rest = client.explainLiquidation({ seq: 'latest' })
  const liquidated = await everywhere('liquidation', 'latest', rest)
  const began = /\d+$/.exec(String(liquidated.title))![0]
  assert.deepEqual(await client.explainLiquidation({ seq: began }), liquidated)
  const lines = await openperp(['explain', 'liquidation', '--url', live.url, '--key', alice.secret])
  assert.match(lines.out, /MARGIN-3 .*\n(.*\n)* {2}→ [-\d.]+ USD {2}= what history recorded/)
})

test('the command line names the explanation of a refusal', async () => {
  const order = ['order', 'BTC', 'bid', '40', '60000', '--url', live.url, '--key', alice.secret]
  const words = await openperp(order)
  assert.match(words.err, /^why: openperp explain refusal \d+ --url http\S+ --key …$/m)
  const { json } = await openperpJson<{ error: { seq: number } }>(order)
  assert.equal(
    (await client.explainRefusal({ seq: json.error.seq })).title.split(': ')[0],
    `Refusal at seq ${json.error.seq}`,
  )
})

test('a fired stop that finds no bid says that it ran, and when it runs again', async () => {
  const [owner, maker] = [await live.trader('10000'), await live.trader('1000000')]
  const own = new Client({ url: live.url, signer: owner })
  await live.price('ETH', '3000')
  await live.trade({ symbol: 'ETH', price: '3000', amount: '2', buyer: owner, seller: maker })
  const stop_order = { stop_price: '2990', amount: '2' }
  const stop = { symbol: 'ETH', side: 'ask', reduce_only: true, stop_order } as const
  const { order_id } = await own.createStopOrder(stop)
  await live.price('ETH', '2980')
  const child = order_id + 1
  for (const id of [order_id, child]) {
    const { pending } = await own.explainOrder({ order_id: id })
    const [ran, again] = pending.map(({ what }) => what)
    const none = `there is no bid at [0-9.]+ or higher, its limit now .the book has none.$`
    assert.match(ran!, RegExp(`^order ${child} ran, nothing was sold, and 2 ETH is left: ${none}`))
    assert.match(again!, /^runs again with each new price, .* until the position ends/)
  }
  await live.order(maker, { ...{ symbol: 'ETH', side: 'bid' }, price: '2979', amount: '2' })
  await live.price('ETH', '2980')
  const { facts, title, agrees } = await own.explainPosition({ symbol: 'ETH' })
  assert.deepEqual([title, agrees], ['Position on ETH: closed', true])
  assert.equal(facts.position, 'long, at most 2 ETH')
  assert.equal(facts.funding, 'received 0 USD in 0 payments')
  assert.match(facts['realised profit']!, /^-4\d\.\d+ USD after fees/)
})

test('only the owner gets an explanation, and unknown ids are named', async () => {
  const of = { account: alice.address }
  for (const path of ['order/1', 'fill/1', 'refusal/1', 'liquidation/latest', 'position/BTC']) {
    const { status, text } = await live.api.get(`/explain/${path}`, of)
    assert.equal(status, 401, text)
  }
  const others = new Client({ url: live.url, signer: bob })
  const refusal = async (question: Promise<unknown>) => {
    const error = await question.then(
      () => assert.fail('it was explained'),
      (one: unknown) => one as ApiRefusal,
    )
    return `${error.status} ${error.message}`
  }
  const orders = dataOf<Row[]>(await live.api.get('/orders/history', of))
  const order_id = Number(orders[0]!.order_id)
  const [fill] = dataOf<Row[]>(await live.api.get('/trades/history', of))
  const history_id = Number(fill!.history_id)
  assert.match(await refusal(others.explainOrder({ order_id })), /^404 .*there is no order \d+ in/)
  assert.match(await refusal(others.explainFill({ history_id })), /^404 .*there is no fill \d+ in/)
  assert.match(await refusal(client.explainOrder({ order_id: 999_999 })), /^404 .*no order 999999/)
  assert.match(await refusal(client.explainRefusal({ seq: 1 })), /^404 .*no refusal/)
  assert.match(await refusal(client.explainPosition({ symbol: 'NO' })), /no market has this symbol/)
  assert.match(await refusal(client.explainPosition({ symbol: 'ETH' })), /no position in ETH/)
  const signed = { ...of, order_id: 'x' }
  assert.equal((await live.api.get('/explain/order/x', signed)).status, 400)
})

test('one account has one explanation at a time: a repetition gets it, others wait', async () => {
  const orders = dataOf<Row[]>(await live.api.get('/orders/history', { account: alice.address }))
  const [order_id, other] = [Number(orders[0]!.order_id), Number(orders.at(-1)!.order_id)]
  assert.notEqual(order_id, other)
  const hasty = new Client({ url: live.url, signer: alice, readRetries: 0 })
  const ids = [order_id, order_id, order_id]
  const same = await Promise.all(ids.map((id) => hasty.explainOrder({ order_id: id })))
  for (const each of same) assert.deepEqual(each, same[0])
  const outcomes = await Promise.allSettled(
    [other, ...ids, other].map((id) => hasty.explainOrder({ order_id: id })),
  )
  assert.ok(outcomes.some(({ status }) => status === 'fulfilled'))
  for (const each of outcomes) {
    if (each.status === 'fulfilled') continue
    assert.ok(each.reason instanceof ApiRefusal && each.reason.status === 503, `${each.reason}`)
  }
})
