import type { Outcome } from '../sequencer/outcome.ts'

/** Reads the event at index `at` in the log of its outcome. */
export type EventReader = (outcome: Outcome, at: number) => void
