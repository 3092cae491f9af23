// Subaccounts, and transfers between an account and its subaccounts (ACCT-3).

import { broken } from '../../units/invariant.ts'
import {
  accountExists,
  accountRefusal,
  admissionRefusal,
  callerRefusal,
  unsupportedRefusal,
} from '../admission/admit.ts'
import { endProvisional } from '../admission/bindings.ts'
import { moveDayHighs } from '../admission/key-limit.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { CommandOf } from '../commands/commands.ts'
import { amountRefusal, type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { withdrawableOf } from '../margin/margin.ts'
import { limits } from '../rules/limits.ts'
import { touch } from '../solvency/update-index.ts'
import type { State } from '../state/state.ts'

export function createSubaccount(
  state: State,
  log: EventLog,
  command: CommandOf<'CreateSubaccount'>,
): Rejection | null {
  const { account: main, address } = command
  const refusal =
    admissionRefusal(state, log, command, null) ?? subaccountRefusal(state, main, address)
  if (refusal !== null) return refusal
  endProvisional(state, log, address, 'address_in_use')
  const account = state.accounts.open(address, main, state.atMs)
  log.write({ type: 'AccountOpened', account, main, address })
  return null
}

function subaccountRefusal(state: State, main: number, address: string): Rejection | null {
  const { accounts } = state
  if (accounts.byAgent.has(address)) return refuse('UNSUPPORTED_OPERATION')
  if (accounts.main[main] !== main) return refuse('SUBACCOUNT_CANNOT_CREATE_SUBACCOUNT')
  const existing = accounts.byAddress.get(address)
  if (existing !== undefined) return refuse('ACCOUNT_ALREADY_EXISTS', existing)
  if (accounts.records[main]!.subaccounts.length >= state.rules.limits.subaccountsPerAccount)
    return refuse('LIMIT_REACHED', state.rules.limits.subaccountsPerAccount)
  if (accounts.count >= limits.accountsMax) return refuse('LIMIT_REACHED', limits.accountsMax)
  return textRefusal(address)
}

export function transfer(
  state: State,
  log: EventLog,
  command: CommandOf<'Transfer'>,
): Rejection | null {
  const refusal = transferRefusal(state, log, command)
  if (refusal !== null) return refusal
  const { account: from, to, amount } = command
  const { balance, pending } = state.accounts
  if (!(balance[from]! >= amount)) broken('a transfer is larger than the balance', balance[from]!)
  balance[from] = balance[from]! - amount
  balance[to] = balance[to]! + amount
  moveDayHighs(state, from, -amount)
  moveDayHighs(state, to, amount)
  touch(state, from)
  touch(state, to)
  log.write({
    type: 'Transferred',
    from,
    to,
    amount,
    fromBalance: balance[from]!,
    fromPending: pending[from]!,
    toBalance: balance[to]!,
    toPending: pending[to]!,
  })
  return null
}

function transferRefusal(
  state: State,
  log: EventLog,
  command: CommandOf<'Transfer'>,
): Rejection | null {
  const { account, to, amount } = command
  const { accounts } = state
  const principal = callerRefusal(state, log, command, null)
  if (!accountExists(state, account)) return principal
  const unknown = accountRefusal(state, to)
  if (unknown !== null) return unknown
  if (principal !== null) return principal
  const unsupported = unsupportedRefusal(state, command)
  if (unsupported !== null) return unsupported
  const invalid = amountRefusal(amount, Number.MAX_SAFE_INTEGER)
  if (invalid !== null) return invalid
  const available = withdrawableOf(state, account)
  if (available < 0) return refuse('WITHDRAWAL_BLOCKED')
  if (amount > available) return refuse('OVER_WITHDRAWAL', amount, available)
  const related = accounts.main[account] === to || accounts.main[to] === account
  return related && account !== to ? null : refuse('INVALID_TRANSFER_RELATIONSHIP')
}
