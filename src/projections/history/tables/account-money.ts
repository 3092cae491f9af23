// Money and positions of an account as of its newest event.

/** Greater than any market id. */
export const marketsMax = 1_024

export type AccountMoney = {
  balance: number
  pending: number
  /** Deposits less withdrawals, the part of the money that is not profit. */
  flow: number
}

/** A position. `wallet`: money of an isolated position. */
export type Holding = { lots: number; cost: number; wallet: number }

export const nothingHeld = (): Holding => ({ lots: 0, cost: 0, wallet: 0 })
