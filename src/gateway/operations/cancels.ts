// Which requests count as cancels, which are served without credits, and how many actions a batch
// counts as.

import type { Operation } from '../operation.ts'

export const batchName = 'batch_orders'
const cancelActions: readonly unknown[] = ['Cancel', 'CancelStopOrder', 'CancelAll']

/** For a batch this depends on the body; one that cannot be parsed is not a cancel, and is refused
 *  later. */
export function isCancel(
  { name, cost }: Pick<Operation, 'name' | 'cost'>,
  read: () => unknown,
): boolean {
  if (name !== batchName) return cost === 'cancel'
  try {
    return isCancelBatch(read())
  } catch {
    return false
  }
}

const tpslName = 'set_position_tpsl'

/** Whether the body decides if a request is protected. */
export const isDecidedByBody = (name: Operation['name']) => name === batchName || name === tpslName

/** Requests that spent credits or an unknown API key never stop: cancels, and a body that sets a
 *  stop-loss. */
export function isProtected(
  operation: Pick<Operation, 'name' | 'cost'>,
  read: () => unknown,
): boolean {
  if (operation.name !== tpslName) return isCancel(operation, read)
  try {
    return setsStopLoss(read())
  } catch {
    return false
  }
}

function setsStopLoss(body: unknown): boolean {
  const { stop_loss: stopLoss } = (body ?? {}) as Record<string, unknown>
  if (Array.isArray(stopLoss)) return stopLoss.length > 0
  return typeof stopLoss === 'object' && stopLoss !== null
}

/** A batch with cancels only; malformed batches do not count. */
export function isCancelBatch(body: unknown): boolean {
  const { actions } = (body ?? {}) as { actions?: unknown }
  if (!Array.isArray(actions) || actions.length === 0) return false
  return actions.every((action) => cancelActions.includes(action?.type))
}

/** A batch counts as its number of actions; a malformed one is refused later. */
export function actionsIn({ name }: Pick<Operation, 'name'>, read: () => unknown): number {
  if (name !== batchName) return 1
  try {
    const { actions } = (read() ?? {}) as { actions?: unknown }
    return Array.isArray(actions) ? Math.min(actionsMax, Math.max(1, actions.length)) : 1
  } catch {
    return 1
  }
}
/** The maximum, even if there are more, which are refused. */
const actionsMax = 50
