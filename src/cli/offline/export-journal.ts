// Exports the journal as lines: every entry, or every event, in order. Reverted entries are
// included and marked.

import { kindAt, kindOfEvent, nextAfter } from '../../core/index.ts'
import { readDataFolder } from '../../sequencer/data-folder.ts'
import { eventsOf, type Outcome } from '../../sequencer/outcome.ts'
import { recover } from '../../sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../sequencer/snapshots/saved-state-files.ts'

export type Line = Readonly<Record<string, unknown>>

export type ExportRange = Readonly<{ from: number; to: number }>

/** Calls `onLine` for each line; `to` may be infinite. Resolves with the seq after which history
 *  begins. */
export async function exportJournal(
  path: string,
  what: 'commands' | 'events',
  { from, to }: ExportRange,
  onLine: (line: Line) => void,
): Promise<number> {
  const folder = readDataFolder(path)
  const linesOf = what === 'commands' ? commandLines : eventLines
  let timeline = 0
  const readOutcome = (outcome: Outcome) => {
    if (outcome.seq < from || outcome.seq > to) return
    for (const line of linesOf(outcome)) onLine({ ...line, timeline })
  }
  const recovered = await recover(folder, {
    saved: new SavedStateFiles(folder.saved),
    ...(Number.isFinite(to) && { to }),
    feed: {
      after: 0,
      take: (batch) => {
        timeline = batch.timeline
        batch.outcomes.forEach(readOutcome)
      },
    },
  })
  return recovered.from
}

function commandLines({ seq, atMs, entry, log, ownFirst, ownEnd }: Outcome): readonly Line[] {
  const kind = kindOfEvent('CommandRejected')
  let refused = false
  for (let at = ownFirst; at < ownEnd; at = nextAfter(log.rows, at))
    refused ||= kindAt(log.rows, at) === kind
  return [{ seq, atMs, ...entry, refused }]
}

function eventLines(outcome: Outcome): readonly Line[] {
  const { seq, atMs } = outcome
  return eventsOf(outcome).map((event) => ({ seq, atMs, ...event }))
}
