// Applies one entry to a replica, both live and in a replay, so that they cannot diverge. Also
// replays a whole history into a new exchange, to verify that it reaches the same state.

import { type ClosedState, createState, EventLog, type Genesis } from '../../core/index.ts'
import type { Placed } from '../../sequencer/entry.ts'
import { beginning, Replica } from '../../sequencer/replica/replica.ts'
import { broken } from '../../units/invariant.ts'
import { SavedBytes } from './saved-bytes.ts'

/** Applies an entry, whose seq must follow the replica's. Its events are appended to the log. */
export function applyEntry(
  placed: Placed,
  replica: Replica,
  log: EventLog,
  saved: SavedBytes,
): void {
  const { seq, entry } = placed
  if (entry.kind === 'command') {
    replica.apply(seq, placed, entry.command, log)
  } else if (entry.kind === 'snapshot') {
    replica.pass(seq)
    saved.save(entry.id, seq, entry.sources, replica.state)
  } else {
    const found = saved.get(entry.id) ?? broken('a revert to what was never saved', seq)
    replica.revert(seq, saved.goBack(found), found.seq)
  }
}

/** Returns the state after a replay of the whole history. */
export function replayed(genesis: Genesis, entries: Iterable<Placed>): ClosedState {
  const replica = new Replica(createState(genesis), beginning)
  const log = new EventLog()
  const saved = new SavedBytes()
  for (const placed of entries) {
    log.clear()
    applyEntry(placed, replica, log, saved)
  }
  return replica.state
}
