// Places of the admin port, which nobody at the public one can take, and the page that it shows.

import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import { ConnectionCaps } from '../../gateway/limits/connection-caps.ts'

/** Where the build puts the console. */
export const consoleFolder = fileURLToPath(new URL('../../../web/console', import.meta.url))

/** A tab of the console has up to six, and sources of prices push at the same port. */
const adminConnections = 64

/** A connection over which no right token came gives way to one that comes later. */
export function adminCaps({ trustedProxies }: Config): ConnectionCaps {
  const trusted = parseTrustedProxies(trustedProxies)
  const places = { perIp: adminConnections, total: adminConnections }
  return new ConnectionCaps({ ...places, trusted, untilProven: true })
}
