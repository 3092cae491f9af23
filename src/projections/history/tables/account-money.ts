// What history knows of an account's money after each event: the balance, what waits to be
// withdrawn, and what each position cost. It follows the rules of the core from what events say
// (MARGIN-6, LIQ-5), so that every change of a balance has a row; a test compares it with the core
// after every command.

import { walletShare } from '../../../core/accounts/margin-checks.ts'

/** Larger than any market id. */
export const marketsMax = 1_024

export type AccountMoney = {
  balance: number
  pending: number
  /** Balance and the wallets of isolated positions together. */
  cash: number
  /** What came from outside, less what went: cash that is not profit. */
  flow: number
}

/** A position. `wallet` null: its margin is the account's balance. */
export type Holding = { lots: number; cost: number; wallet: number | null }

export const nothingHeld = (): Holding => ({ lots: 0, cost: 0, wallet: null })

export type Closing = Readonly<{
  /** Signed, as the position was; and their part of its cost. */
  lots: number
  cost: number
  pnl: number
  /** A forced close leaves its share of the margin in the wallet. */
  keepsShare: boolean
  /** The backstop takes what is in the wallet; else it goes home when the position is flat. */
  takenOver: boolean
}>

export function close(money: AccountMoney, holding: Holding, closing: Closing): void {
  const held = Math.abs(holding.lots)
  holding.lots -= closing.lots
  holding.cost -= closing.cost
  money.cash += closing.pnl
  if (holding.wallet === null) {
    money.balance += closing.pnl
    return
  }
  if (closing.keepsShare) holding.wallet += closing.pnl
  else {
    const share = walletShare(holding.wallet, Math.abs(closing.lots), held)
    const out = share + closing.pnl
    money.balance += Math.max(0, out)
    holding.wallet += Math.min(0, out) - share
  }
  if (holding.lots === 0 && !closing.takenOver) sendHome(money, holding)
}

/** The wallet of a flat position; one below zero waits for the fund (LIQ-5). */
export function sendHome(money: AccountMoney, holding: Holding): void {
  if (holding.wallet === null || holding.wallet < 0) return
  money.balance += holding.wallet
  holding.wallet = null
}

/** Money for a position: into its wallet if it has one, into the balance if not. */
export function addTo(money: AccountMoney, holding: Holding, amount: number): void {
  money.cash += amount
  if (holding.wallet === null) money.balance += amount
  else holding.wallet += amount
}
