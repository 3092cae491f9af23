// The interfaces that the sequencer uses.

import type { ClosedState } from '../core/index.ts'

/** The journal. `append` resolves when the records are on disk, in a later turn of the event loop.
 *  A failure is fatal to the process. In `body` the length of each record precedes it, as in a
 *  frame. The body must not be changed before `append` resolves. */
export type Journal = Readonly<{
  append(body: Uint8Array, count: number): Promise<void>
  close(): Promise<void>
}>

/** Engine time (ADR 11). A venue uses the machine's clock. A sandbox uses a clock that can be set
 *  and frozen. */
export type EngineClock = Readonly<{ now(): number }>

/** Position of a saved state in history, and the state of the sources at that time. */
export type SavedFacts = Readonly<{
  id: string
  /** Seq of its snapshot entry. */
  seq: number
  /** Engine time of the state. */
  atMs: number
  /** Wall time of the machine. */
  createdAt: number
  sources: string
}>

/** Saved states by id, for the sandbox's snapshot and revert. */
export type SavedStates = Readonly<{
  /** Location of the saved states, for messages. */
  place: string
  list(): readonly SavedFacts[]
  /** Whether a state with this id is saved; with `seq`, only the state of that snapshot entry. */
  has(id: string, seq?: number): boolean
  /** Saves the state as it is at the time of the call; resolves when it is durable. */
  save(facts: SavedFacts, state: ClosedState): Promise<void>
  /** Loads a copy of the newest saved state with this id whose entry is before `before`. */
  load(id: string, before?: number): Promise<SavedState | undefined>
  /** Called after a revert at `seq` to this state. Removes states saved in between, because their
   *  timeline was discarded. */
  used(id: string, seq: number): void
}>

export type SavedState = Readonly<{ facts: SavedFacts; state: ClosedState }>

/** State of the sources, which is not part of the exchange's state. It is saved with a snapshot and
 *  restored by a revert. */
export type SourceMemory = Readonly<{ save(): string; restore(text: string): void }>
