// Incidents, stored in the notes of the state (decision 27). The announcement and each update is a
// separate note that is never changed, so that simultaneous updates of two operators are both kept.

import { randomBytes } from 'node:crypto'
import type { CommandOf } from '../../core/index.ts'
import type { IncidentRow } from '../../protocol/schemas/status.ts'
import { apiError } from '../api-error.ts'

type Notes = ReadonlyMap<string, string>
type KeepNote = CommandOf<'KeepNote'>
export type Announcement = Pick<IncidentRow, 'title' | 'text' | 'impact' | 'markets'>
type Said = Readonly<{ at: number; text: string; resolves: boolean }>

export const incidentLimits = { open: 20, kept: 40, updates: 10 } as const

const prefix = 'incident/'
const keep = (name: string, text: string | null): KeepNote => ({ type: 'KeepNote', name, text })
/** A name that sorts by time and is unique within a millisecond. */
const nameAt = (at: number) => `${at.toString(36)}-${randomBytes(3).toString('hex')}`

/** Open incidents first, each group newest first. */
export function incidentsIn(notes: Notes): readonly IncidentRow[] {
  const names = [...notes.keys()].filter((name) => name.startsWith(prefix)).sort()
  const heads = names.filter((name) => name.split('/').length === 2)
  const rows = heads.map((head) => rowOf(head, notes, names))
  const isOpen = ({ resolved_at }: IncidentRow) => resolved_at === null
  return [...rows.filter(isOpen).reverse(), ...rows.filter((row) => !isOpen(row)).reverse()]
}

function rowOf(head: string, notes: Notes, names: readonly string[]): IncidentRow {
  const { at, ...announced } = JSON.parse(notes.get(head)!) as Announcement & { at: number }
  const said = names
    .filter((name) => name.startsWith(`${head}/`))
    .map((name) => JSON.parse(notes.get(name)!) as Said)
  const updates = said.map(({ at: when, text }) => ({ at: when, text }))
  const resolved = said.find(({ resolves }) => resolves)
  const id = head.slice(prefix.length)
  return { id, ...announced, announced_at: at, updates, resolved_at: resolved?.at ?? null }
}

/** The id and the notes to journal, in order. A new incident replaces the oldest resolved one if
 *  necessary. */
export function announce(notes: Notes, announcement: Announcement, at: number) {
  const rows = incidentsIn(notes)
  const open = rows.filter(({ resolved_at }) => resolved_at === null)
  if (open.length >= incidentLimits.open)
    throw apiError(
      'MALFORMED_REQUEST',
      `${open.length} incidents go on, and no more than ${incidentLimits.open} may; resolve one`,
    )
  const past = rows.slice(incidentLimits.kept - 1).filter(({ resolved_at }) => resolved_at !== null)
  const gone = past.flatMap(({ id }) => namesOf(notes, id)).map((name) => keep(name, null))
  const id = nameAt(at)
  const text = JSON.stringify({ at, ...announcement })
  return { id, commands: [...gone, keep(prefix + id, text)] }
}

const namesOf = (notes: Notes, id: string) =>
  [...notes.keys()].filter((name) => name === prefix + id || name.startsWith(`${prefix}${id}/`))

export function say(notes: Notes, id: string, said: Said): KeepNote {
  const row = incidentsIn(notes).find((each) => each.id === id)
  if (row === undefined)
    throw apiError('NOT_FOUND', `no incident is called ${id}; GET /incidents lists them`)
  if (row.resolved_at !== null)
    throw apiError('MALFORMED_REQUEST', `incident ${id} is resolved; announce another one`)
  // One update is reserved for the resolution.
  const most = said.resolves ? incidentLimits.updates : incidentLimits.updates - 1
  if (row.updates.length >= most)
    throw apiError(
      'MALFORMED_REQUEST',
      `incident ${id} has ${row.updates.length} updates, and no more than ${most} fit; resolve ` +
        'it, or resolve it and announce another one',
    )
  return keep(`${prefix}${id}/${nameAt(said.at)}`, JSON.stringify(said))
}
