import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DatabaseSync } from '@photostructure/sqlite'
import { Random } from '../../../test/programs/differential/random.ts'
import { FedStore, keepAll } from '../../../test/support/history/fed-store.ts'
import { NaiveHistory } from '../../../test/support/history/naive-history.ts'
import { Player, playedWorld, reservedOf } from '../../../test/support/history/played.ts'
import type { Event, WithdrawalId } from '../../core/index.ts'
import { orderEventNames } from '../../protocol/words.ts'
import { takeOverStore } from './store-file.ts'

const commands = 700

type World = ReturnType<typeof playedWorld>
const worlds = new Map<number, World>()
function worldOf(seed: number): World {
  const world = worlds.get(seed) ?? playedWorld(seed, commands)
  worlds.set(seed, world)
  return world
}

const naives = new Map<World, NaiveHistory>()
function naiveOf(world: World): NaiveHistory {
  const known = naives.get(world)
  if (known !== undefined) return known
  const naive = new NaiveHistory(reservedOf(world.genesis))
  for (const outcome of world.player.outcomes) naive.take(outcome)
  naives.set(world, naive)
  return naive
}

function storeOf({ genesis, player }: World, file = ':memory:'): FedStore {
  return new FedStore(reservedOf(genesis), { file }).feed(player.batches)
}

/** Steps and statuses that no order of these worlds has had. */
function unshown(chosen: readonly number[]): readonly string[] {
  const shown = new Set<string>()
  for (const { orderEvents, orders } of chosen.map((seed) => naiveOf(worldOf(seed)))) {
    for (const { event } of orderEvents) shown.add(event)
    for (const { orderType, status } of orders.values()) shown.add(`${orderType} ${status}`)
  }
  const statuses = ['market filled', 'limit rejected', 'stop_market filled', 'limit open']
  return [...orderEventNames, ...statuses].filter((name) => !shown.has(name))
}

// Worlds of the differential test: few accounts on narrow books, with every kind of command. Six of
// them, and as many more as it takes to show everything.
const seeds = [0, 2, 3, 4, 6, 8]
for (let more = 12; more < 40 && unshown(seeds).length > 0; more += 4) seeds.push(more)

/** Account, market and times of a random question, borders of time included. */
function drawn(random: Random, naive: NaiveHistory) {
  const times = naive.fills.map(({ atMs }) => atMs)
  const one = () => (times.length === 0 ? 0 : random.pick(times) + random.between(-1, 1))
  const [early, late] = [one(), one()].sort((a, b) => a - b)
  return {
    account: random.pick(naive.addresses.slice(1)),
    market: random.chance(0.5) ? null : random.between(1, 5),
    startMs: random.chance(0.5) ? null : early!,
    endMs: random.chance(0.5) ? null : late!,
    limit: random.pick([1, 3, 100, 1_000]),
  }
}

for (const seed of seeds)
  test(`pages, orders and their events are those of a plain recount: world ${seed}`, () => {
    const world = worldOf(seed)
    const naive = naiveOf(world)
    const fed = storeOf(world)
    const random = new Random(seed + 17)
    for (let n = 0; n < 150; n++) {
      const query = drawn(random, naive)
      const offset = random.pick([0, 0, 1, 7, random.below(naive.fills.length + 2)])
      const account = random.chance(0.4) ? null : query.account
      const request = { ...query, account, offset }
      assert.deepEqual(fed.ask('positionHistory', request), naive.positionHistory(request))
      const before = random.chance(0.5) ? null : random.below(naive.fills.length + 2)
      const sight = random.pick(['all', 'released', 'resting'] as const)
      const page = { ...query, before, sight }
      assert.deepEqual(fed.ask('fills', query.account, page), naive.fillPage(query.account, page))
      assert.deepEqual(fed.ask('orders', query.account, page), naive.orderPage(query.account, page))
    }
    for (const { order, account, clientOrderId } of [...naive.orders.values(), ...naive.algos]) {
      assert.deepEqual(fed.ask('orderEvents', order), naive.eventsOf(order))
      if (clientOrderId === null) continue
      for (const before of [null, order]) {
        const found: number | null =
          fed.ask('orderOfClientId', account, clientOrderId, before)[0] ?? null
        assert.equal(found, naive.ofClientId(account, clientOrderId, before))
      }
    }
    const tape = naive.trades.filter(({ market }) => market === 1).reverse()
    const always = { startMs: null, endMs: null, before: null }
    assert.deepEqual(fed.ask('trades', 1, { limit: 1_000, ...always }), tape)
    for (let n = 0; n < 30 && tape.length > 0; n++) {
      const [one, other] = [random.pick(tape).atMs, random.pick(tape).atMs]
      const startMs = random.chance(0.2) ? null : Math.min(one, other) + random.below(2)
      const endMs = random.chance(0.2) ? null : Math.max(one, other) - random.below(2)
      const limit = random.pick([1, 3, 1_000])
      const before = random.chance(0.5) ? null : random.pick(tape).history
      const within = tape.filter(
        ({ atMs, history }) =>
          atMs >= (startMs ?? 0) &&
          atMs <= (endMs ?? Number.MAX_SAFE_INTEGER) &&
          history < (before ?? Number.MAX_SAFE_INTEGER),
      )
      const query = { limit, startMs, endMs, before }
      assert.deepEqual(fed.ask('trades', 1, query), within.slice(0, limit))
    }
  })

