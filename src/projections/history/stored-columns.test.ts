// Every field of an event is stored in the column with its name, and returned under its name. Each
// event here has a different value in every field, so that two swapped fields would show.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DatabaseSync } from '@photostructure/sqlite'
import { FedStore } from '../../../test/support/history/fed-store.ts'
import { eventFields, words } from '../../core/events/event-fields.ts'
import {
  EventLog,
  type EventOf,
  type EventType,
  type FillPart,
  fillOf,
  fillsOf,
} from '../../core/index.ts'
import { type BalanceEvent, balanceEvents, orderTypes } from '../../protocol/words.ts'
import { fillKinds, triggerBys } from '../../words/order-words.ts'
import { schema, tables } from './schema.ts'

type Row = Readonly<Record<string, number | string | null>>

const seq = 1
const atMs = 7_200_000
const folder = mkdtempSync(join(tmpdir(), 'history-'))
after(() => rmSync(folder, { recursive: true }))

let drawn = 1_000

/** Numbers and texts that no other field has, and the last word of each list. */
function eventOf<T extends EventType>(type: T, fixed: Partial<EventOf<T>>): EventOf<T> {
  const fields = Object.entries(eventFields[type]).map(([name, kind]) => {
    drawn += 7
    const values: Readonly<Record<string, unknown>> = { flag: true, text: `text ${drawn}` }
    return [name, words[kind]?.at(-1) ?? values[kind] ?? drawn]
  })
  return { type, ...Object.fromEntries(fields), ...fixed }
}

/** As a row has it: words as their places, flags as numbers. */
function fieldsOf(event: Readonly<{ type: EventType }>): Row {
  const kinds: Readonly<Record<string, string>> = eventFields[event.type]
  const fields = Object.entries(event).filter(([name]) => name !== 'type')
  return Object.fromEntries(
    fields.map(([name, value]: [string, unknown]) => {
      const list = words[kinds[name]!]
      if (list !== undefined) return [name, list.indexOf(value as string)]
      return [name, typeof value === 'boolean' ? Number(value) : (value as number | string | null)]
    }),
  )
}

const maker = eventOf('AccountOpened', { account: 4 })
const taker = eventOf('AccountOpened', { account: 5 })
const parties = { account: 4, counterparty: 5 }
const order = eventOf('OrderPlaced', {
  order: 11,
  account: 4,
  origin: 'user',
  parent: 0,
  orderType: 'limit',
})
const expiry = eventOf('ExpirySet', { order: 11, account: 4 })
const shielded = eventOf('OrderProtected', { order: 11, account: 4 })
const trail = eventOf('TrailSet', { order: 13, account: 4 })
const other = eventOf('OrderPlaced', { order: 12, account: 5, origin: 'user', parent: 0 })
const stop = eventOf('StopPlaced', { order: 13, account: 4, orderType: 'stop_loss_limit' })
const deal = { market: 2, maker: 4, taker: 5, lots: 7, value: 7_000 }
const traded = eventOf('Traded', {
  ...{ ...deal, history: 1, makerOrder: 11, takerOrder: 12, takerClosed: 7, makerClosed: 0 },
})
const { lots, market } = traded
const [fill, otherFill] = fillsOf(traded) as unknown as readonly [FillPart, FillPart]
const forced = eventOf('Filled', { history: 3, ...parties, market })
const cancelled = eventOf('OrderCancelled', { order: 11, reason: 'owner' })
const twap = eventOf('AlgoPlaced', { order: 14, account: 4 })
const slice = eventOf('AlgoStepped', { algo: 14, account: 4 })
const sampled = eventOf('PremiumSampled', { market: 2 })
const fixed = eventOf('FundingFixed', { market: 2 })
const paid = eventOf('FundingPaid', { account: 4, market: 2, epoch: fixed.epoch })
const marked = eventOf('MarkUpdated', { market: 2 })
const deposited = eventOf('Deposited', { account: 5 })
const requested = eventOf('WithdrawalRequested', { account: 5 })
const moved = eventOf('IsolatedMarginMoved', { account: 5, market: 3 })
const by = { who: 'ann', why: 'a test' }

const fed = new FedStore(['fees', 'insurance', 'deficit'], { file: join(folder, 'history.db') })
const log = new EventLog()
for (const event of [
  ...[eventOf('MarketListed', { market: 2 }), maker, taker, expiry, shielded, order, other],
  ...[trail, stop],
  ...[traded, forced, cancelled, twap, slice, marked],
  ...[sampled, fixed, paid, deposited, requested, moved],
])
  log.write(event)
