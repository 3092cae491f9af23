// What a new exchange of this process starts with (CORE-1).

import type { Config } from '../config.ts'
import type { Genesis } from '../core/index.ts'
import { standardGenesis } from '../sources/sandbox-markets.ts'

/** In a sandbox prices hold until the next one, in a venue they expire; a venue begins with the
 *  withdrawal brake on (ACCT-11). */
export function genesisOf({ mode }: Pick<Config, 'mode'>): Genesis {
  const isVenue = mode === 'venue'
  return { ...standardGenesis, pricesMayStand: !isVenue, withdrawalBrake: isVenue }
}
