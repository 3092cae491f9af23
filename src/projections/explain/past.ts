// The past that explanations are made from: commands with their events, and the states before and
// after them. A replay begins at the newest saved state before the first command that is needed.

import {
  type Event,
  type EventType,
  type ExchangeView,
  kindAt,
  kindOfEvent,
  nextAfter,
} from '../../core/index.ts'
import type { Entry } from '../../sequencer/entry.ts'
import { eventsOf, type Outcome } from '../../sequencer/outcome.ts'

/** Why there is no explanation: the object does not exist, or the journal of that time was removed
 *  or is too long to be replayed. */
export class NoExplanation extends Error {
  override readonly name = 'NoExplanation'
  readonly why: 'unknown' | 'gone' | 'far'

  constructor(why: NoExplanation['why'], message: string) {
    super(message)
    this.why = why
  }
}

/** A part of the journal to replay. */
export type Replay = Readonly<{
  /** Entries after this seq are reported. */
  after: number
  /** Last entry; `null` for the newest. */
  to: number | null
  outcome?(outcome: Outcome): void
  /** Called before each command, and after each frame of commands. */
  before?(seq: number, view: ExchangeView): void
  settled?(view: ExchangeView): void
}>

export type Replayed = Readonly<{
  /** The seq at which the replay started. */
  from: number
  view: ExchangeView
  isUndone(seq: number): boolean
}>

export type Past = Readonly<{
  /** Seq of the newest saved state up to this one; `null` if its journal was removed. */
  stateBefore(seq: number): number | null
  replay(part: Replay): Promise<Replayed>
}>

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

/** The commands that an explanation needs; `null` to search the whole journal for them. */
export type Seqs = readonly number[] | null

/** Selects events by their numbers in the log, without creating objects. */
export type EventFilter = Readonly<
  Partial<Record<EventType, (rows: Float64Array, at: number) => boolean>>
>

export function notFound(what: string, { fromSeq }: Pick<Search, 'fromSeq'>): NoExplanation {
  const gone = fromSeq > 0 ? `; what happened before seq ${fromSeq + 1} is no longer there` : ''
  return new NoExplanation('unknown', `there is no ${what} in this history${gone}`)
}

/** `which`: a seq, the address of an account, or `null` for any. */
export function objectText(what: string, which: string | null): string {
  if (which === null) return what
  return /^\d+$/.test(which) ? `${what} ${which}` : `${what} of account ${which}`
}

/** Throws if a replay to these commands would apply more than `max` entries. */
export function requireReach(past: Past, seqs: readonly number[], max: number): void {
  const applied = stretchesOf(past, seqs).reduce((sum, { from, to }) => sum + to - from, 0)
  if (applied <= max) return
  throw new NoExplanation(
    'far',
    `the journal would have to be replayed for ${applied} entries, and at most ${max} are for a ` +
      'request; `openperp explain` does it from the data folder',
  )
}

type Stretch = Readonly<{ from: number; seqs: ReadonlySet<number>; first: number; to: number }>

/** Groups the commands by the state that they are replayed from. */
function stretchesOf(past: Past, seqs: readonly number[]): readonly Stretch[] {
  const byBase = new Map<number, number[]>()
  for (const seq of [...new Set(seqs)].sort((a, b) => a - b)) {
    const from = past.stateBefore(seq - 1)
    if (from === null) throw new NoExplanation('gone', `the journal of seq ${seq} was removed`)
    byBase.set(from, [...(byBase.get(from) ?? []), seq])
  }
  return [...byBase].map(([from, group]) => {
    return { from, seqs: new Set(group), first: group[0]!, to: group.at(-1)! }
  })
}

/** Finds events. Reverted events are excluded. */
export async function findEvents(past: Past, wanted: EventFilter, seqs: Seqs): Promise<Search> {
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
  if (seqs === null) {
    const whole = await past.replay({ after: 0, to: null, outcome: readOutcome })
    const kept = found.filter(({ seq }) => !whole.isUndone(seq))
    return { found: kept, fromSeq: whole.from, view: whole.view }
  }
  let view: ExchangeView | null = null
  for (const { first, to, seqs: here } of stretchesOf(past, seqs)) {
    const outcome = (each: Outcome) => here.has(each.seq) && readOutcome(each)
    view = (await past.replay({ after: first - 1, to, outcome })).view
  }
  if (view === null) throw notFound('such event', { fromSeq: 0 })
  return { found, fromSeq: 0, view }
}

export type StateWatch = Readonly<{
  before?(seq: number, view: ExchangeView): void
  after?(seq: number, view: ExchangeView): void
}>

/** Calls back before and after each of these commands. */
export async function stateAt(
  past: Past,
  seqs: readonly number[],
  { before, after }: StateWatch,
): Promise<void> {
  for (const { seqs: wanted, first, to } of stretchesOf(past, seqs)) {
    let open: number | null = null
    const close = (view: ExchangeView) => {
      if (open !== null) after?.(open, view)
      open = null
    }
    await past.replay({
      // The initial state must precede the first command.
      ...{ after: first - 1, to },
      before: (seq, view) => {
        close(view)
        if (!wanted.has(seq)) return
        before?.(seq, view)
        open = seq
      },
      settled: close,
    })
  }
}
