// What a new exchange of this process starts with (CORE-1).

import type { Config } from '../config.ts'
import type { Genesis } from '../core/index.ts'
import { standardGenesis } from '../sources/sandbox-markets.ts'

/** The prices of a sandbox may stand until the next one comes, those of a venue have a time; and a
 *  venue begins with the withdrawal brake on (ACCT-11). */
export function genesisOf({ mode }: Pick<Config, 'mode'>): Genesis {
  const isVenue = mode === 'venue'
  return { ...standardGenesis, pricesMayStand: !isVenue, withdrawalBrake: isVenue }
}
