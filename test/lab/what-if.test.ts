// What-if: without a change nothing differs, and after an inserted order every recorded command
// still means the order that it meant.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandFields, commandRecords } from '../../src/core/index.ts'
import { createExchange, diff } from '../../src/embed/embed.ts'
import { parseDrops, parseSet } from '../../src/lab/what-if/changes.ts'
import { idKinds } from '../../src/lab/what-if/id-map.ts'
import { parseInsertions } from '../../src/lab/what-if/inserted.ts'
import { idPathsOf } from '../../src/lab/what-if/mapped-command.ts'
import { whatIf } from '../../src/lab/what-if/what-if.ts'
import {
  checkInserted,
  checkUnchanged,
  journalOf,
  noChange,
} from '../support/lab/what-if-journals.ts'

test('without a change nothing differs; an inserted order misleads no cancel', async () => {
  let [moved, accepted] = [0, 0]
  for (let seed = 1; seed <= 12; seed++) {
    const journal = journalOf(seed, 500)
    await checkUnchanged(journal)
    if (journal.line === null) continue
    const checked = await checkInserted(journal)
    moved += checked.moved
    if (checked.accepted) accepted += 1
  }
  assert.ok(moved > 20, `${moved} commands name an order whose id moved`)
  assert.ok(accepted > 5, `${accepted} orders were inserted`)
})

test('every field of a command that has an id is mapped', () => {
  const withIds = Object.entries(commandFields).filter(([, fields]) =>
    Object.values(fields).some((kind) => /^(order|withdrawal|credit|changeNumber)\b/.test(kind)),
  )
  for (const [type, fields] of withIds)
    for (const [name, kind] of Object.entries(fields))
      if ((idKinds as readonly string[]).includes(kind.split('|')[0]!))
        assert.ok(
          idPathsOf(type).some((path) => path.name === name),
          `${type}.${name}`,
        )
  // These are mapped as they are: no record inside of them may have an id.
  for (const record of ['level', 'restingLeg', 'stopLeg', 'proof'] as const)
    for (const kind of Object.values(commandRecords[record]))
      assert.doesNotMatch(kind, /^(account|market|order|withdrawal|credit|changeNumber)\b/)
})

const order = { symbol: 'BTC', price: '90000', amount: '1', tif: 'GTC', reduce_only: false }

async function traded() {
  const exchange = createExchange({ verify: false, prices: 'held', markets: ['BTC', 'ETH'] })
  const [alice, bob] = [await exchange.client('alice'), await exchange.client('bob')]
  exchange.setOracle('BTC', '90000')
  await alice.createOrder({ ...order, side: 'bid', amount: '0.3' } as never)
  await bob.createOrder({ ...order, side: 'ask', amount: '0.3' } as never)
  exchange.advance('2h')
  return { exchange, alice, bob }
}

test('a fork continues next to the original, and diff shows where they part', async () => {
  const { exchange, alice } = await traded()
  const before = exchange.hash()
  const fork = exchange.fork()
  assert.deepEqual([fork.hash(), fork.now, fork.seq], [before, exchange.now, exchange.seq])
  assert.equal((await diff(exchange, fork)).isEqual, true)
  const { address } = exchange.key('alice')
  const body = JSON.stringify({ ...order, side: 'ask', price: '91000' })
  const headers = { 'content-type': 'application/json', 'x-act-as': address }
  const post = { method: 'POST', headers, body }
  const path = '/api/v1/orders/create'
  assert.equal((await exchange.fetch(exchange.url + path, post)).status, 400)
  assert.equal((await fork.fetch(fork.url + path, post)).status, 200)
  const found = await diff(exchange, fork)
  assert.deepEqual(
    [found.isEqual, found.first?.seq, found.first?.cause],
    [false, exchange.seq + 1, 'only the second has this entry'],
  )
  assert.equal(exchange.hash(), before)
  fork.advance('1h')
  exchange.advance('1h')
  assert.equal((await alice.getAccount()).orders_count, 0)
  const earlier = exchange.fork({ at: found.first!.seq - 5 })
  assert.equal(earlier.seq, found.first!.seq - 5)
  assert.throws(() => exchange.fork({ at: 99_999 }), /there is no entry 99999/)
  for (const each of [exchange, fork, earlier]) await each.close()
})

