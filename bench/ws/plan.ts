// Shared by both processes of the fan-out.

import { keyOfSeed } from '../../src/client/key.ts'

export const traders = Array.from({ length: 16 }, (_, n) =>
  keyOfSeed(new Uint8Array(32).fill(100 + n)),
)

/** In milliseconds, over the sampled connections. */
export type Ages = Readonly<{
  p50: number
  p99: number
  max: number
  frames: number
  answered: number
  refused: number
}>
