// One keep-alive connection for reads, one after the other, and each reply as it came: its bytes,
// and the headers that describe them.

import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { minSeqHeader, seqHeader } from '../../../src/protocol/seq-headers.ts'

export type RawRequest = Readonly<{
  /** Relative to the mount. */
  path: string
  /** Absent: a GET. */
  body?: string
}>

export type RawReply = Readonly<{
  status: number
  /** The entry that it is true as of; null: it does not say so. */
  seq: number | null
  headers: Readonly<Record<string, string>>
  text: string
}>

/** Headers of the connection or of the moment, and not of the reply: a name for the request, the
 *  machine's time, how the bytes come. */
const ofTheMoment = new Set(['x-request-id', 'date', 'connection', 'keep-alive'])

export class RawConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })
  private readonly port: number
  private readonly replyMsMax: number

  constructor(port: number, replyMsMax = 20_000) {
    this.port = port
    this.replyMsMax = replyMsMax
  }

  /** Rejects when no whole reply came. */
  ask({ path, body }: RawRequest, minSeq: number | null = null): Promise<RawReply> {
    const { port, agent, replyMsMax } = this
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(minSeq !== null && { [minSeqHeader]: String(minSeq) }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const where = { port, host: '127.0.0.1', method, path: `/api/v1${path}`, agent, headers }
    return new Promise((resolve, reject) => {
      const sent = request(where)
      sent.setTimeout(replyMsMax, () => sent.destroy(new Error(`${path}: no reply`)))
      sent.once('error', reject)
      sent.once('response', (reply) => {
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.once('error', reject)
        reply.once('end', () => {
          if (!reply.complete) return reject(new Error(`${path}: the reply was cut off`))
          const seq = reply.headers[seqHeader]
          resolve({
            status: reply.statusCode!,
            seq: seq === undefined ? null : Number(seq),
            headers: lastingHeaders(reply.headers),
            text: Buffer.concat(parts).toString('utf8'),
          })
        })
      })
      sent.end(body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}

function lastingHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !ofTheMoment.has(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