test('a variant without an order has neither its fill nor its funding', async () => {
  const { exchange } = await traded()
  const history = exchange.asHistory('a')
  const orders = parseDrops(['order=1'])
  const { distance, difference } = await whatIf({ ...noChange, history, dropped: orders })
  assert.equal(distance.dropped, 1)
  assert.deepEqual(difference.fills.count, [2, 0])
  assert.equal(
    difference.accounts.find(({ funding }) => funding[1] !== '0'),
    undefined,
  )
  assert.equal(difference.markets[0]?.openInterest.join(), '0.3,0')
  const sets = [parseSet('BTC.max_leverage=2')]
  const limited = await whatIf({ ...noChange, history, sets })
  assert.ok(limited.difference.first !== null)
  const late = JSON.stringify({
    seq: 9_999_999,
    account: exchange.key('bob').address,
    operation: 'create_order',
  })
  const insertions = parseInsertions(late)
  await assert.rejects(
    whatIf({ ...noChange, history, insertions }),
    /is at entry 9999999, and the last/,
  )
  await exchange.close()
})

test('without an order that never traded nothing else changes, nor without its edit', async () => {
  const { exchange, alice } = await traded()
  const { order_id } = await alice.createOrder({ ...order, side: 'bid', price: '80000' } as never)
  const edit = { symbol: 'BTC', order_id, price: '81000', amount: '1' }
  const edited = await alice.editOrder(edit as never)
  await alice.createOrder({ ...order, side: 'bid', price: '70000' } as never)
  await alice.cancelOrder({ symbol: 'BTC', order_id: edited.order_id })
  const last = await alice.createOrder({ ...order, side: 'bid', price: '60000' } as never)
  await alice.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
  const history = exchange.asHistory('a')
  const swept = { ...noChange, history, dropped: parseDrops([`order=${last.order_id}`]) }
  assert.equal((await whatIf(swept)).difference.isEqual, true)
  const dropped = parseDrops([`order=${order_id}`])
  const report = await whatIf({ ...noChange, history, dropped })
  assert.deepEqual(report.difference.first, null)
  assert.equal(report.difference.isEqual, true)
  assert.deepEqual(report.distance, { refusedHere: 0, acceptedHere: 0, dropped: 3 })
  assert.deepEqual(report.own, [exchange.key('alice').address])
  assert.match(report.dropped[0]!.command, /^PlaceOrder BTC bid 1 at 80000 GTC by /)
  const missing = whatIf({ ...noChange, history, dropped: parseDrops(['order=999']) })
  await assert.rejects(missing, /--drop order=999: no command of an account has placed order 999/)
  await exchange.close()
})

test('malformed changes are refused, with what would be accepted', () => {
  assert.throws(() => parseSet('BTC=3'), /is not <symbol>\.<parameter>=<value>/)
  assert.throws(() => parseSet('BTC.foo=3'), /unknown parameter foo; valid parameters: min_tick/)
  assert.deepEqual(parseSet('BTC.leverage_max=20').field, 'max_leverage')
  assert.throws(() => parseDrops(['fill=1']), /neither order=<id> nor account=<address>/)
  assert.throws(() => parseInsertions('x'), /line 1 .* is not JSON/)
  assert.throws(() => parseInsertions('\n{"seq":1,"x":2}'), /line 2 .* has the field x; known are/)
  assert.throws(() => parseInsertions('{"account":"a"}'), /needs either seq or time/)
  assert.throws(
    () => parseInsertions('{"seq":1,"account":"a","operation":"o"}'),
    /operation o; there/,
  )
})
