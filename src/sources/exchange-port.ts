// The interface between sources and sequencer: the queue of commands, the view, and the two sandbox
// entries that are not commands.

import type { Command, EventOf, EventType, ExchangeView, RejectionName } from '../core/index.ts'
import type { By } from '../sequencer/entry.ts'
import { type Outcome, ownEventsOf } from '../sequencer/outcome.ts'
import type { StateHashes } from '../sequencer/snapshots/state-hash.ts'

export type SourceExchange = Readonly<{
  /** Submits a command; resolves when it is durable and applied. The engine clock is read **during
   *  this call**, once per command. A source that advances time sets the clock, submits, and sets
   *  it again. */
  submit(command: Command, by?: By): Promise<Outcome>
  /** Whether no command waits or is being written. */
  isIdle: boolean
  /** View of the exchange. A revert replaces the object. */
  view: ExchangeView
  hashes(): Promise<StateHashes>
  takeSnapshot(id: string, sources: string): Promise<Readonly<{ seq: number; atMs: number }>>
  /** Reverts to a snapshot. Returns the source state saved with it; undefined if there is no such
   *  snapshot. */
  revert(id: string): Promise<string | undefined>
}>

/** A user's request to the sandbox that the core has rejected. */
export class Refused extends Error {
  readonly rejection: RejectionName
  readonly numbers: readonly number[]

  constructor(rejection: RejectionName, numbers: readonly number[]) {
    super(`refused: ${rejection} ${numbers.join(' ')}`.trimEnd())
    this.rejection = rejection
    this.numbers = numbers
  }
}

/** Submits a command; throws if it is refused. Its events must be read in the turn of their
 *  batch. */
export function submitChecked(exchange: SourceExchange, command: Command): Promise<Outcome> {
  return exchange.submit(command).then((outcome) => {
    const refusal = firstOf(outcome, 'CommandRejected')
    if (refusal === undefined) return outcome
    throw new Refused(refusal.rejection, [refusal.first, refusal.second, refusal.third])
  })
}

/** First event of this type that the command itself caused, excluding due work that ran before
 *  it. */
export function firstOf<T extends EventType>(outcome: Outcome, type: T): EventOf<T> | undefined {
  return ownEventsOf(outcome).find((event) => event.type === type) as EventOf<T> | undefined
}