test('the worlds show every step of an order and every status', () => {
  assert.deepEqual(unshown(seeds), [])
})

test('an account or order never seen has no rows, and a page may lie beyond the end', () => {
  const fed = storeOf(worldOf(0))
  const page = { market: null, startMs: null, endMs: null, limit: 10, before: null }
  assert.deepEqual(fed.ask('orders', 'never seen', page), [])
  assert.deepEqual(fed.ask('fills', 'never seen', page), [])
  assert.deepEqual(fed.ask('orderEvents', 999_999), [])
  assert.deepEqual(fed.ask('orderOfClientId', 'never seen', 'x'), [])
  const query = { ...page, account: null, offset: 1_000_000_000 }
  assert.deepEqual(fed.ask('positionHistory', query), [])
})

/** The first world from this seed on in which an hour ends with enough samples for a rate: which
 *  that is changes with whatever worlds are made of. */
function fundedWorld(seed: number): World {
  const world = playedWorld(seed, 1_500)
  const paid = ({ events }: { events: readonly { type: string }[] }) =>
    events.some(({ type }) => type === 'FundingPaid')
  return world.player.outcomes.some(paid) ? world : fundedWorld(seed + 1)
}

test('funding and balances are stored as they happened', () => {
  const world = fundedWorld(22)
  const naive = naiveOf(world)
  const fed = storeOf(world)
  const events = world.player.outcomes.flatMap((one) => one.events)
  const page = { limit: 1_000, before: null }
  const paid = events.filter((event) => event.type === 'FundingPaid')
  assert.ok(paid.length > 0)
  for (const [id, address] of naive.addresses.entries()) {
    const mine = paid.filter(({ account }) => account === id).map(({ payment }) => payment)
    const stored = fed.ask('fundingPayments', address, page).map(({ payment }) => payment)
    assert.deepEqual(stored, mine.reverse())
  }
  const rates = events.filter((event) => event.type === 'FundingFixed' && event.market === 1)
  assert.equal(fed.ask('fundingRates', 1, page).length, rates.length)
  const deposits = events.filter((event) => event.type === 'Deposited')
  const stored = naive.addresses.flatMap((address) => fed.ask('balances', address, page))
  const sum = (rows: readonly { amount: number }[]) =>
    rows.reduce((all, one) => all + one.amount, 0)
  assert.equal(sum(stored.filter(({ event }) => event === 'deposit')), sum(deposits))
  assert.equal(sum(stored.filter(({ event }) => event === 'subaccount_transfer')), 0)
})

test('feeding twice, and in other portions, changes nothing', () => {
  const world = worldOf(1)
  const { addresses } = naiveOf(world)
  const once = storeOf(world)
  const twice = storeOf(world).feed(world.player.batches, 1)
  const overlapping = new FedStore(reservedOf(world.genesis))
  overlapping.feed(world.player.batches.slice(0, 100), 7)
  overlapping.feed(world.player.batches.slice(40), 2)
  assert.deepEqual(twice.everything(addresses), once.everything(addresses))
  assert.deepEqual(overlapping.everything(addresses), once.everything(addresses))
})

test('a gap in the feed is refused', () => {
  const { genesis, player } = worldOf(1)
  const fed = new FedStore(reservedOf(genesis)).feed(player.batches.slice(0, 10))
  assert.throws(() => fed.feed(player.batches.slice(11)), /gap/)
})

/** Plays the first part, a snapshot, some of what follows, a revert, and then all that follows. */
function revertedWorld({ genesis, steps }: World, at: number, gone: number) {
  const player = new Player(genesis, 5)
  for (const step of steps.slice(0, at)) player.play(step)
  player.snapshot('there')
  for (const step of steps.slice(at, at + gone)) player.play(step)
  player.revert('there')
  for (const step of steps.slice(at)) player.play(step)
  return player
}

