// A receiver of webhooks as an operator would write it: checks the signature, and applies what it
// has not applied before, which it remembers by the id.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export const secret = 'a-secret-of-the-tests-that-is-long-enough'

export type Message = Readonly<{
  id: string
  type: string
  at: number
  seq: number
  account: string
  amount: string
  withdrawal_id: number | null
  reference: string | null
}>

const skewSeconds = 300

/** As docs/operating/money.md has it. */
export function isGenuine(headers: IncomingMessage['headers'], body: string): boolean {
  const timestamp = String(headers['openperp-timestamp'])
  const given = Buffer.from(String(headers['openperp-signature']).replace(/^v1=/, ''), 'hex')
  const due = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest()
  const isFresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= skewSeconds
  return isFresh && given.length === due.length && timingSafeEqual(given, due)
}

/** `take` gives the status to answer with. */
export async function receiver(
  take: (message: Message, headers: IncomingMessage['headers']) => number | Promise<number>,
  port = 0,
): Promise<Readonly<{ url: string; server: Server; close(): Promise<void> }>> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const text of request.setEncoding('utf8')) body += text
    const isOurs = isGenuine(request.headers, body)
    const status = isOurs ? await take(JSON.parse(body), request.headers) : 401
    response.writeHead(status, { location: '/elsewhere' }).end('x'.repeat(100_000))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: found } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${found}/hook`,
    server,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type RefusingHook = Readonly<{
  url: string
  taken: readonly Message[]
  close(): Promise<void>
}> & {
  takes: boolean
}

/** Refuses deposits of 13 USD unless it takes everything. */
export async function refusingHook(): Promise<RefusingHook> {
  const taken: Message[] = []
  const { url, close } = await receiver((message) => {
    if (message.amount === '13' && !hook.takes) return 503
    taken.push(message)
    return 204
  })
  const hook: RefusingHook = { url, close, taken, takes: false }
  return hook
}
