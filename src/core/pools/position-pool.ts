// One row per account and market it has ever used: the position, its margin settings, the sums of
// its open orders, and its places in lists and indexes. No field depends on a price, so no row is
// updated when a price moves. Row 0 is "none".

import { grown } from './growing.ts'

export class PositionPool {
  account = new Int32Array(8)
  market = new Int32Array(8)
  /** The account's next row, by rising market id. */
  nextOfAccount = new Int32Array(8)
  lots = new Float64Array(8)
  cost = new Float64Array(8)
  wallet = new Float64Array(8)
  isolated = new Uint8Array(8)
  leverage = new Int32Array(8)
  /** Open lots of orders that are not reduce-only, and their entry losses in tick·lots
   *  (MARGIN-2). */
  buys = new Float64Array(8)
  sells = new Float64Array(8)
  losses = new Float64Array(8)
  fundingEpoch = new Float64Array(8)
  fundingPaid = new Float64Array(8)
  feesPaid = new Float64Array(8)
  openedAt = new Float64Array(8)
  updatedAt = new Float64Array(8)
  settingsAt = new Float64Array(8)
  ordersHead = new Int32Array(8)
  ordersTail = new Int32Array(8)
  orderCount = new Int32Array(8)
  reduceOnlyCount = new Int32Array(8)
  stopCount = new Int32Array(8)
  algoCount = new Int32Array(8)
  /** Number of levels of the position (TRIG-4). */
  tpslCount = new Uint8Array(8)
  /** Consecutive steps of an isolated scope without a fill (LIQ-2). */
  unfilledSteps = new Uint8Array(8)
  unfilledAt = new Float64Array(8)
  /** 1 + the place in the market's liquidation index, or 0 if it is not there. */
  indexPlace = new Int32Array(8)
  count = 0

  take(account: number, market: number): number {
    this.count += 1
    const row = this.count
    if (row >= this.account.length) this.grow(row + 1)
    this.account[row] = account
    this.market[row] = market
    return row
  }

  /** Copies the fields of a row that checks and fills read. */
  copy(from: PositionPool, row: number, account: number): number {
    const copied = this.take(account, from.market[row]!)
    this.lots[copied] = from.lots[row]!
    this.cost[copied] = from.cost[row]!
    this.wallet[copied] = from.wallet[row]!
    this.isolated[copied] = from.isolated[row]!
    this.leverage[copied] = from.leverage[row]!
    this.buys[copied] = from.buys[row]!
    this.sells[copied] = from.sells[row]!
    this.losses[copied] = from.losses[row]!
    return copied
  }

  private grow(length: number): void {
    this.account = grown(this.account, length)
    this.market = grown(this.market, length)
    this.nextOfAccount = grown(this.nextOfAccount, length)
    this.lots = grown(this.lots, length)
    this.cost = grown(this.cost, length)
    this.wallet = grown(this.wallet, length)
    this.isolated = grown(this.isolated, length)
    this.leverage = grown(this.leverage, length)
    this.buys = grown(this.buys, length)
    this.sells = grown(this.sells, length)
    this.losses = grown(this.losses, length)
    this.fundingEpoch = grown(this.fundingEpoch, length)
    this.fundingPaid = grown(this.fundingPaid, length)
    this.feesPaid = grown(this.feesPaid, length)
    this.openedAt = grown(this.openedAt, length)
    this.updatedAt = grown(this.updatedAt, length)
    this.settingsAt = grown(this.settingsAt, length)
    this.ordersHead = grown(this.ordersHead, length)
    this.ordersTail = grown(this.ordersTail, length)
    this.orderCount = grown(this.orderCount, length)
    this.reduceOnlyCount = grown(this.reduceOnlyCount, length)
    this.stopCount = grown(this.stopCount, length)
    this.algoCount = grown(this.algoCount, length)
    this.tpslCount = grown(this.tpslCount, length)
    this.unfilledSteps = grown(this.unfilledSteps, length)
    this.unfilledAt = grown(this.unfilledAt, length)
    this.indexPlace = grown(this.indexPlace, length)
  }
}
