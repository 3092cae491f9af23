// Commands that only cancel, which must not wait for other commands.

import type { BatchAction, Command } from '../core/index.ts'

const cancels: ReadonlySet<(Command | BatchAction)['type']> = new Set([
  'CancelOrder',
  'CancelStop',
  'CancelAllOrders',
  'CancelTwap',
  'ScheduleCancel',
  'DisarmConnection',
  'EndConnection',
] as const)

export function isCancel(command: Command | BatchAction): boolean {
  if (command.type === 'Batch') return command.actions.every(isCancel)
  return cancels.has(command.type)
}

/** Number of actions of the command, as counted against the limit of the queue. */
export function actionsIn(command: Command): number {
  return command.type === 'Batch' ? Math.max(1, command.actions.length) : 1
}

/** Account of the command; undefined if the command does not belong to a single account. */
export function accountOf(command: Command): unknown {
  return (command as { account?: unknown }).account
}
