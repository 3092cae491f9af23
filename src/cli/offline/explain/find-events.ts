// Finds events in history, and the states before and after them. The journal is replayed twice:
// once to find the events, and once from the nearest snapshot to stop before and after them.

import {
  type Event,
  type EventType,
  type ExchangeView,
  kindAt,
  kindOfEvent,
  nextAfter,
} from '../../../core/index.ts'
import { readDataFolder } from '../../../sequencer/data-folder.ts'
import type { Entry } from '../../../sequencer/entry.ts'
import { eventsOf, type Outcome } from '../../../sequencer/outcome.ts'
import { recover } from '../../../sequencer/replica/recover.ts'
import type { Replica } from '../../../sequencer/replica/replica.ts'
import { SavedStateFiles } from '../../../sequencer/snapshots/saved-state-files.ts'
import { CliError } from '../../frame/exit-codes.ts'

/** An event with all events of its command. */
export type Found = Readonly<{
  seq: number
  atMs: number
  entry: Entry
  /** All events of the command, and the index of this one. */
  events: readonly Event[]
  at: number
}>

export type Search = Readonly<{
  found: readonly Found[]
  /** First entry that was replayed, if the journal's beginning was removed. */
  fromSeq: number
  /** View of the exchange at the end. */
  view: ExchangeView
}>

export function notFound(what: string, { fromSeq }: Pick<Search, 'fromSeq'>): CliError {
  const gone = fromSeq > 0 ? `; what happened before seq ${fromSeq + 1} is no longer there` : ''
  return new CliError('refused', `there is no ${what} in this history${gone}`)
}

/** Selects events by their numbers in the log, without creating objects. */
export type EventFilter = Readonly<
  Partial<Record<EventType, (rows: Float64Array, at: number) => boolean>>
>

/** Finds events. Reverted events are excluded. */
export async function findEvents(path: string, wanted: EventFilter): Promise<Search> {
  const folder = readDataFolder(path)
  const byKind = new Map(
    Object.entries(wanted).map(([type, test]) => [kindOfEvent(type as EventType), test]),
  )
  const found: Found[] = []
  const readOutcome = (outcome: Outcome) => {
    const { rows } = outcome.log
    let index = 0
    for (let at = outcome.first; at < outcome.end; at = nextAfter(rows, at)) {
      if (byKind.get(kindAt(rows, at))?.(rows, at) === true) {
        const { seq, atMs, entry } = outcome
        found.push({ seq, atMs, entry, events: eventsOf(outcome), at: index })
      }
      index += 1
    }
  }
  const { replica, from } = await recover(folder, {
    saved: new SavedStateFiles(folder.saved),
    feed: { after: 0, take: ({ outcomes }) => outcomes.forEach(readOutcome) },
  })
  const kept = found.filter(({ seq }) => !replica.isUndone(seq))
  return { found: kept, fromSeq: from, view: replica.view }
}

export type StateWatch = Readonly<{
  before(seq: number, view: ExchangeView): void
  after(seq: number, view: ExchangeView): void
}>

/** Calls back before and after each of these commands. */
export async function stateAt(
  path: string,
  seqs: readonly number[],
  watch: StateWatch,
): Promise<void> {
  const folder = readDataFolder(path)
  const wanted = new Set(seqs)
  const [first, last] = [Math.min(...seqs), Math.max(...seqs)]
  let open: number | null = null
  const close = ({ view }: Replica) => {
    if (open !== null) watch.after(open, view)
    open = null
  }
  await recover(folder, {
    saved: new SavedStateFiles(folder.saved),
    to: last,
    // The initial state must precede the first command.
    feed: { after: first - 1, take: () => undefined },
    watch: {
      before: (seq, replica) => {
        close(replica)
        if (!wanted.has(seq)) return
        watch.before(seq, replica.view)
        open = seq
      },
      frame: (_, replica) => close(replica),
    },
  })
}
