// The record of one fill: numbers of both sides, then of the side being settled.

// The wallet of an isolated position after a close (MARGIN-6): its share goes to the balance; or it
// stays, and goes to the balance when the position is flat; or the caller moves it.
export const SHARE_LEAVES = 0
export const SHARE_STAYS = 1
export const WALLET_STAYS = 2

/** Values that both sides of a fill share, values of the side being settled, and the results.
 *  Reused for each match. */
export class Fill {
  lots = 0
  /** In ticks; 0 if only the value is known (a deleveraging). */
  price = 0
  value = 0
  /** Open interest of the market before the fill. */
  openInterest = 0
  feePpm = 0
  /** Whether each side has ample margin for the fill and for all its orders afterwards
   *  (quick-checks.ts). */
  takerAmple = false
  makerAmple = false
  /** Whether the fee goes to the insurance fund. */
  feeToFund = false
  wallets = SHARE_LEAVES
  /** The part being settled. Money is passed in fields instead of arguments, because a number above
   *  2^31 that is passed as an argument would be allocated on the heap. */
  partLots = 0
  partValue = 0
  partFee = 0
  /** The closed lots, their cost, and what they brought after their fee. */
  closed = 0
  closedCost = 0
  gained = 0
  /** Fee of both parts. */
  fee = 0
  /** Values after the fill. Margin for an isolated part that it opened has not moved to the wallet
   *  yet. */
  balance = 0
  wallet = 0
}
