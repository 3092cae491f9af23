import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { parseTrustedProxies } from '../limits/client-address.ts'
import { HttpLines } from './http-lines.ts'
import { Intake } from './intake.ts'

const post = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n'

/** Replies when the test says so; a request must be complete within 0.3 s. If the machine takes
 *  longer than that to read it, node:http reports it as late again. */
async function slowServer(t: TestContext) {
  const intake = new Intake()
  const lines = new HttpLines(intake, parseTrustedProxies([]))
  const replies: ServerResponse[] = []
  const options = { requestTimeout: 300, headersTimeout: 300, connectionsCheckingInterval: 20 }
  const server = createServer(options, (request, response) => {
    request.resume().on('end', () => {
      const begin = () => void replies.push(response)
      lines.take({ request, response, lane: () => 'order', begin, refuse: () => undefined })
    })
  })
  lines.attach(server)
  let faults = 0
  server.on('clientError', (_, socket) => {
    faults += 1
    lines.fault(socket as Socket, true, () => socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => {
    client.destroy()
    server.close()
  })
  return { server, intake, replies, faults: () => faults, client }
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((later) => setTimeout(later, 5))
}

test('a request that came late while the ones before it were worked on is served', async (t) => {
  const { replies, faults, client } = await slowServer(t)
  let text = ''
  client.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
  })
  client.write(`${post}{}${post}{`)
  await until(() => replies.length === 1 && faults() >= 1)
  replies[0]!.end('first')
  await until(() => text.includes('first'))
  client.write('}')
  await until(() => replies.length === 2)
  replies[1]!.end('second')
  await until(() => text.includes('second'))
  assert.equal(text.split('HTTP/1.1 200').length, 3)
})

test('a request that came during a pause of the process is not late, half of one is', async (t) => {
  const { server, replies, faults, client } = await slowServer(t)
  client.resume()
  await once(server, 'connection')
  // Timers that are due run before sockets are read, as after SIGSTOP and SIGCONT.
  const paused = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  client.write(`${post}{}`)
  paused(400)
  await until(() => replies.length === 1)
  const called = faults()
  assert.ok(called >= 1, 'node:http called it late')
  replies[0]!.end('served')
  client.write(post)
  await once(client, 'close')
  assert.ok(faults() > called)
})

test('a connection that became a websocket is not read for HTTP again', async (t) => {
  const { server, intake, client } = await slowServer(t)
  const upgraded = new Promise<Socket>((resolve) => {
    server.on('upgrade', ({ socket }) => resolve(socket.pause()))
  })
  client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n')
  const socket = await upgraded
  t.after(() => socket.destroy())
  // More than fits into a turn, sent together: other connections are paused and resumed.
  const noop = () => undefined
  const transport = { laneOf: () => 'order' as const, begin: noop, refuse: noop, overflow: noop }
  const greedy = intake.line(
    { ipKey: 'x', activeMax: 1 },
    { ...transport, pause: noop, resume: noop },
  )
  for (let n = 0; n < 10; n++) {
    intake.take(greedy, n)
    const until = performance.now() + 3
    while (performance.now() < until);
  }
  for (let turn = 0; turn < 5; turn++) await new Promise((later) => setImmediate(later))
  assert.ok(socket.isPaused())
})
