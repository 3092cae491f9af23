// What the sandbox's sources remember outside the state, as text: saved with a snapshot, given back
// by a revert, and read once at a restart.

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
