// The entries of an embedded exchange as a history that can be played again and compared.

import { createState, EventLog, type Genesis } from '../../core/index.ts'
import type { Point } from '../../lab/fork/point.ts'
import type { History, Take } from '../../lab/history.ts'
import type { Placed } from '../../sequencer/entry.ts'
import { outcomeOf } from '../../sequencer/outcome.ts'
import { beginning, Replica } from '../../sequencer/replica/replica.ts'
import { type Instant, instantMs } from '../options/duration.ts'
import { applyEntry } from './replay.ts'
import { SavedBytes } from './saved-bytes.ts'

export class EntriesHistory implements History {
  readonly anonymised = false
  readonly oldest = 0
  readonly name: string
  private readonly genesis: Genesis
  readonly entries: readonly Placed[]

  constructor(name: string, genesis: Genesis, entries: readonly Placed[]) {
    this.name = name
    this.genesis = genesis
    this.entries = entries
  }

  seqAt(point: Point): number {
    const { length } = this.entries
    if ('atMs' in point) {
      const later = this.entries.findIndex(({ atMs }) => atMs > point.atMs)
      return later < 0 ? length : later
    }
    if (Number.isSafeInteger(point.seq) && point.seq >= 0 && point.seq <= length) return point.seq
    throw new RangeError(`there is no entry ${point.seq}; the newest one is ${length}`)
  }

  async at(seq: number): Promise<Replica> {
    return this.play({ after: seq, to: seq }, () => undefined)
  }

  /** Without effect: snapshots are among the entries. */
  savedState(): Promise<null> {
    return Promise.resolve(null)
  }

  async play(
    { after, to = this.entries.length }: Readonly<{ after: number; to?: number }>,
    take: Take,
  ): Promise<Replica> {
    const replica = new Replica(createState(this.genesis), beginning)
    const log = new EventLog()
    const saved = new SavedBytes()
    for (const placed of this.entries.slice(0, to)) {
      log.clear()
      applyEntry(placed, replica, log, saved)
      const { stampMs = 0 } = placed
      if (placed.seq > after) await take({ ...outcomeOf(placed, log, 0), stampMs }, replica)
    }
    return replica
  }
}

/** The entries up to a seq or an engine time; `undefined`: all. */
export function entriesUpTo(history: EntriesHistory, at?: number | Instant): readonly Placed[] {
  const { entries } = history
  if (at === undefined) return entries
  const point = typeof at === 'number' ? { seq: at } : { atMs: instantMs(at) }
  return entries.slice(0, history.seqAt(point))
}
