// Two answers side by side: the first place where they differ, as a sentence, or null.

import { type Event, eventFields } from '../../../src/core/events/event-fields.ts'

/** NaN is NaN; −0 is 0 here, because the invariants look for it. */
function same(a: unknown, b: unknown): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b))
}

export function eventsDifference(core: readonly Event[], naive: readonly Event[]): string | null {
  const count = Math.max(core.length, naive.length)
  for (let i = 0; i < count; i++) {
    const ours = core[i]
    const theirs = naive[i]
    if (ours === undefined) return `event ${i}: the core has none, the twin ${theirs?.type}`
    if (theirs === undefined) return `event ${i}: the core has ${ours.type}, the twin none`
    if (ours.type !== theirs.type) {
      return `event ${i}: the core has ${ours.type}, the twin ${theirs.type}`
    }
    const field = fieldDifference(ours, theirs)
    if (field !== null) return `event ${i} (${ours.type}): ${field}`
  }
  return null
}

function fieldDifference(core: Event, naive: Event): string | null {
  const ours = core as unknown as Readonly<Record<string, unknown>>
  const theirs = naive as unknown as Readonly<Record<string, unknown>>
  for (const field of Object.keys(eventFields[core.type])) {
    if (same(ours[field], theirs[field])) continue
    return `${field}: the core has ${ours[field]}, the twin ${theirs[field]}`
  }
  return null
}

/** Plain values all the way down; `path` is where we are. */
export function difference(core: unknown, naive: unknown, path = 'view'): string | null {
  if (same(core, naive)) return null
  const plain = typeof core === 'object' && typeof naive === 'object'
  if (!plain || core === null || naive === null) {
    return `${path}: the core has ${text(core)}, the twin ${text(naive)}`
  }
  const ours = core as Readonly<Record<string, unknown>>
  const theirs = naive as Readonly<Record<string, unknown>>
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const found = difference(ours[key], theirs[key], `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}

function text(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
