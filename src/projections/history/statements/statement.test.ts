// Statements over random histories, in which accounts are liquidated, taken over and deleveraged,
// isolated ones too. What the core had at the borders, and what its events say of the money in
// between, is noted while the history is played; a statement reads none of that.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FedStore, keepAll } from '../../../../test/support/history/fed-store.ts'
import { Player, playedWorld, reservedOf } from '../../../../test/support/history/played.ts'
import { type Event, type ExchangeView, viewOf } from '../../../core/index.ts'
import { type BalanceEvent, balanceEvents } from '../../../protocol/words.ts'
import { addressesOf } from '../../opening.ts'
import { type Statement, type StatementLine, statementOf } from './statement.ts'

const minuteMs = 60_000
const whole = 1e9

/** What the core has of an account. */
function standingIn({ accounts, positions, markets }: ExchangeView, account: number) {
  let isolated = 0
  let equity: number = accounts.balanceOf(account)
  const held: (readonly [market: number, lots: number, cost: number])[] = []
  for (const { id, lotValue } of markets.all()) {
    const holding = positions.holdingOf(account, id)
    if (holding === null) continue
    isolated += holding.wallet
    equity += holding.wallet + holding.lots * lotValue - holding.cost
    if (holding.lots !== 0) held.push([id, holding.lots, holding.cost])
  }
  const balance: number = accounts.balanceOf(account)
  const pending: number = accounts.pendingOf(account)
  return { money: { balance, isolated, pending }, equity, held }
}
type Standing = ReturnType<typeof standingIn>

/** What events say of an account's money, by the names of lines. */
type Sums = Map<string, number>
function addSums(sums: Map<number, Sums>, event: Event): void {
  const add = (account: number, what: string, amount: number) => {
    const own = sums.get(account) ?? new Map<string, number>()
    sums.set(account, own.set(what, (own.get(what) ?? 0) + amount))
  }
  if (event.type === 'Traded') {
    add(event.taker, 'fee', event.takerFee)
    add(event.maker, 'fee', event.makerFee)
  }
  if (event.type === 'FundingPaid') add(event.account, 'funding', event.payment)
  if (event.type === 'WithdrawalRequested') add(event.account, 'withdraw', -event.amount)
  if (event.type === 'WithdrawalFailed') add(event.account, 'withdraw_failed', event.amount)
  if (event.type === 'WithdrawalCompleted') add(event.account, 'withdraw_completed', -event.amount)
  if (event.type === 'Deposited') add(event.account, 'deposit', event.amount)
  if (event.type === 'Transferred') {
    add(event.from, 'subaccount_transfer', -event.amount)
    add(event.to, 'subaccount_transfer', event.amount)
  }
}

/** `isHit`: something happened in that very millisecond; `atMs` null: now. */
type Border = Readonly<{ atMs: number | null; isHit: boolean; standings: readonly Standing[] }>
type Span = Readonly<{ from: Border; to: Border; sums: ReadonlyMap<number, Sums> }>

/** A history with the balances at some of its minutes, and the events between them. */
function noted(seed: number, commands: number) {
  const { genesis, steps } = playedWorld(seed, commands)
  const player = new Player(genesis, seed)
  const view = () => viewOf(player.state)
  const standings = () => addressesOf(view()).map((_, at) => standingIn(view(), at + 1))
  const spans: Span[] = []
  let from: Border = { atMs: 0, isHit: false, standings: [] }
  let sums = new Map<number, Sums>()
  for (const [at, step] of steps.entries()) {
    const minute = Math.ceil(view().atMs / minuteMs) * minuteMs
    if (at % 40 > 20 && step.atMs >= minute && minute > view().atMs && minute > from.atMs!) {
      const to = { atMs: minute, isHit: step.atMs === minute, standings: standings() }
      spans.push({ from, to, sums })
      from = to
      sums = new Map()
    }
    for (const event of player.play(step)) addSums(sums, event)
  }
  const now = standings()
  spans.push({ from, to: { atMs: null, isHit: false, standings: now }, sums })
  const fed = new FedStore(reservedOf(genesis)).feed(player.batches)
  return { fed, spans, addresses: addressesOf(view()), now }
}

const nothing: Standing = { money: { balance: 0, isolated: 0, pending: 0 }, equity: 0, held: [] }

const sumOf = (lines: readonly StatementLine[], read: (line: StatementLine) => number) =>
  lines.reduce((sum, line) => sum + read(line), 0)

function checkAgainst(statement: Statement, before: Standing, after: Standing): void {
  const { opening, lines, closing, held, fault } = statement
  assert.equal(fault, null)
  assert.deepEqual(opening, before.money)
  assert.deepEqual(closing, after.money)
  const amounts = sumOf(lines, ({ amount }) => amount)
  assert.equal(opening.balance + opening.isolated + amounts, closing.balance + closing.isolated)
  const pending = sumOf(lines, ({ pendingAmount }) => pendingAmount)
  assert.equal(opening.pending + pending, closing.pending)
  const profit = held.reduce((sum, each) => sum + each.profit, 0)
  assert.equal(closing.balance + closing.isolated + profit, after.equity)
  const open = held.filter(({ lots }) => lots !== 0)
  assert.deepEqual(
    open.map(({ market, lots, cost }) => [market, lots, cost]),
    after.held,
  )
}

