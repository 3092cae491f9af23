import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FedStore, keepAll } from '../../../test/support/history/fed-store.ts'
import { Player, playedWorld, reservedOf } from '../../../test/support/history/played.ts'
import { type ExchangeView, viewOf } from '../../core/index.ts'
import { type BalanceEvent, balanceEvents } from '../../protocol/words.ts'
import { addressesOf, openingOf } from '../opening.ts'

const all = { limit: 1e9, before: null }

/** Balance and open profit at mark, cross and isolated together, from the core's own records. */
function equityOf({ accounts, positions, markets }: ExchangeView, account: number): number {
  let equity: number = accounts.balanceOf(account)
  for (const { id, lotValue } of markets.all()) {
    const held = positions.holdingOf(account, id)
    if (held !== null) equity += held.wallet + held.lots * lotValue - held.cost
  }
  return equity
}

/** The newest row of each account says what the core says, and so does its equity. */
function checkNewest(fed: FedStore, view: ExchangeView, withEquity = true): void {
  const { accounts } = view
  addressesOf(view).forEach((address, index) => {
    const account = index + 1
    const row = fed.ask('balances', address, { limit: 1, before: null })[0]
    const booked = [row?.balance ?? 0, row?.pending ?? 0]
    assert.deepEqual(booked, [accounts.balanceOf(account), accounts.pendingOf(account)], address)
    if (!withEquity || view.atMs % 60_000 === 0) return
    const now = { startMs: view.atMs, endMs: view.atMs, stepMs: 60_000 }
    const point = fed.ask('equity', address, now).at(-1)
    assert.equal(point?.equity ?? 0, equityOf(view, account))
  })
}

/** Each row continues the one before it, from nothing on. */
function checkChain(fed: FedStore, view: ExchangeView, seen: Set<BalanceEvent>): void {
  for (const address of addressesOf(view)) {
    const rows = fed.ask('balances', address, all)
    rows.forEach((row, at) => {
      seen.add(row.event)
      const before = rows[at + 1]?.balance ?? 0
      assert.equal(row.balance, before + row.amount, JSON.stringify(row))
    })
  }
}

// Worlds in which accounts are liquidated, taken over and deleveraged, isolated ones too.
test('rows add up to every balance after every command, and give equity too', () => {
  const seen = new Set<BalanceEvent>(['opening'])
  const missing = () => balanceEvents.filter((event) => !seen.has(event))
  for (let seed = 1; seed <= 4 || (seed <= 60 && missing().length > 0); seed++) {
    const { genesis, steps } = playedWorld(seed, 700)
    const player = new Player(genesis, seed)
    const fed = new FedStore(reservedOf(genesis))
    steps.forEach((step, index) => {
      player.play(step)
      fed.feed([{ timeline: 0, outcomes: [player.batches.at(-1)!.outcomes.at(-1)!] }])
      checkNewest(fed, viewOf(player.state), index % 5 === 0)
    })
    checkChain(fed, viewOf(player.state), seen)
  }
  assert.deepEqual(missing(), [])
})

test('a history that begins in the middle continues from the balances of accounts', () => {
  for (const seed of [0, 3, 6]) {
    const { genesis, steps } = playedWorld(seed, 700)
    const player = new Player(genesis, seed)
    for (const step of steps.slice(0, 350)) player.play(step)
    const view = viewOf(player.state)
    const fed = new FedStore(addressesOf(view), {
      fromSeq: player.lastSeq,
      opening: openingOf(view),
    })
    for (const step of steps.slice(350)) {
      player.play(step)
      fed.feed([{ timeline: 0, outcomes: [player.batches.at(-1)!.outcomes.at(-1)!] }])
    }
    addressesOf(view).forEach((address, index) => {
      const account = index + 1
      const [row] = fed.ask('balances', address, all)
      if (row !== undefined) assert.equal(row.balance, view.accounts.balanceOf(account))
      const at = view.atMs + 1
      const point = fed.ask('equity', address, { startMs: at, endMs: at, stepMs: 1_000 }).at(-1)
      assert.equal(point?.equity ?? 0, equityOf(view, account))
    })
  }
})

test('of a bot only the newest rows stay; its balance and equity are right all the same', () => {
  const { genesis, player } = playedWorld(11, 1_200)
  const retention = {
    ...keepAll,
    churn: new Set(addressesOf(viewOf(player.state))),
    churnRows: 3,
    every: 8,
  }
  const reserved = reservedOf(genesis)
  const fed = new FedStore(reserved, { retention }).feed(player.batches)
  const whole = new FedStore(reserved).feed(player.batches)
  const count = (store: FedStore) =>
    addressesOf(viewOf(player.state)).flatMap((address) => store.ask('balances', address, all))
      .length
  assert.ok(count(fed) < count(whole))
  checkNewest(fed, viewOf(player.state))
})

test('past equity is that of its time', () => {
  const { genesis, steps } = playedWorld(7, 1_200)
  const player = new Player(genesis, 7)
  const fed = new FedStore(reservedOf(genesis))
  const known: { address: string; atMs: number; equity: number }[] = []
  let points = 0
  for (const step of steps) {
    const view = viewOf(player.state)
    // Just before a minute that nothing has happened in yet: its mark is the last one.
    const minute = Math.ceil(view.atMs / 60_000) * 60_000
    if (step.atMs > minute && minute > 0)
      addressesOf(view).forEach((address, index) => {
        known.push({ address, atMs: minute, equity: equityOf(view, index + 1) })
      })
    player.play(step)
  }
  fed.feed(player.batches)
  for (const { address, atMs, equity } of known) {
    const curve = fed.ask('equity', address, { startMs: atMs, endMs: atMs + 1, stepMs: 60_000 })
    const [point] = curve
    if (point?.atMs !== atMs) continue
    points += 1
    assert.equal(point.equity, equity, `${address} at ${atMs}`)
  }
  assert.ok(points > 100, `${points}`)
})