const entry = { kind: 'command', command: { type: 'SetExchangeMode', mode: 'open' }, by } as const
const stretch = { log, first: 0, end: log.end, ownFirst: 0, ownEnd: log.end }
fed.feed([{ timeline: 0, outcomes: [{ seq, atMs, entry, ...stretch }] }])
fed.store.commit()

const database = new DatabaseSync(join(folder, 'history.db'), { readOnly: true })
after(() => {
  database.close()
  fed.store.close()
})

/** With the names that SQLite itself has for the columns. */
function stored(table: string, where: string): Row {
  const found = database.prepare(`SELECT * FROM ${table} WHERE ${where}`).all()
  assert.equal(found.length, 1, `${table} where ${where}`)
  return { ...found[0] } as Row
}

/** The row has these fields and nothing else; `names`: what a field is called in the table. */
function holds(row: Row, fields: Row, names: Readonly<Record<string, string>> = {}): void {
  const named = Object.entries(fields).map(([name, value]) => [names[name] ?? name, value])
  assert.deepEqual(row, Object.fromEntries(named))
}

/** Some of the fields of an event. */
function some<T extends EventType>(event: EventOf<T>, ...names: (keyof EventOf<T>)[]): Row {
  const fields = fieldsOf(event)
  return Object.fromEntries(names.map((name) => [name, fields[name as string]!]))
}

test('an account has its id and its address', () => {
  holds(stored('accounts', 'id = 4'), some(maker, 'account', 'address'), { account: 'id' })
})

test('a fill has every number of the trade or forced transfer it is part of', () => {
  const place = { seq, at: atMs }
  for (const one of [fill, otherFill, fillOf(forced)]) {
    const row = stored('fills', `history = ${one.history}`)
    holds(row, { ...fieldsOf({ type: 'Filled', ...one }), ...place }, { order: 'ord' })
  }
  const [, newest] = fed.ask('positionHistory', {
    ...{ account: null, market: null, startMs: null, endMs: null, limit: 2, offset: 0 },
  })
  const parties = { account: maker.address, counterparty: taker.address }
  const { clientOrderId } = order
  assert.deepEqual(newest, { ...otherFill, ...parties, seq, atMs, clientOrderId })
})

test('a trade has the numbers of its match and the kind of its taker', () => {
  const row = some(traded, 'history', 'market', 'price', 'lots', 'side', 'cause')
  const kind = fillKinds.indexOf(fill.kind)
  holds(stored('trades', 'history = 1'), { ...row, kind, seq, at: atMs })
  const [trade] = fed.ask('trades', 2, { limit: 1, startMs: null, endMs: null, before: null })
  const { history, price, side, cause } = traded
  const facts = { history, seq, atMs, market, kind: fill.kind, side, cause, price, lots }
  assert.deepEqual(trade, facts)
})

const orderNames = { order: 'id', size: 'lots', clientOrderId: 'client', limitPrice: 'price' }

test('an order has the fields it was placed with', () => {
  const placed = some(order, 'order', 'account', 'market', 'side', 'price', 'size', 'reduceOnly')
  const untrailed = { trailDistance: null, trailPpm: null, trailActivation: null }
  const plain = { ...untrailed, turned: 0, triggerBy: null, placedBy: null }
  const when = { at: atMs, expireTime: expiry.time, mmp: 1, ...plain }
  const more = { ...some(order, 'clientOrderId'), ...when, root: null, stopPrice: null }
  const type = orderTypes.indexOf('limit')
  holds(stored('orders', 'id = 11'), { ...placed, ...more, type }, orderNames)
})

test('a stop has the fields it was placed with', () => {
  const placed = some(stop, 'order', 'account', 'market', 'side', 'stopPrice', 'limitPrice')
  const { distance, ppm, activation } = trail
  const follows = { trailDistance: distance, trailPpm: ppm, trailActivation: activation }
  const triggerBy = triggerBys.indexOf(stop.triggerBy)
  const when = { at: atMs, expireTime: null, mmp: 0, ...follows, turned: 0, triggerBy }
  const { parent } = stop
  const more = { ...some(stop, 'size', 'reduceOnly', 'clientOrderId'), ...when, root: null }
  const type = orderTypes.indexOf('stop_loss_limit')
  holds(stored('orders', 'id = 13'), { ...placed, ...more, placedBy: parent, type }, orderNames)
  assert.equal(stored('order_events', 'ord = 13').extreme, stop.extreme)
})

test('a step of an order has its new state', () => {
  const {
    id: _,
    event: __,
    status: ___,
    reason: ____,
    ...row
  } = stored('order_events', 'ord = 11 AND cancelled > 0')
  const sums = { filled: lots, value: otherFill.value, cancelled: cancelled.remaining }
  const fixed = {
    seq,
    account: 4,
    ord: 11,
    at: atMs,
    price: order.price,
    parent: null,
    lots: null,
    extreme: null,
  }
  const ties = { oco: null, source: null, waiting: 0, unreleased: 0 }
  assert.deepEqual(row, { ...fixed, ...sums, ...ties })
})

