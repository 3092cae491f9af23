// How many connections there may be, and how long one may be idle.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { HeldSocket, until } from '../support/http/held-sockets.ts'
import { LiveExchange } from '../support/streams/live-exchange.ts'

let live: LiveExchange

before(async () => {
  live = await LiveExchange.start(['--connections-per-ip', '6', '--connections', '8'])
})
after(() => live.close())

const other = '127.0.0.2'
const isLinux = process.platform === 'linux'
async function speaking(count: number, address = '127.0.0.1'): Promise<readonly HeldSocket[]> {
  const held: HeldSocket[] = []
  while (held.length < count) {
    const socket = await HeldSocket.open(live.running.port, address)
    if ((await socket.get('/health')).startsWith('HTTP/1.1 200')) held.push(socket)
    else socket.close()
  }
  return held
}

// The first test: connections that an earlier one has just closed may still count.
test('a connection that sends no request head is closed within seconds', async () => {
  const quiet = await HeldSocket.open(live.running.port)
  const slow = await HeldSocket.open(live.running.port)
  slow.socket.write('GET /health HTTP/1.1\r\nhost: x\r\nx-a')
  const dripping = setInterval(() => slow.socket.write('a'), 200)
  const admin = await HeldSocket.open(live.running.adminPort)
  const openedAt = performance.now()
  await until(() => quiet.closed && slow.closed && admin.closed)
  clearInterval(dripping)
  assert.ok(performance.now() - openedAt > 4_000, 'it had some seconds')
  assert.match(quiet.said, /^HTTP\/1\.1 408 /)
  assert.match(slow.said, /^HTTP\/1\.1 408 /)
})

/** Timers that are due run before sockets are read, as after SIGSTOP and SIGCONT. */
const paused = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('an address has a limited number of connections, another one still connects', async () => {
  const held = await speaking(6)
  const refused = await HeldSocket.open(live.running.port)
  await until(() => refused.closed)
  assert.match(refused.said, /^HTTP\/1\.1 429 .*retry-after: 5.*RATE_LIMITED: 6 connections/s)
  if (isLinux) {
    const others = await speaking(2, other)
    const beyond = await HeldSocket.open(live.running.port, '127.0.0.3')
    await until(() => beyond.closed)
    assert.match(beyond.said, /^HTTP\/1\.1 503 .*NOT_READY: 8 connections are open/s)
    for (const each of others) each.close()
  }
  for (const each of held) assert.match(await each.get('/health'), /200 OK/)
  held[0]!.close()
  for (const each of [...(await speaking(1)), ...held]) each.close()
})

test('idle connections are closed for new ones, of one address and of all', async () => {
  const port = live.running.port
  const hold = (count: number, address?: string) =>
    Promise.all(Array.from({ length: count }, () => HeldSocket.open(port, address)))
  const idle = await hold(6)
  // As soon as one has been idle for a second.
  const [first] = await speaking(1)
  assert.equal(idle.filter(({ closed }) => closed).length <= 1, true)
  if (isLinux) {
    await hold(6, other)
    const [third] = await speaking(1, '127.0.0.3')
    third!.close()
  }
  for (const each of [...idle, first!]) each.close()
})

test('a request that came while the process was paused is served', async () => {
  const places = [live.running.port, live.running.adminPort]
  const sockets = await Promise.all(places.map((port) => HeldSocket.open(port)))
  const idle = await HeldSocket.open(live.running.port)
  // Until the exchange has accepted them.
  await (await speaking(1))[0]!.close()
  for (const { socket } of sockets)
    socket.write('GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n')
  await new Promise((done) => setImmediate(() => done(paused(6_000))))
  await until(() => sockets.every(({ closed }) => closed))
  for (const { said } of sockets) assert.doesNotMatch(said, /^HTTP\/1\.1 408 /)
  assert.match(sockets[0]!.said, /^HTTP\/1\.1 200 /)
  // Its five seconds have not passed either: the pause does not count.
  assert.match(await idle.get('/health'), /^HTTP\/1\.1 200 /)
  idle.close()
})

test('the admin port has places of its own', async () => {
  const held = await Promise.all(
    Array.from({ length: 60 }, () => HeldSocket.open(live.running.adminPort)),
  )
  // Three quarters of sixty-four: one address has never all.
  await until(() => held.filter(({ closed }) => closed).length === 12)
  for (const { closed, said } of held) if (closed) assert.match(said, /^HTTP\/1\.1 429 |^$/)
  for (const each of held) each.close()
})

test('a rejected client that keeps its side open does not keep its place', {
  timeout: 180_000,
}, async () => {
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n'
  const sent = [
    `GET /nowhere HTTP/1.1\r\nhost: x\r\n${upgrade}\r\n`,
    'GET /health HTTP/1.1\r\nhost: x\r\n\r\nno request\r\n\r\n',
    `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]
  const left = await Promise.all(
    [...sent, ...sent].map(async (text) => {
      const socket = connect({ port: live.running.port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => undefined)
      socket.resume().write(text)
      await once(socket, 'end')
      return socket
    }),
  )
  // Every place of the address was taken.
  for (const each of await speaking(6)) each.close()
  for (const each of left) each.destroy()
})
