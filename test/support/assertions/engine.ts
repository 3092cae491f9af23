import { apply } from '../../../src/core/engine.ts'
import { bitsOf, linesOf } from '../../../src/core/events/event-columns.ts'
import { type EventType, eventFields } from '../../../src/core/events/event-fields.ts'
import { rulesOf } from '../../../src/core/rules/versions.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { StreamReader } from '../../../src/core/snapshot/stream.ts'
import type { TimeMs } from '../../../src/units/units.ts'
import type { Rows, World } from './world.ts'

/** A tick at a place of its own. */
function tickAt({ state, log }: World, seq: number, atMs: number): void {
  apply(state, { seq, atMs: atMs as TimeMs, command: { type: 'Tick' } }, log)
}

/** An event with this many fields of this kind, while `look` runs. */
function withFields(kind: string, count: number, look: (type: EventType) => void): void {
  const fields = eventFields as unknown as Record<string, Record<string, string>>
  fields.Made = Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, kind]))
  try {
    look('Made' as EventType)
  } finally {
    delete fields.Made
  }
}

const engineRows: Rows = {
  'a command is not the next one, its seq is': (w) => tickAt(w, w.state.seq + 2, w.now),
  'a command is older than the last one, its time is': (w) => tickAt(w, w.state.seq + 1, w.now - 1),
  'the rules have no version': () => void rulesOf(7),
  'the words of an event are too many,': () => withFields('flag', 60, (type) => void bitsOf(type)),
  'the fields of an event are too many,': () => withFields('int', 60, (type) => void linesOf(type)),
}

const read = (...bytes: readonly number[]): StreamReader => new StreamReader(new Uint8Array(bytes))

const snapshotRows: Rows = {
  'a snapshot has another version': () => void decodeState(new Uint8Array([63])),
  'a snapshot has an unknown section': (w) =>
    void decodeState(new Uint8Array([...encodeState(w.state), 63])),
  'a snapshot gets an unsafe number': (w) => {
    w.state.accounts.balance[w.ids.A!] = 0.5
    encodeState(w.state)
  },
  'a snapshot has a number without end, at byte': () => void read(...Array(12).fill(255)).number(0),
  'a snapshot has an unsafe number, at byte': () =>
    void read(...Array(7).fill(255), 255, 127).number(0),
  'a snapshot has a text without end, at byte': () => void read(20).text(''),
  'a snapshot ends too early, at byte': () => void read(128).number(0),
}

/** src/core/engine.ts, events/, rules/ and snapshot/ */
export const outerRows: Rows = { ...engineRows, ...snapshotRows }
