// The record of one fill. It has the numbers of both sides, then of the side being settled.

// What becomes of the wallet of an isolated position that is closed (MARGIN-6): its share goes to
// the balance; or it stays, and goes there when the position is flat; or the caller sends it there.
export const SHARE_LEAVES = 0
export const SHARE_STAYS = 1
export const WALLET_STAYS = 2

/** What both sides of a fill share, what the side being settled adds, and what became of it. Reused
 *  per match. */
export class Fill {
  lots = 0
  /** Ticks; 0 when only the value is known (a deleveraging). */
  price = 0
  value = 0
  /** Of the market, before it. */
  openInterest = 0
  feePpm = 0
  /** Each side has ample margin for it, and all its orders are carried after it, too
   *  (quick-checks.ts). */
  takerAmple = false
  makerAmple = false
  /** The fee goes to the insurance fund. */
  feeToFund = false
  wallets = SHARE_LEAVES
  /** The part that is being settled: money goes through fields, not arguments, because a number
   *  beyond 2^31 that crosses a call would be put on the heap. */
  partLots = 0
  partValue = 0
  partFee = 0
  /** What was closed: lots, what they had cost, and what they brought with their fee paid. */
  closed = 0
  closedCost = 0
  gained = 0
  /** Of both parts. */
  fee = 0
  /** After the fill; margin for an isolated part that it opened has not moved to the wallet yet. */
  balance = 0
  wallet = 0
}
