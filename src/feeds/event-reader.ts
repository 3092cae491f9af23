import type { Outcome } from '../sequencer/outcome.ts'

/** Reads an event where it stands in the log of its outcome. */
export type EventReader = (outcome: Outcome, row: number) => void
