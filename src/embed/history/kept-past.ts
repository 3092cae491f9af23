// The past of an embedded exchange, for explanations: its stored commands, replayed from the first.

import { createState, EventLog, type Genesis } from '../../core/index.ts'
import type { Past } from '../../projections/explain/past.ts'
import { outcomeOf } from '../../sequencer/outcome.ts'
import { beginning, Replica } from '../../sequencer/replica/replica.ts'
import type { KeptCommands } from './kept-commands.ts'
import { applyEntry } from './replay.ts'
import { SavedBytes } from './saved-bytes.ts'

export function keptPast(genesis: Genesis, kept: KeptCommands): Past {
  return {
    stateBefore: () => 0,
    async replay({ after, to, outcome, before, settled }) {
      const replica = new Replica(createState(genesis), beginning)
      const log = new EventLog()
      const saved = new SavedBytes()
      const end = to ?? kept.length
      for (let seq = 1; seq <= end; seq++) {
        const placed = kept.at(seq)
        log.clear()
        if (placed.entry.kind === 'command') before?.(seq, replica.view)
        applyEntry(placed, replica, log, saved)
        if (seq > after) outcome?.(outcomeOf(placed, log, 0))
        settled?.(replica.view)
      }
      return { from: 0, view: replica.view, isUndone: (seq) => replica.isUndone(seq) }
    },
  }
}
