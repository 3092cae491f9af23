// The notes by which a sandbox finds itself again after a restart, beside the scripts of its prices
// (prices/script.ts): whether the bots run, and the past that its charts are still owed. Notes are
// commands like everything else: a crash has either kept one or not, and never half of it.

import type { CommandOf } from '../core/index.ts'

export type Notes = ReadonlyMap<string, string>
type KeepNote = CommandOf<'KeepNote'>

/** `configured`: what the process was started with when it was noted. A start that is configured
 *  otherwise is somebody's wish; one that is not changes nothing. */
export type BotsNote = Readonly<{ running: boolean; configured: boolean }>

/** `endMs`: the first millisecond that was not past, on a minute. */
export type PastNote = Readonly<{ minutes: number; endMs: number }>

export function botsNote(bots: BotsNote): KeepNote {
  return { type: 'KeepNote', name: 'bots', text: JSON.stringify(bots) }
}

export function botsIn(notes: Notes): BotsNote | null {
  const text = notes.get('bots')
  return text === undefined ? null : (JSON.parse(text) as BotsNote)
}

/** Null: charts have been told. */
export function pastNote(past: PastNote | null): KeepNote {
  return { type: 'KeepNote', name: 'past', text: past === null ? null : JSON.stringify(past) }
}

export function pastIn(notes: Notes): PastNote | null {
  const text = notes.get('past')
  return text === undefined ? null : (JSON.parse(text) as PastNote)
}
