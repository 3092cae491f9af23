// What the sequencer needs of the world.

import type { ClosedState } from '../core/index.ts'

/** Resolves when the records are on disk, in a later turn of the event loop; a failure is fatal to
 *  the process. In the body each record follows its length, as in a frame; it must not be changed
 *  until then. */
export type Journal = Readonly<{
  append(body: Uint8Array, count: number): Promise<void>
  close(): Promise<void>
}>

/** Engine time (ADR 11). In a venue the machine's clock; in a sandbox it can be set and frozen. */
export type EngineClock = Readonly<{ now(): number }>

/** A saved state's place in history and what the sources remembered then. */
export type SavedFacts = Readonly<{
  id: string
  /** Of its snapshot entry. */
  seq: number
  /** Engine time of the state. */
  atMs: number
  /** Machine time. */
  createdAt: number
  sources: string
}>

/** Saved states by id, for the sandbox's snapshot and revert. */
export type SavedStates = Readonly<{
  /** Where they are, for messages. */
  place: string
  list(): readonly SavedFacts[]
  /** With a seq: of this very snapshot entry. */
  has(id: string, seq?: number): boolean
  /** Takes the state as it is at the time of the call; durable when it resolves. */
  save(facts: SavedFacts, state: ClosedState): Promise<void>
  /** A separate copy of the state: the newest of this id whose entry is before `before`. */
  load(id: string, before?: number): Promise<SavedState | undefined>
  /** A revert at this seq went back to it: states saved in between are removed with their
   *  timeline. */
  used(id: string, seq: number): void
}>

export type SavedState = Readonly<{ facts: SavedFacts; state: ClosedState }>

/** What sources remember outside the state; saved with a snapshot and given back by a revert. */
export type SourceMemory = Readonly<{ save(): string; restore(text: string): void }>
