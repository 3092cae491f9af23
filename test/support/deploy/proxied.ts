// A client of an exchange behind its proxy: over TLS, by the certificate of the proxy's own CA.

import { Agent, request } from 'node:https'
import WebSocket from 'ws'

export type Answer = Readonly<{ status: number; body: unknown }>

export type RequestOptions = Readonly<{
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  msMax?: number
}>

export class Proxied {
  private readonly port: number
  private readonly ca: string
  private readonly agent: Agent

  constructor(port: number, ca: string) {
    this.port = port
    this.ca = ca
    this.agent = new Agent({ ca, keepAlive: true })
  }

  /** Rejects when there was no answer. */
  ask(path: string, options: RequestOptions = {}): Promise<Answer> {
    const { method = 'GET', headers = {}, body, msMax = 15_000 } = options
    const sent = { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const to = { host: 'localhost', port: this.port, path, method, headers: sent }
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(msMax)
      const asking = request({ ...to, agent: this.agent, signal }, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        reply.once('error', reject)
        reply.once('end', () => resolve({ status: reply.statusCode!, body: parsed(text) }))
      })
      asking.once('error', reject)
      asking.end(body)
    })
  }

  socket(): WebSocket {
    return new WebSocket(`wss://localhost:${this.port}/ws`, { ca: this.ca })
  }

  close(): void {
    this.agent.destroy()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Caddy's own errors have no body.
    return text
  }
}
