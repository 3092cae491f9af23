// One keep-alive connection of a client: one request after the other, JSON both ways.

import { Agent, type IncomingMessage, request } from 'node:http'

export type Reply = Readonly<{
  status: number
  body: unknown
  /** The entry that it is true as of, if it says so. */
  seq?: string
}>

const replyMsMax = 120_000
const readTriesMax = 100
const readWaitMs = 100

export class Connection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })
  private readonly port: number
  private readonly headers: Readonly<Record<string, string>>

  constructor(port: number, headers: Readonly<Record<string, string>> = {}) {
    this.port = port
    this.headers = headers
  }

  /** A read that is refused with 503 is retried, some times. */
  async get(path: string, more: Readonly<Record<string, string>> = {}): Promise<Reply> {
    for (let tries = 0; ; tries++) {
      const reply = await this.send('GET', path, null, more)
      if (reply.status !== 503 || tries === readTriesMax || !path.startsWith('/api')) return reply
      await new Promise((later) => setTimeout(later, readWaitMs))
    }
  }

  post(path: string, body: unknown): Promise<Reply> {
    return this.send('POST', path, typeof body === 'string' ? body : JSON.stringify(body))
  }

  /** Rejects when no whole reply came: then the fate of the request is unknown. */
  send(
    method: string,
    path: string,
    body: string | null,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const { port, agent } = this
    const type = body === null ? {} : { 'content-type': 'application/json' }
    const headers = { ...type, ...this.headers, ...more }
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method, path, agent, headers })
      sent.setTimeout(replyMsMax, () => sent.destroy(new Error(`${path}: no reply`)))
      sent.once('error', reject)
      sent.once('response', (reply) => readReply(reply).then(resolve, reject))
      sent.end(body ?? undefined)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}

async function readReply(reply: IncomingMessage): Promise<Reply> {
  const parts: Buffer[] = []
  for await (const part of reply) parts.push(part)
  if (!reply.complete) throw new Error('the reply was cut off')
  const text = Buffer.concat(parts).toString('utf8')
  const isJson = reply.headers['content-type']?.startsWith('application/json') === true
  const seq = String(reply.headers['openperp-seq'])
  return { status: reply.statusCode!, body: isJson ? JSON.parse(text) : text, seq }
}

/** What an enveloped reply holds; throws what it was refused with. */
export function dataOf<T>({ status, body }: Reply): T {
  const { data, error } = body as { data?: T; error?: string | null }
  if (status !== 200) throw new Error(`${status}: ${error}`)
  return data as T
}

export function errorOf({ body }: Reply): string {
  return String((body as { error?: unknown } | null)?.error ?? '')
}
