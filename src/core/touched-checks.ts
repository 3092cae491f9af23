// Checks that are too expensive for every step. The running exchange runs them on a sample of
// commands, and tests run them after every command. They cover the account and the market that a
// command names, or otherwise those whose turn it is. They only read, and the selection depends
// only on the command and its seq, so a replay checks the same. invariants.ts checks everything.

import { broken } from '../units/invariant.ts'
import { divFloor } from '../units/rounding.ts'
import type { BookSide } from './book/book-side.ts'
import type { Command } from './commands/commands.ts'
import { DEFICIT, FEES, INSURANCE } from './pools/account-pool.ts'
import { REDUCE_ONLY, RESTING, WAITING } from './pools/order-pool.ts'
import type { LiquidationIndex } from './queues/liquidation-index.ts'
import type { Market } from './state/market.ts'
import type { State } from './state/state.ts'

/** The engine checks after one command in 16,384, which costs less than 0.5 %. A power of two. */
export const checkedEvery = 16_384

/** Every eighth check sums the lots of a market, which visits every account. */
const lotsEvery = 8

/** Maximum levels of a side, orders of a level or of a row, and accounts of a market that one check
 *  visits, so that a command stays short. */
const levelsChecked = 2
const ordersChecked = 64
const accountsChecked = 16_384

export function checkTouched(state: State, command: Command): void {
  const { accounts, markets, seq } = state
  const turn = divFloor(seq, checkedEvery)
  const account = 'account' in command ? command.account : 0
  const market = 'market' in command ? (command.market ?? 0) : 0
  checkReserves(state)
  checkAccount(state, pick(account, accounts.count, turn))
  if (markets.length > 1) checkMarket(state, markets[pick(market, markets.length - 1, turn)]!)
}

/** Returns the named item if it exists, otherwise the next in rotation. */
function pick(named: number, count: number, turn: number): number {
  const isThere = Number.isSafeInteger(named) && named >= 1 && named <= count
  return isThere ? named : 1 + (turn % count)
}

function checkReserves({ accounts: { balance } }: State): void {
  if (!(balance[FEES]! >= 0)) broken('the fee account owes', balance[FEES]!)
  if (!(balance[INSURANCE]! >= 0)) broken('the insurance fund owes', balance[INSURANCE]!)
  if (!(balance[DEFICIT]! <= 0)) broken('the deficit account has money', balance[DEFICIT]!)
}

/** Whether a value is a safe integer and not −0, which would be read back as a different number. */
function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0)
}

function checkAccount(state: State, account: number): void {
  const { accounts, positions } = state
  const balance = accounts.balance[account]!
  const pending = accounts.pending[account]!
  if (!isWhole(balance)) broken('a balance is not a whole number', balance)
  if (!isWhole(pending) || pending < 0)
    broken('what is pending is below zero or no number', pending)
  let open = accounts.records[account]!.stops?.size ?? 0
  let holds = false
  let last = 0
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
    const market = positions.market[row]!
    if (market <= last) broken('the rows of an account are not in the order of markets', market)
    last = market
    if (state.markets[market]!.rowOf[account] !== row)
      broken('a market does not know the row of an account', row)
    checkPosition(state, row)
    if (positions.orderCount[row]! <= ordersChecked) checkOrders(state, row)
    open += positions.orderCount[row]!
    holds ||= positions.lots[row] !== 0 && positions.isolated[row] === 0
  }
  if (open !== accounts.openCount[account])
    broken('an account has another number of orders than it counts', open)
  if (balance < 0 && !holds && account !== DEFICIT)
    broken('an account owes without a position', balance)
}

function checkPosition(state: State, row: number): void {
  const { accounts, positions, markets } = state
  const lots = positions.lots[row]!
  const cost = positions.cost[row]!
  const wallet = positions.wallet[row]!
  if (!isWhole(lots)) broken('the lots of a position are not a whole number', lots)
  if (!isWhole(cost)) broken('the cost of a position is not a whole number', cost)
  if (!isWhole(wallet)) broken('the wallet of a position is not a whole number', wallet)
  if (positions.isolated[row] === 0 && wallet !== 0) broken('a cross position has a wallet', wallet)
  if (lots === 0 && cost !== 0) broken('a cost is left without a position', cost)
  if (lots === 0 && wallet !== 0) broken('a wallet is left without a position', wallet)
  if (lots > 0 ? cost < 0 : cost > 0) broken('a cost is on the wrong side of its position', cost)
  const account = positions.account[row]!
  if (accounts.reserved[account] === 1 || accounts.dirty[account] === 1) return
  const market = markets[positions.market[row]!]!
  const place = positions.indexPlace[row]!
  if (Math.sign(place) !== Math.sign(lots))
    broken('a position is not in the liquidation index of its side, row', row)
  if (place !== 0) checkPlace(place > 0 ? market.longs : market.shorts, Math.abs(place) - 1, row)
}

function checkPlace({ rows, keys }: LiquidationIndex, at: number, row: number): void {
  if (rows[at] !== row) broken('the liquidation index has another row, in place of', row)
  if (at > 0 && keys[(at - 1) >> 1]! > keys[at]!)
    broken('the liquidation index is out of order, at place', at)
}

