// Connection limits of the admin port, separate from those of the public port, and its page.

import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import { ConnectionCaps } from '../../gateway/limits/connection-caps.ts'

/** Folder of the built console. */
export const consoleFolder = fileURLToPath(new URL('../../../web/console', import.meta.url))

/** A tab of the console opens up to six connections, and price sources push to the same port. */
const adminConnections = 64

/** Connection limits of the admin port. Connections without a valid token are closed first when the
 *  limit is reached. */
export function adminCaps({ trustedProxies }: Config): ConnectionCaps {
  const trusted = parseTrustedProxies(trustedProxies)
  const places = { perIp: adminConnections, total: adminConnections }
  return new ConnectionCaps({ ...places, trusted, untilProven: true })
}
