// Places of the admin port, which nobody at the public one can take.

import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import { ConnectionCaps } from '../../gateway/limits/connection-caps.ts'

const adminConnections = 16

export function guardAdmin({ server }: FastifyInstance, { trustedProxies }: Config): void {
  const trusted = parseTrustedProxies(trustedProxies)
  const caps = { perIp: adminConnections, total: adminConnections, trusted }
  new ConnectionCaps(caps).guard(server)
}
