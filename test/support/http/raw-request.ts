// A request with every header under the test's control, Host and Origin too.

import { request } from 'node:http'

export type RawAnswer = Readonly<{
  status: number
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  text: string
}>

export type RawOptions = Readonly<{
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
}>

export function rawRequest(
  url: string,
  { method = 'GET', headers = {}, body }: RawOptions = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const all = { ...length, ...headers }
    const outgoing = request(url, { method, headers: all, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
