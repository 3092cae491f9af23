// Notes that restore a sandbox after a restart, in addition to the scripts of its prices
// (prices/script.ts): whether the bots run, and which simulated history is still missing. A note is
// a command, so after a crash it is stored either completely or not at all.

import type { CommandOf } from '../core/index.ts'

export type Notes = ReadonlyMap<string, string>
type KeepNote = CommandOf<'KeepNote'>

/** `configured`: the setting when the note was written. If the setting differs at the next start,
 *  the setting takes precedence; otherwise the note does. */
export type BotsNote = Readonly<{ running: boolean; configured: boolean }>

/** `endMs`: the first millisecond after the simulated history, on a minute. */
export type PastNote = Readonly<{ minutes: number; endMs: number }>

export function botsNote(bots: BotsNote): KeepNote {
  return { type: 'KeepNote', name: 'bots', text: JSON.stringify(bots) }
}

export function botsIn(notes: Notes): BotsNote | null {
  const text = notes.get('bots')
  return text === undefined ? null : (JSON.parse(text) as BotsNote)
}

/** Note about missing history; `past` is `null` if the history is complete. */
export function pastNote(past: PastNote | null): KeepNote {
  return { type: 'KeepNote', name: 'past', text: past === null ? null : JSON.stringify(past) }
}

export function pastIn(notes: Notes): PastNote | null {
  const text = notes.get('past')
  return text === undefined ? null : (JSON.parse(text) as PastNote)
}
