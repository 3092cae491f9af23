// Invariants that must hold between any two commands, recomputed from scratch
// (docs/rules/invariants.md). Slow on purpose: it shares no sums with the engine. An empty list
// means that all invariants hold.

import { levelsOf } from './book/book.ts'
import type { BookSide } from './book/book-side.ts'
import { clientIdKey } from './drafts/client-ids.ts'
import { DEFICIT, FEES, INSURANCE } from './pools/account-pool.ts'
import { EXPIRES, GOES_ON, REDUCE_ONLY, RESTING, WAITING } from './pools/order-pool.ts'
import { healthOf, isHealthy, scopeOfRow } from './solvency/scope.ts'
import { type Algo, rests } from './state/algo.ts'
import type { Market } from './state/market.ts'
import type { State } from './state/state.ts'
import { STOP } from './state/trigger-kinds.ts'

export function checkInvariants(state: State): string[] {
  const breaches: string[] = []
  const check = (ok: boolean, what: string): void => {
    if (!ok) breaches.push(what)
  }
  checkMoney(state, check)
  for (const market of state.markets) {
    if (market === undefined) continue
    checkLots(state, market, check)
    checkBook(state, market, check)
    checkIndex(state, market, check)
  }
  checkOrders(state, check)
  checkSums(state, check)
  checkNames(state, check)
  return breaches
}

type Check = (ok: boolean, what: string) => void

/** 1: every micro-dollar is accounted for, and only the deficit account has a negative balance. */
function checkMoney(state: State, check: Check): void {
  const { accounts, positions } = state
  let held = 0n
  for (let account = 1; account <= accounts.count; account++)
    held += BigInt(accounts.balance[account]!) + BigInt(accounts.pending[account]!)
  for (let row = 1; row <= positions.count; row++)
    held += BigInt(positions.wallet[row]!) - BigInt(positions.cost[row]!)
  for (const market of state.markets) held += BigInt(market?.pool ?? 0)
  const due = BigInt(state.deposits) - BigInt(state.withdrawn)
  check(held === due, `1 money: ${held} held, ${due} due`)
  let pending = 0
  for (const { amount } of state.withdrawals.values()) pending += amount
  let booked = 0
  for (let account = 1; account <= accounts.count; account++) booked += accounts.pending[account]!
  check(pending === booked, `1 money: ${booked} pending, ${pending} in withdrawals`)
  const cross = new Set<number>()
  for (let row = 1; row <= positions.count; row++)
    if (positions.lots[row] !== 0 && positions.isolated[row] === 0)
      cross.add(positions.account[row]!)
  for (let account = 1; account <= accounts.count; account++)
    check(
      account === DEFICIT || cross.has(account) || accounts.balance[account]! >= 0,
      `1 money: account ${account} owes ${-accounts.balance[account]!} without a position`,
    )
  check(accounts.balance[FEES]! >= 0, `1 money: fee account ${accounts.balance[FEES]}`)
  check(accounts.balance[INSURANCE]! >= 0, `1 money: insurance fund ${accounts.balance[INSURANCE]}`)
  check(accounts.balance[DEFICIT]! <= 0, `1 money: deficit ${accounts.balance[DEFICIT]}`)
}

/** 2: long lots equal short lots. */
function checkLots(state: State, market: Market, check: Check): void {
  const { positions } = state
  let sum = 0
  let interest = 0
  for (const row of market.rowOf) {
    const lots = positions.lots[row]!
    sum += lots
    if (lots > 0) interest += lots
    check(lots !== 0 || positions.cost[row] === 0, `2 lots: cost without lots, row ${row}`)
    const flatWallet = lots === 0 && positions.wallet[row] !== 0
    check(!flatWallet, `2 lots: wallet ${positions.wallet[row]} without lots, row ${row}`)
  }
  check(sum === 0, `2 lots: market ${market.id} sums to ${sum}`)
  check(
    interest === market.openInterest,
    `2 lots: market ${market.id} open interest ${market.openInterest}, recomputed ${interest}`,
  )
}

