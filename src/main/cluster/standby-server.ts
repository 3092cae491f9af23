// What a node that does not lead answers at its public port: that it is alive, and that somebody
// else leads. Nothing else, so that nobody takes old news for new.

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiError } from '../../gateway/api-error.ts'

export class StandbyServer {
  private readonly server: Server
  private leader: string | null = null

  private constructor() {
    this.server = createServer((request, response) => this.answer(request.url ?? '/', response))
    this.server.headersTimeout = 5_000
    this.server.maxConnections = 256
  }

  static async listen(host: string, port: number): Promise<StandbyServer> {
    const standby = new StandbyServer()
    standby.server.listen(port, host)
    await once(standby.server, 'listening')
    return standby
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  led(leader: string | null): void {
    this.leader = leader
  }

  /** The port is free when it resolves. */
  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done))
    this.server.closeAllConnections()
    await closed
  }

  private answer(url: string, response: ServerResponse): void {
    if (url === '/health') return send(response, 200, { status: 'ok' })
    const { leader } = this
    if (url === '/ready')
      return send(response, 503, { status: 'not_ready', reason: 'standby', leader })
    const why = leader === null ? 'nobody leads at the moment' : `${leader} leads`
    const { message, status } = apiError('NOT_READY', `this node of the cluster stands by: ${why}`)
    send(response, status, { success: false, data: null, error: message, code: status })
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  const head = { 'content-type': 'application/json', connection: 'close' }
  response.writeHead(status, status === 200 ? head : { ...head, 'retry-after': '1' })
  response.end(JSON.stringify(body))
}
