import { DEFICIT, FEES, INSURANCE } from '../../../src/core/pools/account-pool.ts'
import { checkedEvery } from '../../../src/core/touched-checks.ts'
import { BTC, ETH, SOL } from '../scene.ts'
import type { Rows, World } from './world.ts'

type Numbers = { [at: number]: number }

/** A command of this account in this market, at a seq at which the engine checks both. */
function look(w: World, name = 'A', market: number = BTC): void {
  w.state.seq = 8 * checkedEvery - 1
  w.own(name, 'CancelOrder', { market, order: 1_000_000, clientOrderId: null })
}

/** A number becomes another one. */
function bend(numbers: Numbers, at: number, value: number, w: World, name = 'A'): void {
  numbers[at] = value
  look(w, name)
}

const moneyRows: Rows = {
  'the fee account owes': (w) => bend(w.state.accounts.balance, FEES, -1, w),
  'the insurance fund owes': (w) => bend(w.state.accounts.balance, INSURANCE, -1, w),
  'the deficit account has money': (w) => bend(w.state.accounts.balance, DEFICIT, 1, w),
  'a balance is not a whole number': (w) => bend(w.state.accounts.balance, w.ids.A!, -0, w),
  'what is pending is below zero or no number': (w) =>
    bend(w.state.accounts.pending, w.ids.A!, -1, w),
  'an account owes without a position': (w) => bend(w.state.accounts.balance, w.ids.C!, -5, w, 'C'),
  'an account has another number of orders than it counts': (w) =>
    bend(w.state.accounts.openCount, w.ids.A!, 50, w),
}

const rowRows: Rows = {
  'the rows of an account are not in the order of markets': (w) =>
    bend(w.state.positions.market, w.row('A', SOL), 1, w),
  'a market does not know the row of an account': (w) => {
    w.eth.rowOf[w.ids.C!] = 0
    look(w, 'C')
  },
  'the lots of a position are not a whole number': (w) =>
    bend(w.state.positions.lots, w.row('A'), 0.5, w),
  'the cost of a position is not a whole number': (w) =>
    bend(w.state.positions.cost, w.row('A'), 0.5, w),
  'the wallet of a position is not a whole number': (w) =>
    bend(w.state.positions.wallet, w.row('A'), -0, w),
  'a cross position has a wallet': (w) => bend(w.state.positions.wallet, w.row('A'), 5, w),
  'a cost is left without a position': (w) => bend(w.state.positions.cost, w.row('C'), 5, w, 'C'),
  'a wallet is left without a position': (w) => {
    w.state.positions.isolated[w.row('C')] = 1
    bend(w.state.positions.wallet, w.row('C'), 5, w, 'C')
  },
  'a cost is on the wrong side of its position': (w) =>
    bend(w.state.positions.cost, w.row('A'), -5, w),
  'a position is not in the liquidation index of its side, row': (w) =>
    bend(w.state.positions.indexPlace, w.row('A'), 0, w),
  'the liquidation index has another row, in place of': (w) =>
    bend(w.btc.longs.rows, w.state.positions.indexPlace[w.row('A')]! - 1, 50, w),
  'the liquidation index is out of order, at place': (w) => {
    const { positions } = w.state
    const row = w.row('A')
    const { keys, rows } = w.btc.longs
    keys.set([5, 3])
    rows.set([w.row('C'), row])
    positions.indexPlace[row] = 2
    w.btc.longs.count = 2
    look(w)
  },
}

const orderRows: Rows = {
  'the orders of an account are out of order': (w) => {
    const { orders } = w.state
    const slot = w.slot(59_900)
    orders.setRowNext(slot, slot)
    look(w)
  },
  'a row has another number of orders than it counts': (w) =>
    bend(w.state.positions.orderCount, w.row('A'), 5, w),
  'a row has another number of reduce-only orders than it counts': (w) =>
    bend(w.state.positions.reduceOnlyCount, w.row('A'), 0, w),
  'a row bids for other lots than its sum': (w) => bend(w.state.positions.buys, w.row('A'), 5, w),
  'a row offers other lots than its sum': (w) => bend(w.state.positions.sells, w.row('A'), 5, w),
  'a row has another entry loss than its sum': (w) =>
    bend(w.state.positions.losses, w.row('A'), 5, w),
  'an order is in the list of another row': (w) => {
    w.state.orders.setPosition(w.slot(59_900), w.row('C'))
    look(w)
  },
  'an order is not found by its id': (w) => {
    const { orders } = w.state
    const id = orders.id(w.slot(59_900))
    orders.take(id)
    look(w)
  },
  'an order is left in the middle, stage': (w) => {
    w.state.orders.setStage(w.slot(59_900), 3)
    look(w)
  },
  'an order rests without a level, or has one without resting': (w) => {
    w.state.orders.setLevel(w.slot(59_900), 0)
    look(w)
  },
  'an open order has no lots left': (w) => {
    w.state.orders.setRemaining(w.slot(59_900), 0)
    look(w)
  },
  'an open order has more lots than it was placed with': (w) => {
    w.state.orders.setSize(w.slot(59_900), 5)
    look(w)
  },
}

const marketRows: Rows = {
  'the best bid is not below the best ask': (w) => {
    w.btc.asks.bestPrice = 59_900
    look(w)
  },
  'open interest is not a whole number': (w) => {
    w.btc.openInterest = 0.5
    look(w)
  },
  'a funding pool is not a whole number': (w) => {
    w.btc.pool = 0.5
    look(w)
  },
  'a funding pool has money while it is closed': (w) => {
    w.btc.pool = 5
    look(w)
  },
  'the lots of a market do not sum to zero, but to': (w) => {
    w.state.positions.lots[w.row('C', ETH)]! += 1
    look(w, 'A', ETH)
  },
  'open interest is not the sum of long lots': (w) => {
    w.eth.openInterest += 1
    look(w, 'A', ETH)
  },
}

const bookRows: Rows = {
  'the best price is not that of the best level': (w) => {
    w.btc.bids.bestPrice = 59_901
    look(w)
  },
  'the levels of a book are out of order, at': (w) =>
    bend(w.state.levels.price, w.level(59_800), 59_950, w),
  'a level does not know the one before it, at': (w) =>
    bend(w.state.levels.better, w.level(59_800), 0, w),
  'a level is not found by its price': (w) => {
    const level = w.level(59_800)
    bend(w.state.levels.price, level, 59_801, w)
  },
  'an order does not know the one before it': (w) => {
    w.state.orders.setLevelPrev(w.slot(59_900), 5)
    look(w)
  },
  'an order is in another level': (w) => {
    w.state.orders.setLevel(w.slot(59_800), w.level(59_900))
    look(w)
  },
  'a level has another number of orders than it counts': (w) =>
    bend(w.state.levels.count, w.level(59_900), 5, w),
  'a level has other lots than its orders': (w) => bend(w.state.levels.lots, w.level(59_900), 5, w),
  'a level has other plain lots than its orders': (w) =>
    bend(w.state.levels.plainLots, w.level(59_900), 5, w),
}

/** src/core/touched-checks.ts */
export const touchedRows: Rows = {
  ...moneyRows,
  ...rowRows,
  ...orderRows,
  ...marketRows,
  ...bookRows,
}