/** 3: the book is not crossed, levels are sorted, their sizes are sums, and FIFOs are linked both
 *  ways. */
function checkBook(state: State, market: Market, check: Check): void {
  const bid = market.bids.bestPrice
  const ask = market.asks.bestPrice
  check(bid === 0 || ask === 0 || bid < ask, `3 book: market ${market.id} crossed ${bid} ${ask}`)
  for (const side of [market.bids, market.asks]) checkSide(state, market, side, check)
}

function checkSide(state: State, market: Market, side: BookSide, check: Check): void {
  const { levels, orders } = state
  const found = levelsOf(state, side)
  const best = found.length === 0 ? 0 : levels.price[found[0]!]
  check(side.bestPrice === best, `3 book: best price of market ${market.id}`)
  check(side.count === found.length, `3 book: number of levels of market ${market.id}`)
  let better = 0
  for (const level of found) {
    const price = levels.price[level]!
    const where = `market ${market.id} price ${price}`
    const sorted = better === 0 || (levels.price[better]! - price) * side.sign > 0
    check(sorted && levels.better[level] === better, `3 book: order of ${where}`)
    check(side.levelOf(levels, price) === level, `3 book: ${where} is not found`)
    better = level
    let lots = 0
    let count = 0
    let plain = 0
    let before = 0
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
      const fits =
        orders.stage(slot) === RESTING &&
        orders.level(slot) === level &&
        orders.price(slot) === price &&
        orders.market(slot) === market.id &&
        orders.levelPrev(slot) === before &&
        (orders.side(slot) === 0 ? 1 : -1) === side.sign
      check(fits, `3 book: order ${orders.id(slot)} in ${where}`)
      lots += orders.remaining(slot)
      count += 1
      if ((orders.flags(slot) & REDUCE_ONLY) === 0) plain += orders.remaining(slot)
      before = slot
    }
    check(
      lots === levels.lots[level],
      `3 book: ${where} has ${lots} lots, says ${levels.lots[level]}`,
    )
    check(count === levels.count[level] && count > 0, `3 book: ${where} has ${count} orders`)
    check(plain === levels.plainLots[level], `3 book: ${where} has ${plain} plain lots`)
  }
}

/** 4: every order is in one book and one account and has lots left, and no order is lost. */
function checkOrders(state: State, check: Check): void {
  const { orders, positions } = state
  const inRows = new Set<number>()
  for (let row = 1; row <= positions.count; row++) {
    let last = 0
    for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot)) {
      check(orders.position(slot) === row, `4 orders: ${orders.id(slot)} in another row's list`)
      check(orders.id(slot) > last, `4 orders: ${orders.id(slot)} out of order`)
      last = orders.id(slot)
      inRows.add(slot)
    }
  }
  let live = 0
  let expiring = 0
  for (let slot = 1; slot <= orders.used; slot++) {
    const id = orders.id(slot)
    if (id === 0) continue
    live += 1
    if ((orders.flags(slot) & EXPIRES) !== 0) expiring += 1
    const stage = orders.stage(slot)
    const filled = orders.size(slot) - orders.remaining(slot) - orders.cancelled(slot)
    check(inRows.has(slot), `4 orders: ${id} in no account`)
    check(orders.slotOf(id) === slot, `4 orders: ${id} not found by id`)
    check(stage === RESTING || stage === WAITING, `4 orders: ${id} in stage ${stage}`)
    const isKnown = state.markets[orders.market(slot)]!.waiting.whatFor(id) >= 0
    check((stage === WAITING) === isKnown, `4 orders: ${id} and what it waits for`)
    const goesOn = (orders.flags(slot) & GOES_ON) !== 0
    check(goesOn === (state.goingOn.get(id) !== undefined), `4 orders: ${id} goes on`)
    check((stage === RESTING) === (orders.level(slot) !== 0), `4 orders: ${id} and its level`)
    check(orders.remaining(slot) > 0 && filled >= 0, `4 orders: sizes of ${id}`)
  }
  check(live === inRows.size, `4 orders: ${live} live, ${inRows.size} in accounts`)
  for (const { expireTime } of [...state.triggers.values(), ...state.algos.values()])
    if (expireTime !== null) expiring += 1
  const { size } = state.expiries
  check(expiring === size, `4 orders: ${expiring} end at a time, ${size} times are kept`)
  for (const algo of state.algos.values()) checkAlgo(state, algo, check)
}

