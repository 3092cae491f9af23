// The state of the core, for tests and benches that read what is private to other code.

import type { ClosedState, ExchangeView } from '../../src/core/index.ts'
import type { State } from '../../src/core/state/state.ts'

export function openedState(state: ClosedState): State {
  return state as State
}

/** What a view looks at. */
export function stateBehind(view: ExchangeView): State {
  return (view as unknown as Readonly<{ state: State }>).state
}