/** The journal's seq keeps growing over a revert; everything else repeats. */
function withoutSeq(everything: ReturnType<FedStore['everything']>) {
  const drop = <T extends { seq: number }>(rows: readonly T[]) =>
    rows.map((row) => ({ ...row, seq: 0 }))
  const { fills, trades, balances, twaps, payments } = everything
  return {
    ...everything,
    fills: drop(fills),
    trades: drop(trades),
    balances: balances.map(drop),
    twaps: twaps.map(drop),
    payments: payments.map((rows) => drop(rows).map((row) => ({ ...row, fixedSeq: 0 }))),
  }
}

for (const seed of [0, 2, 6])
  test(`after a revert all is as if the reverted part had never been: world ${seed}`, () => {
    const world = worldOf(seed)
    const { addresses } = naiveOf(world)
    const expected = withoutSeq(storeOf(world).everything(addresses))
    for (const [at, gone] of [
      [250, 200],
      [60, 500],
      [400, 0],
    ] as const) {
      const player = revertedWorld(world, at, gone)
      const fed = new FedStore(reservedOf(world.genesis)).feed(player.batches)
      assert.deepEqual(withoutSeq(fed.everything(addresses)), expected)
      assert.equal(fed.store.seq, player.lastSeq)
      // Counts went back too: every offset finds its row.
      const naive = naiveOf(world)
      for (let offset = 0; offset < naive.fills.length; offset += 13) {
        const query = { account: null, market: null, startMs: null, endMs: null, limit: 1, offset }
        const [found] = fed.ask('positionHistory', query)
        assert.equal(found?.history, naive.positionHistory(query)[0]?.history)
      }
    }
  })

test('operator actions survive a revert', () => {
  const { genesis, steps } = worldOf(0)
  const player = new Player(genesis, 5)
  const by = { who: 'ann', why: 'a test' }
  for (const step of steps.slice(0, 20)) player.play(step)
  player.snapshot('there')
  player.play({ ...steps[19]!, command: { type: 'Tick' } }, by)
  player.play({ ...steps[19]!, command: { type: 'SetExchangeMode', mode: 'halted' } }, by)
  const unknown = { type: 'CompleteWithdrawal', withdrawal: 999 as WithdrawalId } as const
  player.play({ ...steps[19]!, command: unknown }, by)
  player.revert('there', by)
  const fed = new FedStore(reservedOf(genesis)).feed(player.batches).feed(player.batches)
  const [revert, refused, halt, ...more] = fed.ask('operatorActions', { limit: 10, before: null })
  assert.deepEqual(more, [])
  assert.deepEqual(revert, {
    ...{ seq: player.lastSeq, atMs: steps[19]!.atMs, ...by },
    ...{ what: 'revert', command: '{"id":"there"}', rejection: null },
  })
  const { what, rejection } = refused!
  assert.deepEqual([what, rejection], ['CompleteWithdrawal', 'WITHDRAWAL_NOT_FOUND'])
  assert.equal(halt!.command, '{"type":"SetExchangeMode","mode":"halted"}')
  assert.equal(halt!.rejection, null)
  assert.deepEqual(fed.ask('operatorActions', { limit: 10, before: refused!.seq }), [halt])
})

test('a revert to a snapshot of a past that is no more is refused', () => {
  const { genesis, steps } = worldOf(0)
  const player = new Player(genesis, 5)
  for (const step of steps.slice(0, 40)) player.play(step)
  player.snapshot('first')
  player.snapshot('second')
  player.revert('first')
  player.revert('second')
  const fed = new FedStore(reservedOf(genesis))
  assert.throws(() => fed.feed(player.batches), /second/)
})

