// The stamp (CORE-6) of a command in an embedded exchange: the oldest timestamp of its texts, so
// that nothing depends on a clock, and no text of a batch expires because of another one. All
// callers are in one process, and share one clock.

import type { Command, Proof } from '../core/index.ts'

/** 0 for a command without a proof. */
export function ownStamp(command: Command): number {
  if (command.type !== 'Batch') return 'proof' in command ? timestampOf(command.proof) : 0
  const proofs = [command.proof, ...command.actions.map(({ proof }) => proof)]
  const timestamps = proofs.filter((proof) => proof != null).map(timestampOf)
  return timestamps.length === 0 ? 0 : Math.min(...timestamps)
}

/** `apply` accepts any number; an invalid time does not move the stamp. */
function timestampOf(proof: Proof | null | undefined): number {
  const signedAtMs = proof?.signedAtMs ?? 0
  return Number.isSafeInteger(signedAtMs) ? Math.max(0, signedAtMs) : 0
}
