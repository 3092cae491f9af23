// The initial state of a new exchange of this process (CORE-1).

import type { Config } from '../config.ts'
import type { Genesis } from '../core/index.ts'
import { standardGenesis } from '../sources/sandbox-markets.ts'

/** Returns the initial parameters. In a sandbox prices hold until the next price; in a venue they
 *  expire. A venue begins with the withdrawal brake on (ACCT-11). */
export function genesisOf({ mode }: Pick<Config, 'mode'>): Genesis {
  const isVenue = mode === 'venue'
  return { ...standardGenesis, pricesMayStand: !isVenue, withdrawalBrake: isVenue }
}
