// Commands that only take orders away: others must not keep them waiting.

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

/** As how many it counts where commands wait for their turn. */
export function actionsIn(command: Command): number {
  return command.type === 'Batch' ? Math.max(1, command.actions.length) : 1
}

/** Undefined: it is of no one account. */
export function accountOf(command: Command): unknown {
  return (command as { account?: unknown }).account
}
