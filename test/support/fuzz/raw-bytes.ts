// Requests that are hardly HTTP, written to a bare socket. The server may answer anything below
// 500 or hang up; it must do one of them, unless the bytes leave it waiting for more.

import { connect } from 'node:net'
import type { Random } from '../../programs/differential/random.ts'

const head = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${more}`
const json = 'content-type: application/json\r\n'
const order = '/api/v1/orders/create'
const small = `${json}content-length: 2\r\n\r\n{}`

type Bytes = Readonly<{ bytes: string; waits?: true }>

const shapes: readonly ((random: Random) => Bytes)[] = [
  () => ({ bytes: '\r\n\r\n', waits: true }),
  () => ({ bytes: 'GET\r\n\r\n' }),
  () => ({ bytes: 'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n' }),
  () => ({ bytes: 'GET /ready HTTP/1.0\r\n\r\n' }),
  () => ({ bytes: 'GET /ready HTTP/1.1\r\n\r\n' }),
  () => ({ bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' }),
  () => ({ bytes: 'CONNECT localhost:80 HTTP/1.1\r\nhost: localhost\r\n\r\n' }),
  () => ({ bytes: 'OPTIONS * HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n' }),
  () => ({ bytes: `${head('GET', '/ready', 'connection: upgrade\r\nupgrade: x\r\n')}\r\n` }),
  () => ({ bytes: head('GET', `/${'a'.repeat(20_000)}`, '\r\n') }),
  () => ({ bytes: head('GET', '/ready', `x: ${'b'.repeat(20_000)}\r\n\r\n`) }),
  () => ({ bytes: head('GET', '/ready', `${'x: y\r\n'.repeat(3_000)}\r\n`) }),
  () => ({ bytes: head('GET', '/ready', 'x y: z\r\n\r\n') }),
  () => ({ bytes: head('POST', order, `${json}content-length: -1\r\n\r\n{}`) }),
  () => ({ bytes: head('POST', order, `${json}content-length: 2x\r\n\r\n{}`) }),
  () => ({ bytes: head('POST', order, `${json}content-length: 99999999999\r\n\r\n{}`) }),
  () => ({
    bytes: head(
      'POST',
      order,
      `${json}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ),
  }),
  () => ({ bytes: head('POST', order, `${json}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`) }),
  () => ({
    bytes: head(
      'POST',
      order,
      `${json}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\nffffffffffffffff\r\n`,
    ),
    waits: true,
  }),
  () => ({ bytes: head('POST', order, `${json}transfer-encoding: x, gzip\r\n\r\n{}`) }),
  () => ({
    bytes: head('POST', order, `${json}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`),
  }),
  () => ({ bytes: head('POST', order, `${json}content-length: 50\r\n\r\n{"sym`), waits: true }),
  () => ({ bytes: head('POST', order, json), waits: true }),
  () => ({
    bytes: head('POST', order, `${json}expect: 100-continue\r\ncontent-length: 2\r\n\r\n{}`),
  }),
  () => ({ bytes: head('POST', order, `${json}expect: else\r\ncontent-length: 2\r\n\r\n{}`) }),
  () => ({
    bytes: head('POST', order, `${json}content-length: 70000\r\n\r\n${'['.repeat(70_000)}`),
  }),
  () => ({ bytes: `${head('GET', '/health')}\r\n`.repeat(20) }),
  () => ({
    bytes: `${head('POST', order, small)}${head('GET', '/\x00')}\r\n`,
  }),
  (random) => ({
    bytes: Array.from({ length: random.between(1, 500) }, () =>
      String.fromCharCode(random.below(256)),
    ).join(''),
    waits: true,
  }),
  (random) => {
    const good = head('POST', order, `${json}content-length: 2\r\n\r\n{}`)
    const at = random.below(good.length)
    const malformed =
      good.slice(0, at) + String.fromCharCode(random.below(256)) + good.slice(at + 1)
    return { bytes: malformed, waits: true }
  },
]

const answerMsMax = 10_000
/** How long an incomplete request is left to wait. */
const waitMs = 20

/** Undefined: the server behaved. */
export function sendRaw(port: number, random: Random): Promise<string | undefined> {
  const { bytes, waits } = random.pick(shapes)(random)
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const done = (wrong?: string) => {
      clearTimeout(timeout)
      socket.destroy()
      resolve(wrong)
    }
    const silence = () => {
      if (waits) done()
      else done(`no answer to ${JSON.stringify(bytes.slice(0, 200))}`)
    }
    const timeout = setTimeout(silence, waits ? waitMs : answerMsMax)
    socket.on('data', (part) => {
      answer += part.toString('latin1')
      const final = answer.replace(/^HTTP\/1\.1 100 [\s\S]*?\r\n\r\n/, '')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(final)?.[1]
      if (status === undefined || status === '100') return
      // Not ready is an answer of /ready itself.
      const ours = status.startsWith('5') && !answer.includes('not_ready')
      done(ours ? `${status} to ${JSON.stringify(bytes.slice(0, 200))}` : undefined)
    })
    socket.on('error', () => done())
    socket.on('close', () => done())
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}
