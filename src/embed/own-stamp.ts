// The stamp (CORE-6) of a command in an embedded exchange: the oldest timestamp of its signed
// requests. It depends on no clock, and no request of a batch expires because of another one. All
// callers are in one process, and share one clock.

import type { Command, Proof } from '../core/index.ts'

/** Stamp of a command; 0 if it has no proof. */
export function ownStamp(command: Command): number {
  if (command.type !== 'Batch') return 'proof' in command ? timestampOf(command.proof) : 0
  const proofs = [command.proof, ...command.actions.map(({ proof }) => proof)]
  const timestamps = proofs.filter((proof) => proof != null).map(timestampOf)
  return timestamps.length === 0 ? 0 : Math.min(...timestamps)
}

/** Timestamp of a proof. `apply` accepts any number; an invalid time does not change the stamp. */
function timestampOf(proof: Proof | null | undefined): number {
  const signedAtMs = proof?.signedAtMs ?? 0
  return Number.isSafeInteger(signedAtMs) ? Math.max(0, signedAtMs) : 0
}
