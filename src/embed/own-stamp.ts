// The stamp (CORE-6) of a command in an embedded exchange: the newest timestamp of its texts, so
// that nothing depends on a clock. All callers are in one process, and have one clock.

import type { Command, Proof } from '../core/index.ts'

/** 0 for a command without a proof. */
export function ownStamp(command: Command): number {
  if (command.type !== 'Batch') return 'proof' in command ? timestampOf(command.proof) : 0
  const proofs = [command.proof, ...command.actions.map(({ proof }) => proof)]
  return Math.max(...proofs.map(timestampOf))
}

/** `apply` takes any number; one that is not a time does not move the stamp. */
function timestampOf(proof: Proof | null | undefined): number {
  const signedAtMs = proof?.signedAtMs ?? 0
  return Number.isSafeInteger(signedAtMs) ? Math.max(0, signedAtMs) : 0
}
