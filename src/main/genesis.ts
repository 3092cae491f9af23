// What a new exchange of this process starts with (CORE-1).

import type { Config } from '../config.ts'
import type { Genesis } from '../core/index.ts'
import { standardGenesis } from '../sources/sandbox-markets.ts'

/** The prices of a sandbox may stand until the next one comes; those of a venue have a time. */
export function genesisOf({ mode }: Pick<Config, 'mode'>): Genesis {
  return { ...standardGenesis, pricesMayStand: mode === 'sandbox' }
}