const trades: readonly BalanceEvent[] = [
  ...['trade', 'market_liquidation', 'settlement'],
] as BalanceEvent[]

/** Accounts of the exchange are not traders: fees are their income. */
const reserved = 3
const feeAccount = 0

function checkSums({ lines }: Statement, sums: Sums): void {
  const of = (event: BalanceEvent) => lines.filter(({ row }) => row.event === event)
  for (const event of ['deposit', 'withdraw', 'withdraw_failed', 'subaccount_transfer'] as const)
    assert.equal(
      sumOf(of(event), ({ amount }) => amount),
      sums.get(event) ?? 0,
      event,
    )
  const paid = sumOf(of('withdraw_completed'), ({ pendingAmount }) => pendingAmount)
  assert.equal(paid, sums.get('withdraw_completed') ?? 0)
  assert.equal(
    sumOf(of('funding'), ({ amount }) => amount),
    sums.get('funding') ?? 0,
  )
  assert.equal(
    sumOf(lines, ({ row }) => row.fee),
    sums.get('fee') ?? 0,
  )
  for (const { row, amount } of lines)
    if (trades.includes(row.event)) assert.equal(amount, row.realized - row.fee, `${row.id}`)
}

test('a statement leads from the old to the new balances of the core by its events', () => {
  const seen = new Set<BalanceEvent>()
  let spansSeen = 0
  const unseen = () => balanceEvents.filter((event) => !seen.has(event) && event !== 'opening')
  for (let seed = 2; seed < 300 && (spansSeen <= 300 || unseen().length > 0); seed += 7) {
    const { fed, spans, addresses } = noted(seed, 700)
    for (const { from, to, sums } of spans)
      addresses.forEach((address, at) => {
        const query = { fromMs: from.atMs, toMs: to.atMs, after: null, limit: whole }
        const statement = statementOf(fed.ask('statement', address, query), whole)
        spansSeen += 1
        // Its rows are of minutes that end with the full one, which is the next statement's.
        if (at === feeAccount && (from.isHit || to.isHit)) return
        checkAgainst(statement, from.standings[at] ?? nothing, to.standings[at] ?? nothing)
        if (at >= reserved) checkSums(statement, sums.get(at + 1) ?? new Map())
        for (const { row } of statement.lines) seen.add(row.event)
      })
  }
  assert.ok(spansSeen > 300, `${spansSeen}`)
  assert.deepEqual(unseen(), [])
})

test('its pages are the statement in pieces, each adding up by itself', () => {
  const { fed, addresses, now } = noted(6, 500)
  const all = { fromMs: null, toMs: null, after: null }
  let pages = 0
  addresses.forEach((address, at) => {
    const once = statementOf(fed.ask('statement', address, { ...all, limit: whole }), whole)
    checkAgainst(once, nothing, now[at]!)
    const lines: StatementLine[] = []
    let opening = once.opening
    let after: number | null = null
    do {
      const page: Statement = statementOf(
        fed.ask('statement', address, { ...all, after, limit: 2 }),
        2,
      )
      assert.equal(page.fault, null)
      assert.deepEqual(page.opening, opening)
      lines.push(...page.lines)
      opening = page.closing
      after = page.next
      pages += 1
      if (after === null) assert.deepEqual(page.held, once.held)
    } while (after !== null)
    assert.deepEqual(lines, once.lines)
    assert.deepEqual(opening, once.closing)
  })
  assert.ok(pages > 30, `${pages}`)
})

test('where lines are not kept any more, it says that it does not add up', () => {
  const { genesis, player } = playedWorld(11, 1_200)
  const addresses = addressesOf(viewOf(player.state))
  const retention = { ...keepAll, churn: new Set(addresses), churnRows: 3, every: 8 }
  const fed = new FedStore(reservedOf(genesis), { retention }).feed(player.batches)
  const query = { fromMs: null, toMs: null, after: null, limit: whole }
  const faults = addresses.flatMap(
    (address) => statementOf(fed.ask('statement', address, query), whole).fault ?? [],
  )
  assert.match(faults[0]!, /^lines before \d+ are not kept any more$/)
})

test('payments have their ids, and a transfer its other side', () => {
  const { fed, addresses } = noted(3, 700)
  const query = { fromMs: null, toMs: null, after: null, limit: whole }
  const rows = addresses.flatMap((address) =>
    statementOf(fed.ask('statement', address, query), whole).lines.map(({ row }) => ({
      ...row,
      address,
    })),
  )
  const payments = fed.ask('payments', { seq: 0, place: 0, limit: whole })
  let found = 0
  for (const row of rows) {
    const isMoney = /^(deposit|withdraw)/.test(row.event)
    const own = payments.filter(({ seq }) => seq === row.seq)
    assert.equal(row.reference, isMoney ? (own[0]?.reference ?? null) : null)
    assert.equal(row.withdrawal, isMoney ? (own[0]?.withdrawal ?? null) : null)
    if (row.event !== 'subaccount_transfer') {
      assert.equal(row.counterparty, row.address)
      continue
    }
    const other = rows.find((each) => each.seq === row.seq && each.address !== row.address)
    assert.equal(row.counterparty, other?.address)
    found += 1
  }
  assert.ok(found > 0)
})
