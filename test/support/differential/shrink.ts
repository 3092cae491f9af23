// From a failing history to a short one: the smallest prefix first, then halves, quarters and so on are
// left out as long as the same kind of failure remains. What stays is what someone has to read.

import type { Genesis } from '../../../src/core/genesis.ts'
import type { Step } from './generator.ts'
import { type Failure, type FailureKind, Twins } from './twins.ts'

/** Every command compared in full: a shorter history must not miss what a stride would skip. */
const everyCommand = { views: 1, invariants: 1 }

export function replayed(genesis: Genesis, history: readonly Step[]): Failure | null {
  const twins = new Twins(genesis, everyCommand)
  for (const step of history) {
    const failure = twins.step(step)
    if (failure !== null) return failure
  }
  return null
}

export function shrunk(
  genesis: Genesis,
  history: readonly Step[],
  options: Readonly<{ kind: FailureKind; attempts: number }>,
): readonly Step[] {
  let attempts = options.attempts
  /** The failing part of a candidate, or null if it does not fail alike. */
  const failing = (candidate: readonly Step[]): readonly Step[] | null => {
    attempts -= 1
    const failure = replayed(genesis, candidate)
    if (failure === null || failure.kind !== options.kind) return null
    return candidate.slice(0, failure.index + 1)
  }
  let kept = failing(history) ?? history
  let chunk = Math.ceil(kept.length / 2)
  while (chunk >= 1 && attempts > 0) {
    let dropped = false
    // From the back: what comes late depends on what came early, seldom the other way round.
    for (let end = kept.length - 1; end > 0 && attempts > 0; end -= chunk) {
      const start = Math.max(0, end - chunk)
      const shorter = failing([...kept.slice(0, start), ...kept.slice(end)])
      if (shorter === null) continue
      kept = shorter
      dropped = true
      end = Math.min(end, kept.length - 1 + chunk)
    }
    if (chunk === 1 && !dropped) break
    chunk = dropped && chunk > 1 ? Math.min(chunk, Math.ceil(kept.length / 2)) : chunk
    if (!dropped) chunk = chunk === 1 ? 0 : Math.ceil(chunk / 2)
  }
  return kept
}

/** JSON that keeps the numbers JSON does not know. */
export function historyText(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    const odd = typeof inner === 'number' && !Number.isFinite(inner)
    return odd ? { number: String(inner) } : inner
  })
}

export function historyOf<T>(text: string): T {
  return JSON.parse(text, (_, inner) => {
    const odd = typeof inner === 'object' && inner !== null && typeof inner.number === 'string'
    return odd ? Number(inner.number) : inner
  }) as T
}