test('an algo has every field of its event, and its step says how far it is', () => {
  const names = { order: 'id', size: 'lots', clientOrderId: 'client' }
  holds(stored('algos', 'id = 14'), { ...fieldsOf(twap), at: atMs }, names)
  const { id: _, event: __, status: ___, ...step } = stored('algo_events', 'past > 0')
  const place = { seq, account: 4, algo: 14, at: atMs }
  assert.deepEqual(step, { ...place, past: slice.step, filled: 0, value: 0, reason: 0 })
})

test('funding has the rate with its prices, and the payments', () => {
  const impact = some(sampled, 'impactBid', 'impactAsk')
  const rate = some(fixed, 'market', 'epoch', 'rate', 'oracle')
  holds(stored('funding_rates', 'market = 2'), { ...rate, ...impact, id: 1, seq, at: atMs })
  const payment = some(paid, 'account', 'market', 'epoch', 'lots', 'payment')
  holds(stored('funding_payments', 'account = 4'), { ...payment, id: 1, seq, at: atMs })
  const [row] = fed.ask('fundingPayments', maker.address!, { limit: 1, before: null })
  const { account: _, ...shown } = payment
  const { rate: ofEpoch } = fixed
  const place = { id: 1, seq, fixedSeq: seq, atMs }
  assert.deepEqual(row, { ...shown, ...place, account: maker.address, rate: ofEpoch })
})

test('the ledger has the balances after each event', () => {
  const row = (account: number, event: BalanceEvent) =>
    stored('balances', `account = ${account} AND event = ${balanceEvents.indexOf(event)}`)
  const after = (one: Row) => [one.balance, one.wallet, one.lots, one.cost]
  assert.equal(row(5, 'deposit').balance, deposited.balance)
  const { balance, pending } = row(5, 'withdraw')
  assert.deepEqual({ balance, pending }, { balance: requested.balance, pending: requested.pending })
  const { makerBalance, makerWallet, makerLots, makerCost } = traded
  assert.deepEqual(after(row(4, 'trade')), [makerBalance, makerWallet, makerLots, makerCost])
  // Trades and funding are profit, not money from outside.
  const funding = row(4, 'funding')
  assert.deepEqual(after(funding), [paid.balance, paid.wallet, paid.lots, paid.cost])
  assert.deepEqual([funding.flow, funding.amount], [0, paid.balance - forced.balance])
  const margin = row(5, 'isolated_margin')
  assert.deepEqual(after(margin), [moved.balance, moved.wallet, moved.lots, moved.cost])
})

test('a bar has the trades by price and lots, and the prices at its end', () => {
  const { price } = traded
  const prices = { first: price, high: price, low: price, last: price }
  const { oracle, mark } = marked
  const marks = { oracle, mark, markFirst: mark, markHigh: mark, markLow: mark }
  const sums = { volume: fill.value, lots, trades: 1 }
  holds(stored('bars', 'level = 0'), {
    level: 0,
    market,
    start: atMs,
    ...sums,
    ...prices,
    ...marks,
    // Of the newest of the two.
    openInterest: forced.openInterest,
  })
})

test('an operator action has its operator, reason and change', () => {
  const command = JSON.stringify(entry.command)
  holds(stored('operator_actions', 'TRUE'), {
    seq,
    at: atMs,
    ...by,
    what: 'SetExchangeMode',
    command,
    rejection: null,
  })
})

test('the schema is that of the descriptions, and no other table is there', () => {
  const columnsOf = (name: string) =>
    database.prepare(`SELECT name FROM pragma_table_info('${name}')`).all()
  for (const { name, columns } of tables)
    assert.deepEqual(
      columnsOf(name).map((column) => column.name),
      Object.keys(columns),
      name,
    )
  const made = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  assert.deepEqual(made.map(({ name }) => name).sort(), tables.map(({ name }) => name).sort())
  assert.ok(tables.every(({ create }) => schema.includes(create)))
})

test('a step of a payment has its amount and its origin', () => {
  const place = { seq, at: atMs }
  const credited = some(deposited, 'account', 'amount', 'reference')
  holds(stored('payments', 'kind = 0'), {
    ...credited,
    ...place,
    place: 0,
    kind: 0,
    withdrawal: null,
  })
  const withdrawal = some(requested, 'account', 'amount', 'withdrawal')
  holds(stored('payments', 'kind = 1'), {
    ...withdrawal,
    ...place,
    place: 1,
    kind: 1,
    reference: null,
  })
})
