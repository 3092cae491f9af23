// Manual credits name their operator, because above a limit a second operator has to approve them
// (ACCT-10). During a rolling upgrade a node of an older version submits credits without the name.
// Executing them would allow a single operator to credit any amount.

import type { Command } from '../../core/index.ts'
import type { By } from '../entry.ts'

/** Why a command of another process is not accepted; `null` if it is accepted. */
export function unnamedFault(command: Command, by: By | null): string | null {
  if (by === null || isNamed(command, by.who)) return null
  return (
    `${command.type} does not name its operator, ${by.who}: this node runs an older openperp ` +
    'than the leader. Upgrade it, or send the request to an upgraded node; nothing was done'
  )
}

function isNamed(command: Command, who: string): boolean {
  switch (command.type) {
    case 'Deposit':
      return false
    case 'CreditDeposit':
    case 'FailWithdrawal':
    case 'MoveReserve':
      return command.by === who
    default:
      return true
  }
}
