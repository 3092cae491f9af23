// Deposits (ACCT-1).

import { broken } from '../../units/invariant.ts'
import { endProvisional } from '../admission/bindings.ts'
import { moveDayHighs } from '../admission/key-limit.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import { endCredits } from '../approvals/end-credits.ts'
import type { CommandOf } from '../commands/commands.ts'
import { amountRefusal, type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { DEFICIT, INSURANCE } from '../pools/account-pool.ts'
import { limits } from '../rules/limits.ts'
import { addIncome } from '../solvency/insurance.ts'
import { touch } from '../solvency/update-index.ts'
import type { State } from '../state/state.ts'
import { moneyOf } from './withdraw.ts'

export function deposit(
  state: State,
  log: EventLog,
  command: CommandOf<'Deposit'>,
): Rejection | null {
  const refusal = depositRefusal(state, command)
  if (refusal !== null) return refusal
  makeDeposit(state, log, command)
  // Custody reports a deposit that an operator has already credited by hand.
  const { reference } = command
  endCredits(state, log, (credit) => credit.reference === reference)
  return null
}

export type DepositOf = Pick<CommandOf<'Deposit'>, 'address' | 'amount' | 'reference'>

/** Credits a deposit that `depositRefusal` accepts. Returns the account. */
export function makeDeposit(
  state: State,
  log: EventLog,
  { address, amount, reference }: DepositOf,
): number {
  const { accounts } = state
  if (!(amount > 0)) broken('a deposit brings no money, it brings', amount)
  if (state.references.has(reference)) broken('a deposit is made twice, of', amount)
  let account = accounts.byAddress.get(address) ?? 0
  if (account === 0) {
    endProvisional(state, log, address, 'address_in_use')
    account = accounts.open(address, 0, state.atMs)
    log.write({ type: 'AccountOpened', account, main: account, address })
  }
  state.deposits += amount
  state.references.set(reference, { account, amount })
  if (account === INSURANCE) addIncome(state, amount)
  else accounts.balance[account] = accounts.balance[account]! + amount
  if (!Number.isSafeInteger(accounts.balance[account]!))
    broken('a deposit leaves an unsafe balance', accounts.balance[account]!)
  moveDayHighs(state, account, amount)
  touch(state, account)
  const deficit = accounts.balance[DEFICIT]!
  log.write({ type: 'Deposited', account, amount, reference, deficit, ...moneyOf(state, account) })
  return account
}

export function depositRefusal(
  state: State,
  { address, amount, reference }: DepositOf,
): Rejection | null {
  const { accounts } = state
  const account = accounts.byAddress.get(address) ?? 0
  const reserved = account !== INSURANCE && accounts.reserved[account] === 1
  if (reserved || accounts.byAgent.has(address)) return refuse('UNSUPPORTED_OPERATION')
  const invalid = amountRefusal(amount, Number.MAX_SAFE_INTEGER)
  if (invalid !== null) return invalid
  if (state.deposits + amount > limits.moneyMax) return refuse('LIMIT_REACHED', limits.moneyMax)
  if (account === 0 && accounts.count >= limits.accountsMax)
    return refuse('LIMIT_REACHED', limits.accountsMax)
  // References are never deleted, because a deleted reference could be credited twice.
  if (state.references.size >= limits.referencesKept)
    return refuse('LIMIT_REACHED', limits.referencesKept)
  const credited = state.references.get(reference)
  if (credited !== undefined)
    return credited.account === account && credited.amount === amount
      ? refuse('DEPOSIT_REFERENCE_USED')
      : refuse('DEPOSIT_CONFLICT', credited.account, credited.amount)
  return textRefusal(address) ?? textRefusal(reference)
}
