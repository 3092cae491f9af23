// What a failing world prints: where, which command, both event lists, and the shortest history
// that still fails.

import type { Genesis } from '../../../src/core/state/genesis.ts'
import type { Step } from './generator.ts'
import { historyText, replayed, shrunk } from './shrink.ts'
import type { Failure } from './twins.ts'

export type Failed = Readonly<{
  seed: number
  genesis: Genesis
  history: readonly Step[]
  failure: Failure
}>
export type Repro = Readonly<{ genesis: Genesis; history: readonly Step[] }>

export function describeFailure({ seed, history, failure }: Failed): string {
  const step = history[failure.index]
  const list = (events: Failure['core']) => events.map((event) => `  ${historyText(event)}`)
  return [
    `seed ${seed}, command ${failure.index + 1}: ${failure.kind}: ${failure.detail}`,
    `command at ${step?.atMs}: ${historyText(step?.command)}`,
    'core:',
    ...list(failure.core),
    'twin:',
    ...list(failure.naive),
  ].join('\n')
}

/** A history as short as it gets that fails in the same way. */
export function reproOf({ genesis, history, failure }: Failed, attempts: number): Repro {
  const upTo = history.slice(0, failure.index + 1)
  const kept =
    failure.kind === 'hash' ? history : shrunk(genesis, upTo, { like: failure, attempts })
  return { genesis, history: kept }
}

export function describeRepro({ genesis, history }: Repro): string {
  const failure = replayed(genesis, history)
  const short = failure === null ? '' : describeFailure({ seed: 0, genesis, history, failure })
  return `${history.length} commands fail alike:\n${short}\n${historyText({ genesis, history })}`
}
