// The validity window of a signed request (CORE-6), by the wall clock of the sequencing process.

import { type Command, limits, type Proof } from '../../core/index.ts'
import { OutsideWindow } from '../not-taken.ts'

type Window = Readonly<{ signedAtMs: number; expiresAtMs: number | null }>

/** Why the signed request is not valid now; `null` if it is. */
export function windowFault({ signedAtMs, expiresAtMs }: Window, wallNow: number): string | null {
  if (expiresAtMs === null) return null
  const tooEarly = wallNow < signedAtMs - limits.textAheadMs
  if (!tooEarly && wallNow <= expiresAtMs) return null
  const reason = tooEarly ? 'timestamp is too far in the future' : 'the time to use it is over'
  const window = expiresAtMs - signedAtMs
  const times = `timestamp ${signedAtMs}, expiry_window ${window}, now ${wallNow}`
  return `Invalid message: ${reason} (${times})`
}

/** Whether the command, or one of its actions, has a proof. */
export function isSigned(command: Command): boolean {
  if (command.type !== 'Batch') return 'proof' in command && command.proof !== null
  return command.proof != null || command.actions.some(({ proof }) => proof !== null)
}

/** Throws if a signed request of the command is outside its validity window. */
export function requireWindows(command: Command, wallNow: () => number): void {
  if (command.type !== 'Batch') {
    if ('proof' in command) requireWindow(command.proof, wallNow)
    return
  }
  requireWindow(command.proof ?? null, wallNow)
  for (const { proof } of command.actions) requireWindow(proof, wallNow)
}

function requireWindow(proof: Proof | null, wallNow: () => number): void {
  const fault = proof === null ? null : windowFault(proof, wallNow())
  if (fault !== null) throw new OutsideWindow(fault)
}
