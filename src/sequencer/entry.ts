// Entries of the journal, one for each seq. Most are commands of the core. Sandbox snapshots and
// reverts are entries too (ADR 12). An entry may name an operator and a reason.

import type { Command } from '../core/index.ts'

/** Operator and reason of an action; commands of clients have a proof instead. */
export type By = Readonly<{ who: string; why: string }>

export type Entry =
  | Readonly<{ kind: 'command'; command: Command; by: By | null }>
  /** `sources`: serialized state of the sandbox's sources (random streams, scripted prices). */
  | Readonly<{ kind: 'snapshot'; id: string; sources: string; by: By | null }>
  | Readonly<{ kind: 'revert'; id: string; by: By | null }>

/** Engine time of an entry. For a signed command also the wall time at which it was sequenced,
 *  which decides when the replay guard forgets it (CORE-6) (default: 0). */
export type Times = Readonly<{ atMs: number; stampMs?: number }>

/** An entry with its seq, which always grows, even over reverts. */
export type Placed = Times & Readonly<{ seq: number; entry: Entry }>
