// A queued entry, and its caller.

import type { Entry } from '../entry.ts'
import type { Outcome } from '../outcome.ts'
import type { SavedState } from '../ports.ts'
import type { Queued } from './record-queue.ts'

type Resolve = (outcome: Outcome) => void
type Reject = (error: unknown) => void

let resolveNext: Resolve
let rejectNext: Reject
/** A shared function instead of a closure for each promise, which saves one object per order. */
function keep(resolve: Resolve, reject: Reject): void {
  resolveNext = resolve
  rejectNext = reject
}

export class Waiting implements Queued {
  position = 0
  length = 0
  atMs = 0
  /** Resolves when the snapshot is saved; `null` for other entries. The caller is answered after
   *  it. */
  saving: Promise<void> | null = null
  readonly kind: Entry['kind']
  /** Whether the command has a proof, so that it gets a stamp (CORE-6). */
  signed = false
  /** Account of the command; undefined if the command does not belong to a single account. */
  readonly account: unknown
  readonly actions: number
  /** The saved state that a revert restores. */
  readonly saved: SavedState | null
  readonly answered: Promise<Outcome>
  readonly resolve: Resolve
  readonly reject: Reject

  constructor(kind: Entry['kind'], account: unknown, saved: SavedState | null, actions = 1) {
    this.kind = kind
    this.account = account
    this.actions = actions
    this.saved = saved
    this.answered = new Promise(keep)
    this.resolve = resolveNext
    this.reject = rejectNext
  }
}

/** Answers the caller. If a snapshot could not be saved, only its caller gets the error. */
export function answer({ saving, resolve, reject }: Waiting, outcome: Outcome): void {
  if (saving === null) resolve(outcome)
  else saving.then(() => resolve(outcome), reject)
}

export function actionsOf(batch: readonly Waiting[]): number {
  let sum = 0
  for (const { actions } of batch) sum += actions
  return sum
}
