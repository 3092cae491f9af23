// One run of the exchange from its genesis, with every command it was given: what a sequencer and a
// journal will do, in memory and with a clock that is set by hand.

import type { Command, Sequenced } from '../core/commands.ts'
import { apply, createState, EventLog, type State } from '../core/engine.ts'
import type { Event, EventOf, EventType } from '../core/events/event-fields.ts'
import type { Genesis } from '../core/genesis.ts'
import type { Ppm, TimeMs } from '../units/units.ts'

const genesis: Genesis = {
  feesAddress: 'fees',
  insuranceAddress: 'insurance',
  deficitAddress: 'deficit',
  feeTiers: [{ volumeDollars: 0, makerPpm: 150 as Ppm, takerPpm: 400 as Ppm }],
}

export class Session {
  readonly state: State = createState(genesis)
  readonly history: Sequenced[] = []
  /** Noon of a day in June. */
  atMs = 1_749_988_800_000
  private readonly log = new EventLog()

  /** What came of it. A story has no refusals: one is a mistake in it. */
  submit(command: Command): Event[] {
    const sequenced = { seq: this.state.seq + 1, atMs: this.atMs as TimeMs, command }
    this.history.push(sequenced)
    this.log.clear()
    apply(this.state, sequenced, this.log)
    const events = this.log.readAll()
    const refusal = events.find(({ type }) => type === 'CommandRejected')
    if (refusal !== undefined) throw new Error(`${command.type}: ${JSON.stringify(refusal)}`)
    return events
  }

  accountOf(address: string): number {
    const account = this.state.accounts.byAddress.get(address)
    if (account === undefined) throw new Error(`no account of ${address}`)
    return account
  }

  nameOf(account: number): string {
    return this.state.accounts.records[account]!.address
  }
}

/** A new exchange, given the same commands. */
export function replayed(history: readonly Sequenced[]): State {
  const state = createState(genesis)
  const log = new EventLog()
  for (const sequenced of history) {
    log.clear()
    apply(state, sequenced, log)
  }
  return state
}

export function eventsOf<T extends EventType>(events: readonly Event[], type: T): EventOf<T>[] {
  return events.filter((event) => event.type === type) as unknown as EventOf<T>[]
}
