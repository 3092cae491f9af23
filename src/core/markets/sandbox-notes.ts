// Records that the price sources of a sandbox write into history: notes that they read after a
// restart, and the past of a market for its charts. Both are texts that no rule reads (MARKET-6).
// They are commands so that a journal alone restores a sandbox.

import { marketRefusal } from '../admission/admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'

export function keepNote(
  state: State,
  log: EventLog,
  { name, text }: CommandOf<'KeepNote'>,
): Rejection | null {
  const { notes } = state
  if (!isText(name, limits.textLength)) return refuse('INVALID_PARAMETER', 0)
  if (text !== null && !isText(text, limits.noteLength)) return refuse('INVALID_PARAMETER', 0)
  if (text !== null && !notes.has(name) && notes.size >= limits.notes)
    return refuse('LIMIT_REACHED', limits.notes)
  if (text === null) notes.delete(name)
  else notes.set(name, text)
  log.write({ type: 'NoteKept', name })
  return null
}

export function keepPast(
  state: State,
  log: EventLog,
  { market, bars }: CommandOf<'TellPast'>,
): Rejection | null {
  const refusal = marketRefusal(state, market)
  if (refusal !== null) return refusal
  if (!isText(bars, limits.noteLength)) return refuse('INVALID_PARAMETER', 0)
  log.write({ type: 'PastTold', market, bars })
  return null
}

function isText(text: unknown, lengthMax: number): boolean {
  return typeof text === 'string' && text.length >= 1 && text.length <= lengthMax
}
