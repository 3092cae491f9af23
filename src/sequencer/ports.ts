// What the sequencer needs of the world.

import type { State } from '../core/engine.ts'

/** Resolves when the records are on disk; a failure is fatal to the process. */
export type Journal = Readonly<{
  append(records: readonly Uint8Array[]): Promise<void>
  close(): Promise<void>
}>

/** Engine time (ADR 11). In a venue the machine's clock; in a sandbox it can be set and frozen. */
export type EngineClock = Readonly<{ now(): number }>

/** Saved states by id, for the sandbox's snapshot and revert. */
export type SavedStates = Readonly<{
  /** Saves the state as it is after the entry `seq`; durable when it resolves. */
  save(id: string, seq: number, state: State): Promise<void>
  load(id: string): Promise<State | undefined>
}>

/** What sources remember outside the state; saved with a snapshot and given back by a revert. */
export type SourceMemory = Readonly<{ save(): string; restore(text: string): void }>
