// Actions that a delayed batch keeps for its release (ORDER-10).

import type { KeptAction } from '../commands/commands.ts'
import type { State } from '../state/state.ts'

/** What is left when all orders of an account are cancelled: `reduce-only` spares whatever only
 *  reduces, `protective` only stops and levels of that kind. */
export type Spared = 'none' | 'reduce-only' | 'protective'

/** With all orders of an account go the actions that would become some at their release: those
 *  with an id below the one that is given. Cancels stay. `market` 0: all. */
export function dropKept(
  state: State,
  asked: Readonly<{ account: number; market: number; spared: Spared; before: number }>,
): void {
  const { account, market, spared, before } = asked
  for (const [id, { action }] of state.deferred) {
    if (action.account !== account || id >= before) continue
    if (market !== 0 && action.market !== market) continue
    if (!isCancel(action) && (spared === 'none' || !protects(action))) state.deferred.delete(id)
  }
}

function protects(action: KeptAction): boolean {
  return action.type === 'SetPositionTpsl' || (action.type === 'PlaceStop' && action.reduceOnly)
}

export function isCancel({ type }: Readonly<{ type: string }>): boolean {
  return type === 'CancelOrder' || type === 'CancelStop'
}
