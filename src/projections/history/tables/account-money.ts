// Money and positions of an account after its newest event.

/** Larger than any market id. */
export const marketsMax = 1_024

export type AccountMoney = {
  balance: number
  pending: number
  /** Deposits less withdrawals: money that is not profit. */
  flow: number
}

/** A position; `wallet` is the money of an isolated one. */
export type Holding = { lots: number; cost: number; wallet: number }

export const nothingHeld = (): Holding => ({ lots: 0, cost: 0, wallet: 0 })