test('a store continues after a restart at any point', () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    const world = worldOf(6)
    const { addresses } = naiveOf(world)
    const player = revertedWorld(world, 300, 100)
    const reserved = reservedOf(world.genesis)
    const expected = new FedStore(reserved).feed(player.batches).everything(addresses)
    const file = join(folder, 'history.db')
    for (let first = 0; first < player.batches.length; first += 29) {
      const fed = new FedStore(reserved, { file }).feed(player.batches.slice(first, first + 29), 5)
      fed.store.close()
    }
    const fed = new FedStore(reserved, { file })
    assert.deepEqual(fed.everything(addresses), expected)
    fed.store.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a store of another exchange, ahead of the journal or unreadable is rebuilt', () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    const { genesis, player } = worldOf(0)
    const reserved = reservedOf(genesis)
    const file = join(folder, 'history.db')
    const opened = (change: object) => {
      const { store } = new FedStore(reserved, { file, ...change })
      store.close()
      return store.seq
    }
    const fill = () => new FedStore(reserved, { file }).feed(player.batches).store.close()
    fill()
    assert.equal(opened({}), player.lastSeq)
    assert.equal(opened({ journalSeq: player.lastSeq }), player.lastSeq)
    assert.equal(opened({ journalSeq: player.lastSeq - 1 }), 0)
    fill()
    assert.equal(opened({ exchange: 'another' }), 0)
    writeFileSync(file, 'not a database at all, but long enough to be taken for one'.repeat(99))
    assert.equal(opened({}), 0)
    fill()
    assert.equal(opened({}), player.lastSeq)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a store held by a paused process continues as a copy with all rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    const { genesis, player } = worldOf(0)
    const reserved = reservedOf(genesis)
    const file = join(folder, 'history.db')
    const half = player.batches.length >> 1
    new FedStore(reserved, { file }).feed(player.batches.slice(0, half)).store.close()
    const paused = new DatabaseSync(file)
    paused.exec('BEGIN IMMEDIATE; UPDATE progress SET seq = 1')
    await takeOverStore(folder)
    const fed = new FedStore(reserved, { file })
    const reached = player.batches[half - 1]!.outcomes.at(-1)!.seq
    assert.equal(fed.store.seq, reached, 'what was committed is there, and no more')
    fed.feed(player.batches.slice(half))
    paused.exec('COMMIT')
    paused.close()
    fed.store.close()
    const again = new FedStore(reserved, { file })
    assert.equal(again.store.seq, player.lastSeq)
    again.store.close()
    assert.ok(readdirSync(folder).every((name) => !name.endsWith('.copy')))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('only the newest rows of bots stay, all of others; offsets count remaining rows', () => {
  // A world in which the busiest account has more rows than stay.
  const isTrade = ({ type }: Event) => type === 'Traded'
  const rowsOf = ({ player }: World) =>
    player.outcomes.flatMap(({ events }) => events).filter(isTrade).length
  const world = [...worlds.values()].sort((a, b) => rowsOf(b) - rowsOf(a))[0] ?? worldOf(0)
  const { genesis, player } = world
  const all = naiveOf(world)
  const busiest = (address: string) => all.fills.filter(({ account }) => account === address).length
  const ranked = all.addresses.slice(1).sort((a, b) => busiest(b) - busiest(a))
  // The busier half, so that it does not matter what a drawn world has.
  const churn = new Set(ranked.slice(0, Math.ceil(ranked.length / 2)))
  const churnRows = Math.min(20, Math.floor(busiest(ranked[0]!) / 2))
  const retention = { ...keepAll, churn, churnRows, every: 64 }
  const naive = new NaiveHistory(reservedOf(genesis), retention)
  for (const outcome of player.outcomes) naive.take(outcome)
  assert.ok(naive.fills.length < all.fills.length)
  assert.ok(naive.orders.size < all.orders.size)
  for (const together of [1, 50]) {
    const fed = new FedStore(reservedOf(genesis), { retention }).feed(player.batches, together)
    const random = new Random(3)
    for (let n = 0; n < 150; n++) {
      const query = drawn(random, naive)
      const account = random.chance(0.5) ? null : query.account
      const request = { ...query, account, offset: random.below(naive.fills.length + 2) }
      assert.deepEqual(fed.ask('positionHistory', request), naive.positionHistory(request))
      const page = { ...query, before: null }
      assert.deepEqual(fed.ask('orders', query.account, page), naive.orderPage(query.account, page))
    }
    for (const { order } of all.orders.values())
      assert.deepEqual(fed.ask('orderEvents', order), naive.eventsOf(order))
  }
})

test('rows that a snapshot would bring back are not pruned', () => {
  const world = worldOf(0)
  const { addresses } = naiveOf(world)
  const reserved = reservedOf(world.genesis)
  const retention = { churn: new Set(addresses), churnRows: 5, trades: 5, every: 16 }
  const player = new Player(world.genesis, 5)
  for (const step of world.steps.slice(0, 300)) player.play(step)
  player.snapshot('there')
  const saved = new FedStore(reserved, { retention }).feed(player.batches).everything(addresses)
  for (const step of world.steps.slice(300)) player.play(step)
  player.revert('there')
  const fed = new FedStore(reserved, { retention }).feed(player.batches)
  assert.deepEqual(fed.everything(addresses), saved)
})
