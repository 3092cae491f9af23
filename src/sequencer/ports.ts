// The interfaces that the sequencer uses.

import type { ClosedState } from '../core/index.ts'

/** Resolves when the records are on disk, in a later turn of the event loop; a failure is fatal to
 *  the process. In the body each record follows its length, as in a frame; it must not be changed
 *  until then. */
export type Journal = Readonly<{
  append(body: Uint8Array, count: number): Promise<void>
  close(): Promise<void>
}>

/** Engine time (ADR 11): in a venue the machine's clock, in a sandbox a clock that can be set and
 *  frozen. */
export type EngineClock = Readonly<{ now(): number }>

/** A saved state's place in history, and the state of the sources at that time. */
export type SavedFacts = Readonly<{
  id: string
  /** Seq of its snapshot entry. */
  seq: number
  /** Engine time of the state. */
  atMs: number
  /** Time of the machine's clock. */
  createdAt: number
  sources: string
}>

/** Saved states by id, for the sandbox's snapshot and revert. */
export type SavedStates = Readonly<{
  /** Location, for messages. */
  place: string
  list(): readonly SavedFacts[]
  /** If seq is given, of this snapshot entry only. */
  has(id: string, seq?: number): boolean
  /** Saves the state as it is at the time of the call; durable when it resolves. */
  save(facts: SavedFacts, state: ClosedState): Promise<void>
  /** Loads a copy of the state: the newest of this id whose entry is before `before`. */
  load(id: string, before?: number): Promise<SavedState | undefined>
  /** A revert at this seq went back to this state: states saved in between are removed with their
   *  timeline. */
  used(id: string, seq: number): void
}>

export type SavedState = Readonly<{ facts: SavedFacts; state: ClosedState }>

/** State of the sources outside the exchange's state; saved with a snapshot and restored by a
 *  revert. */
export type SourceMemory = Readonly<{ save(): string; restore(text: string): void }>
