// Limits of the queues of the sequencer.

export const sequencerLimits = {
  waitingMax: 65_536,
  batchMax: 256,
  /** Capacity of the queue that is reserved for cancels. */
  urgentMax: 8_192,
  /** Maximum estimated wait in ms, for callers that can retry. */
  waitMsMax: 2_000,
} as const

export type SequencerLimits = Readonly<Partial<Record<keyof typeof sequencerLimits, number>>>