/** Checks the order list of a row, and the sums over it. */
function checkOrders(state: State, row: number): void {
  const { orders, positions } = state
  const lots = [0, 0]
  let losses = 0
  let count = 0
  let reduceOnly = 0
  let last = 0
  for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot)) {
    const id = orders.id(slot)
    if (!(id > last)) broken('the orders of an account are out of order', id)
    last = id
    checkOrder(state, slot, row)
    count += 1
    if ((orders.flags(slot) & REDUCE_ONLY) !== 0) reduceOnly += 1
    else {
      lots[orders.side(slot)]! += orders.remaining(slot)
      losses += orders.remaining(slot) * orders.lossTicks(slot)
    }
  }
  if (count !== positions.orderCount[row])
    broken('a row has another number of orders than it counts', count)
  if (reduceOnly !== positions.reduceOnlyCount[row])
    broken('a row has another number of reduce-only orders than it counts', reduceOnly)
  if (lots[0] !== positions.buys[row]) broken('a row bids for other lots than its sum', lots[0]!)
  if (lots[1] !== positions.sells[row]) broken('a row offers other lots than its sum', lots[1]!)
  if (losses !== positions.losses[row]) broken('a row has another entry loss than its sum', losses)
}

function checkOrder({ orders }: State, slot: number, row: number): void {
  const id = orders.id(slot)
  const stage = orders.stage(slot)
  const remaining = orders.remaining(slot)
  if (orders.position(slot) !== row) broken('an order is in the list of another row', id)
  if (orders.slotOf(id) !== slot) broken('an order is not found by its id', id)
  if (stage !== RESTING && stage !== WAITING) broken('an order is left in the middle, stage', stage)
  if ((stage === RESTING) !== (orders.level(slot) !== 0))
    broken('an order rests without a level, or has one without resting', id)
  if (!(remaining > 0)) broken('an open order has no lots left', remaining)
  if (remaining + orders.cancelled(slot) > orders.size(slot))
    broken('an open order has more lots than it was placed with', remaining)
}

function checkMarket(state: State, market: Market): void {
  const { bids, asks, openInterest } = market
  if (bids.bestPrice !== 0 && asks.bestPrice !== 0 && bids.bestPrice >= asks.bestPrice)
    broken('the best bid is not below the best ask', bids.bestPrice)
  if (!isWhole(openInterest)) broken('open interest is not a whole number', openInterest)
  if (!isWhole(market.pool)) broken('a funding pool is not a whole number', market.pool)
  if (!market.poolOpen && market.pool !== 0)
    broken('a funding pool has money while it is closed', market.pool)
  checkSide(state, bids)
  checkSide(state, asks)
  const isTurn = divFloor(state.seq, checkedEvery) % lotsEvery === 0
  if (isTurn && market.rowOf.length <= accountsChecked) checkLots(state, market)
}

/** Checks the best levels of a side, and the orders of levels that do not have too many. */
function checkSide(state: State, side: BookSide): void {
  const { levels } = state
  let better = 0
  let level = side.bestLevel
  for (let left = levelsChecked; left > 0 && level !== 0; left--) {
    const price = levels.price[level]!
    if (better === 0 && price !== side.bestPrice)
      broken('the best price is not that of the best level', side.bestPrice)
    if (better !== 0 && (levels.price[better]! - price) * side.sign <= 0)
      broken('the levels of a book are out of order, at', price)
    if (levels.better[level] !== better)
      broken('a level does not know the one before it, at', price)
    if (side.levelOf(levels, price) !== level) broken('a level is not found by its price', price)
    if (levels.count[level]! <= ordersChecked) checkLevel(state, level)
    better = level
    level = levels.worse[level]!
  }
}

function checkLevel({ levels, orders }: State, level: number): void {
  let lots = 0
  let plain = 0
  let count = 0
  let before = 0
  for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
    if (orders.levelPrev(slot) !== before)
      broken('an order does not know the one before it', orders.id(slot))
    if (orders.level(slot) !== level) broken('an order is in another level', orders.id(slot))
    before = slot
    count += 1
    lots += orders.remaining(slot)
    if ((orders.flags(slot) & REDUCE_ONLY) === 0) plain += orders.remaining(slot)
  }
  if (count !== levels.count[level])
    broken('a level has another number of orders than it counts', count)
  if (lots !== levels.lots[level]) broken('a level has other lots than its orders', lots)
  if (plain !== levels.plainLots[level])
    broken('a level has other plain lots than its orders', plain)
}

/** Checks that long lots equal short lots. */
function checkLots({ positions }: State, { rowOf, openInterest }: Market): void {
  let sum = 0
  let long = 0
  for (const row of rowOf) {
    const lots = positions.lots[row]!
    sum += lots
    if (lots > 0) long += lots
  }
  if (sum !== 0) broken('the lots of a market do not sum to zero, but to', sum)
  if (long !== openInterest) broken('open interest is not the sum of long lots', openInterest)
}
