// Places of the admin port, which nobody at the public one can take, and the page that it shows.

import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import { ConnectionCaps } from '../../gateway/limits/connection-caps.ts'

/** Where the build puts the console. */
export const consoleFolder = fileURLToPath(new URL('../../../web/console', import.meta.url))

/** A tab of the console has up to six, and sources of prices push at the same port. */
const adminConnections = 64

export function guardAdmin({ server }: FastifyInstance, { trustedProxies }: Config): void {
  const trusted = parseTrustedProxies(trustedProxies)
  const caps = { perIp: adminConnections, total: adminConnections, trusted }
  new ConnectionCaps(caps).guard(server)
}
