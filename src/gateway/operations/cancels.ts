// What counts as a cancel: nothing may keep its owner from it.

const cancelActions: readonly unknown[] = ['Cancel', 'CancelStopOrder']

/** A batch of cancels and nothing else; whatever is not a batch at all is not one. */
export function isCancelBatch(body: unknown): boolean {
  const { actions } = (body ?? {}) as { actions?: unknown }
  if (!Array.isArray(actions) || actions.length === 0) return false
  return actions.every((action) => cancelActions.includes(action?.type))
}
