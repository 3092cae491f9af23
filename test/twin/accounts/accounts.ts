// Deposits, withdrawals, transfers, subaccounts and freezing (ACCT-1, 2, 3, 6).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { accountOf, dayOf, emit, findAccount } from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import { income } from '../liquidation/insurance.ts'
import { isBlocked, withdrawable } from '../margin/margin.ts'
import { badText } from '../orders/order-checks.ts'
import { bookOf } from '../rule-books.ts'
import { type Account, DEFICIT, INSURANCE, type Naive, newAccount } from '../state.ts'
import { given, isIntIn, num, shown } from '../units/numbers.ts'
import type { Credit, Withdrawal } from './approval-state.ts'
import { approvalsNeeded, becomesPayable } from './approvals.ts'
import { freeAddress, isConfirmedAgent } from './bindings.ts'
import { isHeld } from './brake.ts'

export function accountAt(naive: Naive, address: unknown): Account | undefined {
  return naive.accounts.find((account) => account.address === address)
}

export function openAccount(naive: Naive, address: string, main: number | null): Account {
  freeAddress(naive, address)
  const id = naive.accounts.length + 1
  const account = newAccount(id, address, main ?? id)
  naive.accounts.push(account)
  emit(naive, { type: 'AccountOpened', account: id, main: account.main, address })
  return account
}

function isAmount(x: unknown): x is number {
  return isIntIn(x, 1, Number.MAX_SAFE_INTEGER)
}

/** ACCT-1 */
type DepositOf = Readonly<{ address: string; amount: number; reference: string }>

export function deposit(naive: Naive, command: CommandOf<'Deposit'>): Rejection | null {
  const bad = depositRefusal(naive, command)
  if (bad) return bad
  makeDeposit(naive, command)
  // ACCT-10: the deposit that was about to be credited by hand has arrived.
  const { reference } = command
  endCredits(naive, (one) => one.reference === reference)
  return null
}

function endCredits(naive: Naive, isOver: (one: Credit) => boolean): void {
  for (const { id } of naive.credits.filter(isOver)) {
    naive.credits = naive.credits.filter((one) => one.id !== id)
    emit(naive, { type: 'CreditDropped', credit: id })
  }
}

export function depositRefusal(
  naive: Naive,
  { address, amount, reference }: DepositOf,
): Rejection | null {
  const known = accountAt(naive, address)
  const closed = known?.reserved && known.id !== INSURANCE
  if (closed || isConfirmedAgent(naive, address)) return refuse('UNSUPPORTED_OPERATION')
  if (!isAmount(amount)) return refuse('INVALID_AMOUNT', given(amount))
  if (naive.deposits + BigInt(amount) > BigInt(limits.moneyMax)) {
    return refuse('LIMIT_REACHED', limits.moneyMax)
  }
  if (!known && naive.accounts.length >= limits.accountsMax) {
    return refuse('LIMIT_REACHED', limits.accountsMax)
  }
  if (naive.references.length >= limits.referencesKept) {
    return refuse('LIMIT_REACHED', limits.referencesKept)
  }
  const before = naive.references.find((one) => one.reference === reference)
  if (before && (before.account !== known?.id || before.amount !== amount)) {
    return refuse('DEPOSIT_CONFLICT', before.account, before.amount)
  }
  if (before) return refuse('DEPOSIT_REFERENCE_USED')
  return badText(address, reference)
}

/** Nothing is against it. */
export function makeDeposit(naive: Naive, { address, amount, reference }: DepositOf): Account {
  const account = accountAt(naive, address) ?? openAccount(naive, address, null)
  const money = BigInt(amount)
  naive.references.push({ reference, account: account.id, amount })
  naive.deposits += money
  if (account.id === INSURANCE) income(naive, money)
  else account.balance += money
  account.broughtIn += money
  const after = moneyAfter(naive, account)
  const deficit = num(accountOf(naive, DEFICIT).balance)
  emit(naive, { type: 'Deposited', account: account.id, amount, reference, deficit, ...after })
  return account
}

/** ACCT-2 */
export function withdraw(
  naive: Naive,
  command: CommandOf<'Withdraw'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const { amount } = command
  if (!isAmount(amount)) return refuse('INVALID_AMOUNT', given(amount))
  if (isBlocked(naive, account, account.balance)) return refuse('WITHDRAWAL_BLOCKED')
  if (account.main !== account.id) return refuse('SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED')
  if (amount < bookOf(naive).limits.withdrawalMin) {
    return refuse('WITHDRAW_AMOUNT_TOO_LOW', amount, bookOf(naive).limits.withdrawalMin)
  }
  const money = BigInt(amount)
  const day = dayOf(naive.now)
  const requested = account.requested.day === day ? account.requested.amount : 0n
  const left = BigInt(bookOf(naive).limits.withdrawalDailyMax) - requested
  if (money > left) return refuse('DAILY_WITHDRAW_LIMIT_EXCEEDED', amount, shown(left))
  const most = withdrawable(naive, account)
  if (money > most) return refuse('OVER_WITHDRAWAL', amount, shown(most))
  const pending = naive.withdrawals.filter((one) => one.account === account.id)
  if (pending.length >= bookOf(naive).limits.withdrawalsPending) {
    return refuse('LIMIT_REACHED', bookOf(naive).limits.withdrawalsPending)
  }
  const id = naive.nextWithdrawal
  naive.nextWithdrawal += 1
  const held = isHeld(naive, account)
  const needed = approvalsNeeded(naive, money, requested + money, held)
  if (needed === 0) becomesPayable(naive, money)
  naive.withdrawals.push({ id, account: account.id, amount: money, needed, approvers: [] })
  account.requested = { day, amount: requested + money }
  account.balance -= money
  account.broughtIn -= money
  const what = { withdrawal: id, account: account.id, amount, ...moneyAfter(naive, account) }
  emit(naive, { type: 'WithdrawalRequested', ...what, needed, held })
  return null
}

