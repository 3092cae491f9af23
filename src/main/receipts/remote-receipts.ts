// Checkpoints and receipts for a process that does not lead: only the leader has the key.

import type { Receipts } from '../../gateway/exchange.ts'
import type { Checkpoint } from '../../protocol/schemas/proofs/receipts.ts'
import type { Asking } from '../../sequencer/link/remote-sequencer.ts'

export type RemoteReceipts = Readonly<{
  receipts: Receipts
  /** Called when the leader has made a checkpoint. */
  made(checkpoint: Checkpoint): void
}>

export function remoteReceipts({ ask }: Pick<Asking, 'ask'>): RemoteReceipts {
  const listeners = new Set<(checkpoint: Checkpoint) => void>()
  return {
    receipts: {
      newest: (limit) => ask('newestCheckpoints', limit),
      frameOf: (seq) => ask('frameProof', seq),
      receiptOf: (seq) => ask('receipt', seq),
      onCheckpoint(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    made(checkpoint) {
      for (const listener of listeners) listener(checkpoint)
    },
  }
}
