// The HTTP server of a standby node, and of the admin port of a read node. It reports that the node
// is running and which node leads. Apart from that it serves only metrics, so that no client
// mistakes old data for current data.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, apiError } from '../../gateway/api-error.ts'
import type { MetricsPage } from '../../gateway/http/probes.ts'

export type StandbyParts = Readonly<{
  host: string
  port: number
  /** `null` on the port that does not serve metrics. */
  metrics: MetricsPage | null
  /** Rejects with an error if the caller may not read the metrics. */
  requireAllowed: (request: IncomingMessage) => Promise<void>
  /** The answer to everything else; default: that the node is a standby. */
  refusal?: () => Refusal
}>

export type Refusal = Readonly<{ error: ApiError; headers: Readonly<Record<string, string>> }>

/** Header with the address of the leader's admin plane. */
export const leaderHeader = 'openperp-leader'

/** The answer of a node that serves no admin plane. `leader`: address of the leader's; `null` if
 *  there is no leader. */
export function misdirected(leader: string | null): Refusal {
  if (leader === null) {
    const none = 'the admin plane is served by the node that leads; no node leads at the moment'
    return { error: apiError('NOT_READY', none), headers: {} }
  }
  const why = `the admin plane is served by the node that leads, at ${leader}`
  const error = new ApiError('MISDIRECTED', why, { status: 421, code: 421 })
  return { error, headers: { [leaderHeader]: leader } }
}

export class StandbyServer {
  private readonly server: Server
  private readonly parts: StandbyParts
  private leader: string | null = null

  private constructor(parts: StandbyParts) {
    this.parts = parts
    this.server = createServer((request, response) => void this.answer(request, response))
    this.server.headersTimeout = 5_000
    this.server.maxConnections = 256
  }

  static async listen(parts: StandbyParts): Promise<StandbyServer> {
    const standby = new StandbyServer(parts)
    standby.server.listen(parts.port, parts.host)
    await once(standby.server, 'listening')
    return standby
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  led(leader: string | null): void {
    this.leader = leader
  }

  /** Closes the server; resolves when the port is free. */
  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done))
    this.server.closeAllConnections()
    await closed
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const { leader, parts } = this
    const { url } = request
    if (url === '/health') return send(response, 200, { status: 'ok' })
    if (url === '/ready' && parts.refusal === undefined)
      return send(response, 503, { status: 'not_ready', reason: 'standby', leader })
    try {
      if (url !== '/metrics' || parts.metrics === null) {
        const { error, headers } = parts.refusal?.() ?? { error: standsBy(leader), headers: {} }
        for (const name in headers) response.setHeader(name, headers[name]!)
        throw error
      }
      await parts.requireAllowed(request)
      const { contentType } = parts.metrics
      const text = await parts.metrics.metrics()
      response.writeHead(200, { 'content-type': contentType, connection: 'close' }).end(text)
    } catch (error) {
      const { message, status } = error as ApiError
      send(response, status, { success: false, data: null, error: message, code: status })
    }
  }
}

function standsBy(leader: string | null): ApiError {
  const why = leader === null ? 'there is no leader at the moment' : `${leader} leads`
  return apiError('NOT_READY', `this node of the cluster is a standby: ${why}`)
}

function send(response: ServerResponse, status: number, body: object): void {
  const head = { 'content-type': 'application/json', connection: 'close' }
  response.writeHead(status, status === 503 ? { ...head, 'retry-after': '1' } : head)
  response.end(JSON.stringify(body))
}
