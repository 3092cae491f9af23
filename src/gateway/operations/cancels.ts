// Decides which requests count as cancels, which are served without credits, and as how many
// requests a batch counts.

import type { Operation } from '../operation.ts'

export const batchName = 'batch_orders'
const cancelActions: readonly unknown[] = ['Cancel', 'CancelStopOrder', 'CancelAll']

/** Whether the request is a cancel. For a batch this depends on the body. A batch that cannot be
 *  parsed is not a cancel, and is refused later. */
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

/** Whether the body decides if the request is protected. */
export const isDecidedByBody = (name: Operation['name']) => name === batchName || name === tpslName

/** Whether the request is served even without credits or with an unknown API key: cancels, and
 *  requests that set a stop-loss. */
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

/** Whether a batch contains only cancels. False for malformed batches. */
export function isCancelBatch(body: unknown): boolean {
  const { actions } = (body ?? {}) as { actions?: unknown }
  if (!Array.isArray(actions) || actions.length === 0) return false
  return actions.every((action) => cancelActions.includes(action?.type))
}

/** The number of requests that this one counts as: for a batch, its number of actions. A malformed
 *  batch counts as one and is refused later. */
export function actionsIn({ name }: Pick<Operation, 'name'>, read: () => unknown): number {
  if (name !== batchName) return 1
  try {
    const { actions } = (read() ?? {}) as { actions?: unknown }
    return Array.isArray(actions) ? Math.min(actionsMax, Math.max(1, actions.length)) : 1
  } catch {
    return 1
  }
}
/** Further actions are not counted, because the batch is refused. */
const actionsMax = 50