/** 5: the sums of a row and the counters of an account equal their recomputation. */
function checkSums(state: State, check: Check): void {
  const { orders, positions, accounts } = state
  const open = new Map<number, number>()
  for (let row = 1; row <= positions.count; row++) {
    let buys = 0
    let sells = 0
    let losses = 0
    let count = 0
    let reduceOnly = 0
    for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot)) {
      count += 1
      if ((orders.flags(slot) & REDUCE_ONLY) !== 0) {
        reduceOnly += 1
        const opposed = -positions.lots[row]! * (orders.side(slot) === 0 ? 1 : -1)
        check(orders.remaining(slot) <= opposed, `6 reduce-only: order ${orders.id(slot)}`)
        continue
      }
      if (orders.side(slot) === 0) buys += orders.remaining(slot)
      else sells += orders.remaining(slot)
      losses += orders.remaining(slot) * orders.lossTicks(slot)
    }
    const same =
      buys === positions.buys[row] &&
      sells === positions.sells[row] &&
      losses === positions.losses[row] &&
      count === positions.orderCount[row] &&
      reduceOnly === positions.reduceOnlyCount[row]
    check(same, `5 sums: row ${row} of account ${positions.account[row]}`)
    const account = positions.account[row]!
    open.set(account, (open.get(account) ?? 0) + count)
  }
  const stops = new Map<number, number>()
  for (const { account, kind } of state.triggers.values()) {
    open.set(account, (open.get(account) ?? 0) + 1)
    if (kind === STOP) stops.set(account, (stops.get(account) ?? 0) + 1)
  }
  for (let account = 1; account <= accounts.count; account++) {
    check(accounts.openCount[account] === (open.get(account) ?? 0), `5 sums: orders of ${account}`)
    check(accounts.stopCount[account] === (stops.get(account) ?? 0), `5 sums: stops of ${account}`)
  }
}

/** 5: a scope that the liquidation index treats as safe is safe, except for accounts that are
 *  updated before the next price. */
function checkIndex(state: State, market: Market, check: Check): void {
  const reached = new Set([
    ...market.longs.reached(market.mark),
    ...market.shorts.reached(market.mark),
  ])
  const dirty = new Set(state.dirty.subarray(0, state.dirtyCount))
  for (const row of market.rowOf) {
    if (row === 0 || state.positions.lots[row] === 0 || reached.has(row)) continue
    if (dirty.has(state.positions.account[row]!)) continue
    const scope = scopeOfRow(state, row)
    if (state.accounts.reserved[scope.account] === 1 || market.settled) continue
    check(isHealthy(healthOf(state, scope)), `5 index: row ${row} is unhealthy and not reached`)
  }
}

function checkAlgo({ orders }: State, algo: Algo, check: Check): void {
  const { id, filled, size } = algo
  const lots = algo.orders.map((order) => orders.remaining(orders.slotOf(order)))
  const alive = algo.orders.every((order) => orders.parent(orders.slotOf(order)) === id)
  check(alive && (!rests(algo) || lots.length < 2), `4 orders: those of algo ${id}`)
  const planned = filled + lots.reduce((sum, each) => sum + each, 0)
  check(planned <= size, `4 orders: algo ${id} has ${planned} of ${size}`)
}

/** 10: a client id names one open order of its account. */
function checkNames(state: State, check: Check): void {
  for (const [id, text] of state.clientIds) {
    const slot = state.orders.slotOf(id)
    const other = state.triggers.get(id) ?? state.algos.get(id)
    const account = slot !== 0 ? state.orders.account(slot) : (other?.account ?? 0)
    const named = state.accounts.records[account]?.clientIds?.get(clientIdKey(text))
    check(named === id, `10 names: client id of order ${id}`)
  }
}
