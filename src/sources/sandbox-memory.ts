// State of the sandbox's sources that is not part of the exchange's state, mainly random streams,
// as text. It is saved with a snapshot and restored by a revert, so that a test repeats exactly.
// The values that a restart needs are notes in the state (sandbox-notes.ts).

import type { BotsMemory } from './bots/bots.ts'
import type { OracleMemory } from './prices/oracle.ts'

export type SandboxMemory = Readonly<{
  version: 1
  botsRunning: boolean
  bots: BotsMemory
  oracle: OracleMemory
  nextDeposit: number
}>

export function memoryText(memory: SandboxMemory): string {
  return JSON.stringify(memory)
}

export function memoryOf(text: string): SandboxMemory {
  const memory = JSON.parse(text) as SandboxMemory
  if (memory.version !== 1) throw new Error(`sandbox memory of version ${memory.version}`)
  return memory
}

/** Number of a snapshot id. Ids are s1, s2, and so on. A revert also restores the number of the
 *  next id, so that a test repeats exactly. */
export function numberOf(snapshot: Readonly<{ id: string }> | undefined): number {
  return snapshot === undefined ? 0 : Number.parseInt(snapshot.id.slice(1), 10)
}
