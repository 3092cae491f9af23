// A fast path for the most common orders: limit orders that do not wait, have nothing attached and
// come from an account with one row. A few comparisons replace the many steps of check-order.ts and
// the collected fills. An unusual order, or one that might be rejected, takes the general path,
// which knows the reason. Both paths leave the same state and the same events.

import type { PlaceOrder } from '../commands/commands.ts'
import * as drafts from '../drafts/draft.ts'
import { hasOptions } from '../drafts/order-options.ts'
import * as times from '../drafts/times-in-force.ts'
import { bitsOf, columnsOf, headOf } from '../events/event-columns.ts'
import type { EventLog } from '../events/event-log.ts'
import { findRow } from '../margin/position-row.ts'
import * as sureness from '../margin/quick-checks.ts'
import { surelyCarries } from '../margin/quick-checks.ts'
import { joinRow, restOrder } from '../orders/order-life.ts'
import { runOrder } from '../orders/run-order.ts'
import { isOpen, stands } from '../prices/trading.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { ampleTerms, normalTerms, uncheckedTerms } from './check-fill.ts'

const ORDER_PLACED = headOf('OrderPlaced')
const orderPlaced = columnsOf('OrderPlaced')
const sideShift = bitsOf('OrderPlaced').side.shift
const tifShift = bitsOf('OrderPlaced').tif.shift
const originShift = bitsOf('OrderPlaced').origin.shift

// Module constants are compiled into the machine code (docs/performance.md).
const { FROM_USER } = drafts
const { ALO, GTC, IOC } = times
const { FLIPS, AMPLE, REDUCES, UNSURE } = sureness

/** Places the order if it is plain and certainly accepted. Otherwise returns false and writes
 *  nothing. */
export function placePlain(state: State, log: EventLog, command: PlaceOrder): boolean {
  const { account, price, size } = command
  const market = state.markets[command.market]!
  const tif = plainTif(state, market, command)
  const side = command.side === 'bid' ? 0 : command.side === 'ask' ? 1 : -1
  const row = findRow(market, account)
  if (tif < 0 || side < 0 || row === 0) return false
  if (!fitsMarket(state, market, side, price, size)) return false
  const { frozen, openCount } = state.accounts
  if (frozen[account] !== 0 || openCount[account]! >= state.rules.limits.ordersPerAccount)
    return false
  const paid = meetsAt(market, side, price)
  // The order waits for a tick (ORDER-3); or units are already in use, which this path does not
  // count (CORE-5).
  if (paid !== 0 && (!stands(market) || state.waiting.count !== 0 || state.unitsUsed !== 0))
    return false
  if (paid !== 0 && (tif === ALO || market.openInterest + size > market.params.openInterestMax))
    return false
  const full = (side === 0 ? market.bids : market.asks).count >= state.rules.limits.levelsPerSide
  if (full && paid === 0 && tif !== IOC) return false
  const sure = surelyCarries(state, market, row, side, price, size, paid)
  if (sure === UNSURE) return false
  const slot = enterPlain(state, log, market, row, side, tif, price, size)
  const terms = sure === AMPLE ? ampleTerms : sure === FLIPS ? normalTerms : uncheckedTerms
  if (paid !== 0 || tif === IOC) runOrder(state, log, market, slot, sure === REDUCES, terms)
  else restOrder(state, log, market, slot)
  return true
}

/** The maximum price of a lot if the order takes, in ticks; 0 if it does not take. */
function meetsAt(market: Market, side: number, price: number): number {
  if (side === 0) {
    const best = market.asks.bestPrice
    return best === 0 || price < best ? 0 : price
  }
  const best = market.bids.bestPrice
  return price > best ? 0 : best
}

/** The order's time in force, or −1 if it waits, has something attached, or is of another kind. */
function plainTif(state: State, market: Market, command: PlaceOrder): number {
  if (command.clientOrderId !== null || command.reduceOnly) return -1
  if (command.takeProfit !== null || command.stopLoss !== null) return -1
  if (command.expireTime != null || hasOptions(command)) return -1
  if (command.tif === 'ALO') return ALO
  if (market.params.speedBumpMs !== 0 && !state.clockFrozen) return -1
  return command.tif === 'GTC' ? GTC : command.tif === 'IOC' ? IOC : -1
}

/** Whether the market trades and the price is on the grid and within the band (ORDER-1). */
function fitsMarket(
  state: State,
  market: Market,
  side: number,
  price: number,
  size: number,
): boolean {
  const { tickMin, tickMax, orderValueMin, orderValueMax } = market.params
  if (!isOpen(state, market)) return false
  if (!Number.isSafeInteger(price) || price < tickMin || price > tickMax) return false
  if (!Number.isSafeInteger(size) || size < 1) return false
  const value = size * price * market.unitValue
  if (value < orderValueMin || value > orderValueMax) return false
  return side === 0
    ? price >= market.bidMin && price <= market.bidMax
    : price >= market.askMin && price <= market.askMax
}

/** Like `enterOrder`, for an order with nothing attached. */
function enterPlain(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  side: number,
  tif: number,
  price: number,
  size: number,
): number {
  const { orders } = state
  const account = state.positions.account[row]!
  const id = state.nextOrderId++
  const slot = orders.enter(id, row, account, market.id, side, tif, price, size)
  orders.setCreatedAt(slot, state.atMs)
  orders.setUpdatedAt(slot, state.atMs)
  joinRow(state, slot)
  const at = log.append(
    ORDER_PLACED | (side << sideShift) | (tif << tifShift) | (FROM_USER << originShift),
  )
  const { rows } = log
  rows[at + orderPlaced.order] = id
  rows[at + orderPlaced.account] = account
  rows[at + orderPlaced.market] = market.id
  rows[at + orderPlaced.price] = price
  rows[at + orderPlaced.size] = size
  rows[at + orderPlaced.parent] = 0
  rows[at + orderPlaced.clientOrderId] = 0
  return slot
}