/** The balance of the account, and its pending withdrawals. */
export function moneyAfter(naive: Naive, { id, balance }: Account) {
  const own = naive.withdrawals.filter((one) => one.account === id)
  const pending = own.reduce((sum, one) => sum + one.amount, 0n)
  return { balance: num(balance), pending: num(pending) }
}

export function completeWithdrawal(
  naive: Naive,
  command: CommandOf<'CompleteWithdrawal'>,
): Rejection | null {
  const found = naive.withdrawals.find((one) => one.id === command.withdrawal)
  if (!found) return refuse('WITHDRAWAL_NOT_FOUND', given(command.withdrawal))
  const had = found.approvers.length
  if (had < found.needed) return refuse('WITHDRAWAL_NOT_APPROVED', found.id, had, found.needed)
  naive.withdrawn += found.amount
  ended(naive, found, 'WithdrawalCompleted')
  return null
}

/** Its money is the account's again. */
export function failed(naive: Naive, found: Withdrawal): void {
  const account = accountOf(naive, found.account)
  account.balance += found.amount
  account.broughtIn += found.amount
  ended(naive, found, 'WithdrawalFailed')
}

function ended(
  naive: Naive,
  found: Withdrawal,
  type: 'WithdrawalCompleted' | 'WithdrawalFailed',
): void {
  naive.withdrawals = naive.withdrawals.filter((one) => one !== found)
  const account = accountOf(naive, found.account)
  const what = { withdrawal: found.id, account: account.id, amount: num(found.amount) }
  emit(naive, { type, ...what, ...moneyAfter(naive, account) })
  // ACCT-10: nothing is left to return.
  endCredits(naive, (one) => one.withdrawal === found.id)
}

/** ACCT-3 */
export function createSubaccount(
  naive: Naive,
  command: CommandOf<'CreateSubaccount'>,
  account: Account,
): Rejection | null {
  const { address } = command
  if (isUnsupported(account, command) || isConfirmedAgent(naive, address)) {
    return refuse('UNSUPPORTED_OPERATION')
  }
  if (account.main !== account.id) return refuse('SUBACCOUNT_CANNOT_CREATE_SUBACCOUNT')
  const known = accountAt(naive, address)
  if (known) return refuse('ACCOUNT_ALREADY_EXISTS', known.id)
  const subaccounts = naive.accounts.filter((one) => one.main === account.id && one !== account)
  if (subaccounts.length >= bookOf(naive).limits.subaccountsPerAccount) {
    return refuse('LIMIT_REACHED', bookOf(naive).limits.subaccountsPerAccount)
  }
  if (naive.accounts.length >= limits.accountsMax) {
    return refuse('LIMIT_REACHED', limits.accountsMax)
  }
  const badWord = badText(address)
  if (badWord) return badWord
  openAccount(naive, address, account.id)
  return null
}

export function transfer(
  naive: Naive,
  command: CommandOf<'Transfer'>,
  account: Account,
): Rejection | null {
  const to = findAccount(naive, command.to)
  if (!to) return refuse('ACCOUNT_NOT_FOUND', given(command.to))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const { amount } = command
  if (!isAmount(amount)) return refuse('INVALID_AMOUNT', given(amount))
  if (isBlocked(naive, account, account.balance)) return refuse('WITHDRAWAL_BLOCKED')
  const most = withdrawable(naive, account)
  if (BigInt(amount) > most) return refuse('OVER_WITHDRAWAL', amount, shown(most))
  const related = account !== to && (account.main === to.id || to.main === account.id)
  if (!related) return refuse('INVALID_TRANSFER_RELATIONSHIP')
  account.balance -= BigInt(amount)
  to.balance += BigInt(amount)
  account.broughtIn -= BigInt(amount)
  to.broughtIn += BigInt(amount)
  emit(naive, {
    type: 'Transferred',
    from: account.id,
    to: to.id,
    amount,
    fromBalance: num(account.balance),
    fromPending: moneyAfter(naive, account).pending,
    toBalance: num(to.balance),
    toPending: moneyAfter(naive, to).pending,
  })
  return null
}

/** ACCT-6 */
export function freezeAccount(
  naive: Naive,
  command: CommandOf<'FreezeAccount'>,
  account: Account,
): Rejection | null {
  if (account.reserved) return refuse('UNSUPPORTED_OPERATION')
  account.frozen = command.frozen === true
  emit(naive, { type: 'AccountFrozen', account: account.id, frozen: account.frozen })
  return null
}
