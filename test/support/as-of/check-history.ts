// Every row of history says what was so at the place in history that it names.

import assert from 'node:assert/strict'
import type { ExchangeView } from '../../../src/core/index.ts'
import { FEES } from '../../../src/core/pools/account-pool.ts'
import type { FedStore } from '../history/fed-store.ts'
import type { NaiveHistory } from '../history/naive-history.ts'
import type { Stepped } from './check-frames.ts'
import type { Moment } from './moment.ts'

const all = { limit: 1e9, before: null }
const page = { ...all, market: null, startMs: null, endMs: null }

export class HistoryChecks {
  private readonly fed: FedStore
  private readonly naive: NaiveHistory
  /** The newest row of each account's ledger that was looked at. */
  private readonly seen = new Map<string, number>()
  private fills = 0
  private payments = 0

  constructor(fed: FedStore, naive: NaiveHistory) {
    this.fed = fed
    this.naive = naive
  }

  /** After a batch. */
  check(stepped: Stepped): void {
    const { view } = stepped
    const bySeq = new Map(stepped.moments.map((moment) => [moment.seq, moment]))
    for (let account = 1; account <= view.accounts.count; account++)
      this.checkLedger(account, view, bySeq)
    this.checkFills(bySeq)
    this.checkOrders(stepped)
    this.checkFunding(stepped)
    this.checkTwaps(stepped)
  }

  /** Each row continues the one before; the last of a command is what the core had after it. */
  private checkLedger(
    account: number,
    view: ExchangeView,
    moments: ReadonlyMap<number, Moment>,
  ): void {
    const address = view.accounts.addressOf(account)
    const [newest] = this.fed.ask('balances', address, { limit: 1, before: null })
    const shown = [newest?.balance ?? 0, newest?.pending ?? 0]
    const has = [view.accounts.balanceOf(account), view.accounts.pendingOf(account)]
    assert.deepEqual(shown, has, `newest row of ${address}`)
    const from = this.seen.get(address) ?? 0
    if (newest === undefined || (newest.id === from && account !== FEES)) return
    // Ids go through all ledgers.
    const limit = newest.id - from + 2
    const rows = this.fed.ask('balances', address, { limit, before: null }).reverse()
    rows.forEach((row, at) => {
      if (row.id <= from) return
      const before = rows[at - 1]
      // The fee account has a row a minute, which grows.
      if (before !== undefined)
        assert.equal(row.balance, before.balance + row.amount, `row ${row.id} of ${address}`)
      if (rows[at + 1]?.seq === row.seq) return
      const moment = moments.get(row.seq)
      if (moment === undefined && account === FEES) return
      assert.equal(row.balance, moment!.balance[account], `row ${row.id} of ${address}`)
      assert.equal(row.pending, moment!.pending[account], `row ${row.id} of ${address}`)
      if (account !== FEES) assert.equal(row.atMs, moment!.atMs)
    })
    this.seen.set(address, newest.id)
    const { atMs } = view
    // A full minute ends the one before it.
    if (atMs % 60_000 === 0) return
    const point = this.fed.ask('equity', address, { startMs: atMs, endMs: atMs, stepMs: 60_000 })
    const equity = equityOf(view, account)
    assert.equal(point.at(-1)?.equity, equity, `equity of ${address} at ${atMs}`)
  }

  private checkFills(moments: ReadonlyMap<number, Moment>): void {
    const fresh = this.naive.fills.slice(this.fills)
    this.fills = this.naive.fills.length
    const query = { account: null, market: null, startMs: null, endMs: null, offset: 0 }
    const limit = fresh.length
    const rows = limit === 0 ? [] : this.fed.ask('positionHistory', { ...query, limit }).reverse()
    assert.deepEqual(rows, fresh)
    // What an opening part says of its position is what the core has, if it was its last.
    const last = new Map(rows.map((row) => [`${row.seq} ${row.account} ${row.market}`, row]))
    for (const { seq, account, market, kind, entryLots, entryCost } of last.values()) {
      if (!kind.startsWith('open')) continue
      const held = moments.get(seq)!.position(this.naive.addresses.indexOf(account), market)
      assert.deepEqual([entryLots, entryCost], [held.lots, held.cost], `fill at ${seq}`)
    }
  }

  private checkOrders({ steps, view }: Stepped): void {
    const touched = new Set([...steps.values()].flatMap((each) => each.map(({ order }) => order)))
    for (const order of touched) {
      assert.deepEqual(this.fed.ask('orderEvents', order), this.naive.eventsOf(order))
      const { account, reason: _, ...row } = this.naive.orders.get(order)!
      const open = view.orders
        .openOf(view.accounts.idOf(account))
        .find((each) => each.order === order)
      const isOpen = row.status === 'open' || row.status === 'partially_filled'
      assert.equal(open !== undefined, isOpen, `order ${order}`)
      if (open === undefined || open.isWhole) continue
      const { filledLots, cancelledLots, price, initialLots } = row
      assert.deepEqual(
        { filledLots, cancelledLots, price, initialLots },
        {
          filledLots: open.filledLots,
          cancelledLots: open.cancelledLots,
          // The limit of a triggered order follows the mark, without an event (TRIG-3).
          price: open.goesOn ? price : open.price,
          initialLots: open.initialLots,
        },
        `order ${order}`,
      )
    }
  }

  private checkFunding({ moments }: Stepped): void {
    const paid = moments.flatMap(({ events, atMs, seq }) =>
      events.flatMap((event) => (event.type === 'FundingPaid' ? [{ ...event, atMs, seq }] : [])),
    )
    for (const { account, market, epoch, lots, payment, atMs, seq } of paid) {
      this.payments += 1
      const id = this.payments
      const address = this.naive.addresses[account]!
      const [row] = this.fed.ask('fundingPayments', address, { limit: 1, before: id + 1 })
      const { rate: _, fixedSeq: __, ...shown } = row!
      const expected = { id, seq, atMs, account: address, market, epoch, lots, payment }
      assert.deepEqual(shown, expected)
    }
  }

  private checkTwaps({ moments, view }: Stepped): void {
    const twaps = moments.at(-1)!.twaps
    if (twaps.size === 0) return
    for (let account = 1; account <= view.accounts.count; account++)
      for (const row of this.fed.ask('twaps', view.accounts.addressOf(account), page)) {
        const twap = twaps.get(row.order)
        if (twap === undefined) continue
        const { filledLots: filled, filledValue: value, past: done } = row
        assert.deepEqual({ filled, value, done }, twap, `TWAP ${row.order}`)
      }
  }
}

/** Balance, wallets and open profit at mark, on record. */
function equityOf({ accounts, markets, positions }: ExchangeView, account: number): number {
  let equity: number = accounts.balanceOf(account)
  for (const { id, lotValue } of markets.all()) {
    const held = positions.holdingOf(account, id)
    if (held !== null) equity += held.wallet + held.lots * lotValue - held.cost
  }
  return equity
}
