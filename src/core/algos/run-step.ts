// Runs a step of an algo by its kind (ALGO-1). A new kind is registered here.

import type { AlgoKind } from '../../words/order-words.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { follow } from './chase.ts'
import { showPart } from './iceberg.ts'
import { runSlice } from './twap.ts'

type Step = (state: State, log: EventLog, algo: Algo) => void

const steps: Readonly<Record<AlgoKind, Step>> = {
  twap: runSlice,
  iceberg: showPart,
  chase: follow,
}

export function runStep(state: State, log: EventLog, algo: Algo): void {
  algo.dueAt = 0
  steps[algo.kind](state, log, algo)
}
