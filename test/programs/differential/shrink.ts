// From a failing history to a short one: first the smallest prefix, then halves, quarters and so on
// are dropped as long as the same kind of failure remains. The rest is what a person has to read.

import type { Genesis } from '../../../src/core/state/genesis.ts'
import type { Step } from './generator.ts'
import { type Failure, type Strides, Twins } from './twins.ts'

/** Every command compared in full: a shorter history must not miss what a stride would skip. */
const everyCommand = { views: 1, invariants: 1 }

export function replayed(
  genesis: Genesis,
  history: readonly Step[],
  strides: Strides = everyCommand,
): Failure | null {
  const twins = new Twins(genesis, strides)
  for (const step of history) {
    const failure = twins.step(step)
    if (failure !== null) return failure
  }
  return null
}

/** Only what the failure needs is looked at: views and invariants cost far more than events. */
function stridesFor({ kind }: Failure): Strides {
  const never = Number.MAX_SAFE_INTEGER
  return { views: kind === 'view' ? 1 : never, invariants: kind === 'invariant' ? 1 : 0 }
}

/** What makes two failures the same: everything but ids, amounts and places. */
function signatureOf({ kind, detail }: Failure): string {
  return `${kind} ${detail.split('\n')[0]}`.replace(/-?\d+/g, '#')
}

export function shrunk(
  genesis: Genesis,
  history: readonly Step[],
  options: Readonly<{ like: Failure; attempts: number }>,
): readonly Step[] {
  const wanted = signatureOf(options.like)
  const strides = stridesFor(options.like)
  const failing = (candidate: readonly Step[]) => {
    const failure = replayed(genesis, candidate, strides)
    if (failure === null || signatureOf(failure) !== wanted) return null
    return candidate.slice(0, failure.index + 1)
  }
  return minimised(history, failing, options.attempts)
}

/**
 * `failing` gives the part of a list up to its failing element, or null if the list does not fail.
 * The result still fails, and no single element but the last can be left out of it (given the
 * attempts).
 */
export function minimised<T>(
  list: readonly T[],
  failing: (list: readonly T[]) => readonly T[] | null,
  attempts: number,
): readonly T[] {
  let left = attempts
  let kept = failing(list) ?? list
  let chunk = Math.ceil(kept.length / 2)
  while (left > 0) {
    let dropped = false
    // From the back: what comes late depends on what came early, seldom the other way round.
    for (let end = kept.length - 1; end > 0 && left > 0; left--) {
      const start = Math.max(0, end - chunk)
      const shorter = failing([...kept.slice(0, start), ...kept.slice(end)])
      if (shorter !== null) {
        kept = shorter
        dropped = true
      }
      end = Math.min(start, kept.length - 1)
    }
    if (chunk === 1 && !dropped) break
    chunk = Math.max(1, chunk >> 1)
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
