// The validity window of a signed request (CORE-6), by the wall clock of the sequencing process.
// With a manual clock the engine time may be in the window instead: clients sign with either.

import { type Command, limits, type Proof } from '../../core/index.ts'
import { OutsideWindow } from '../not-taken.ts'

type Window = Readonly<{ signedAtMs: number; expiresAtMs: number | null }>

/** Why the signed request is not valid now; `null` if it is. `engineNow`: engine time if the clock
 *  is manual. */
export function windowFault(
  { signedAtMs, expiresAtMs }: Window,
  wallNow: number,
  engineNow: number | null = null,
): string | null {
  if (expiresAtMs === null) return null
  const begins = signedAtMs - limits.textAheadMs
  if (engineNow !== null && engineNow >= begins && engineNow <= expiresAtMs) return null
  const tooEarly = wallNow < begins
  if (!tooEarly && wallNow <= expiresAtMs) return null
  const reason = tooEarly ? 'timestamp is too far in the future' : 'the time to use it is over'
  const window = expiresAtMs - signedAtMs
  const engine = engineNow === null ? '' : `, engine time ${engineNow}`
  const times = `timestamp ${signedAtMs}, expiry_window ${window}, now ${wallNow}${engine}`
  return `Invalid message: ${reason} (${times})`
}

/** Whether the command, or one of its actions, has a proof. */
export function isSigned(command: Command): boolean {
  if (command.type !== 'Batch') return 'proof' in command && command.proof !== null
  return command.proof != null || command.actions.some(({ proof }) => proof !== null)
}

/** Throws if a signed request of the command is outside its validity window. */
export function requireWindows(command: Command, wallNow: () => number, engineNow = none): void {
  if (command.type !== 'Batch') {
    if ('proof' in command) requireWindow(command.proof, wallNow, engineNow)
    return
  }
  requireWindow(command.proof ?? null, wallNow, engineNow)
  for (const { proof } of command.actions) requireWindow(proof, wallNow, engineNow)
}

const none = (): number | null => null

function requireWindow(proof: Proof | null, wallNow: () => number, engineNow = none): void {
  const fault = proof === null ? null : windowFault(proof, wallNow(), engineNow())
  if (fault !== null) throw new OutsideWindow(fault)
}
