// One entry that waits for its place in history, and its caller.

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
  /** A snapshot is answered when it is saved. */
  saving: Promise<void> | null = null
  readonly kind: Entry['kind']
  /** A command with a proof: it gets a stamp (CORE-6). */
  signed = false
  /** Account of the command; undefined if it is not of a single account. */
  readonly account: unknown
  readonly actions: number
  /** The saved state that a revert goes back to. */
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

/** A snapshot that could not be saved fails only for its requester. */
export function answer({ saving, resolve, reject }: Waiting, outcome: Outcome): void {
  if (saving === null) resolve(outcome)
  else saving.then(() => resolve(outcome), reject)
}

export function actionsOf(batch: readonly Waiting[]): number {
  let sum = 0
  for (const { actions } of batch) sum += actions
  return sum
}
