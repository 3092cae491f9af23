// The interface of the sources to the sequencer: the queue of commands, the view, and the two
// entries of a sandbox that are not commands.

import type { Command, EventOf, EventType, ExchangeView, RejectionName } from '../core/index.ts'
import type { By } from '../sequencer/entry.ts'
import { type Outcome, ownEventsOf } from '../sequencer/outcome.ts'

export type SourceExchange = Readonly<{
  /** Resolves when durable and applied. The engine clock is read **during this call**, once per
   *  command: a source that walks through time sets the clock, submits, and sets it again. */
  submit(command: Command, by?: By): Promise<Outcome>
  /** Another object after a revert. */
  view: ExchangeView
  takeSnapshot(id: string, sources: string): Promise<Readonly<{ seq: number; atMs: number }>>
  /** Returns the sources' text that was saved with the snapshot; undefined if there is none. */
  revert(id: string): Promise<string | undefined>
}>

/** The core rejected a request of a user of the sandbox. */
export class Refused extends Error {
  readonly rejection: RejectionName
  readonly numbers: readonly number[]

  constructor(rejection: RejectionName, numbers: readonly number[]) {
    super(`refused: ${rejection} ${numbers.join(' ')}`.trimEnd())
    this.rejection = rejection
    this.numbers = numbers
  }
}

/** Submits a command that must not be refused. Its events are read in the turn of their batch. */
export function submitChecked(exchange: SourceExchange, command: Command): Promise<Outcome> {
  return exchange.submit(command).then((outcome) => {
    const refusal = firstOf(outcome, 'CommandRejected')
    if (refusal === undefined) return outcome
    throw new Refused(refusal.rejection, [refusal.first, refusal.second, refusal.third])
  })
}

/** The first event of the command itself, not of due work that ran before it. */
export function firstOf<T extends EventType>(outcome: Outcome, type: T): EventOf<T> | undefined {
  return ownEventsOf(outcome).find((event) => event.type === type) as EventOf<T> | undefined
}
