// The id of an embedded exchange: the same for equal seeds, so that runs repeat exactly.

import { createHash } from 'node:crypto'
import { venueIdBytes } from '../../units/venue-id.ts'

export function venueOfSeed(seed: string): string {
  const digest = createHash('sha256').update(`openperp venue of seed ${seed}`).digest()
  return digest.subarray(0, venueIdBytes).toString('hex')
}
