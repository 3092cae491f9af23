// Places of a port that few may use: a client that proves nothing keeps no other address out.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { beforeEach, test } from 'node:test'
import { parseTrustedProxies } from './client-address.ts'
import { ConnectionCaps } from './connection-caps.ts'

const total = 64
const perIp = 48
let caps: ConnectionCaps
let server: EventEmitter
let served: Set<FakeSocket>

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  isOpen = true

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  isPaused(): boolean {
    return false
  }

  write(): boolean {
    return true
  }

  destroy(): void {
    this.isOpen = false
    this.emit('close')
  }

  destroySoon(): void {
    this.destroy()
  }
}

beforeEach(() => {
  served = new Set()
  server = new EventEmitter()
  server.on('connection', (socket: FakeSocket) => served.add(socket))
  begin(true)
})

function begin(untilProven: boolean): void {
  const trusted = parseTrustedProxies(['10.0.0.1'])
  caps = new ConnectionCaps({ perIp: total, total, trusted, untilProven })
  caps.guard(server as unknown as Server)
}

/** `asks`: it sends a request that proves nothing. */
function connect(address: string, { asks = false, proves = false } = {}): FakeSocket {
  const socket = new FakeSocket(address)
  server.emit('connection', socket)
  if (socket.isOpen && (asks || proves)) server.emit('request', { socket })
  if (socket.isOpen && proves) caps.proven(socket as unknown as Socket)
  return socket
}

const fill = (address: string, count: number, asks: boolean) =>
  Array.from({ length: count }, () => connect(address, { asks }))

for (const [name, asks] of [
  ['without a request', false],
  ['with wrong tokens', true],
] as const)
  test(`two addresses that hold all places ${name} yield immediately to a third`, () => {
    const first = fill('192.0.2.1', perIp, asks)
    const second = fill('192.0.2.2', total - perIp, asks)
    assert.equal(caps.count, total)
    const operator = connect('192.0.2.3', { proves: true })
    assert.ok(operator.isOpen && served.has(operator))
    // The oldest of the address that has most.
    assert.deepEqual(
      [first[0]!.isOpen, first.filter(({ isOpen }) => isOpen).length, second.length],
      [false, perIp - 1, second.filter(({ isOpen }) => isOpen).length],
    )
    // However many more come, the right token keeps its place, and others with one get in.
    for (let n = 0; n < 200; n++) connect(`192.0.2.${1 + (n % 2)}`, { asks })
    assert.equal(operator.isOpen, true)
    assert.equal(connect('192.0.2.4').isOpen, true)
    assert.equal(caps.count, total)
  })

test('connections that have proved something keep their places', () => {
  for (let n = 0; n < total; n++) connect(`192.0.2.${1 + (n % 2)}`, { proves: true })
  assert.equal(connect('192.0.2.3').isOpen, false)
})

test('an address with as many places as the others takes none from them', () => {
  const all = Array.from({ length: total }, (_, n) => connect(`192.0.2.${n}`))
  assert.equal(connect('192.0.2.100').isOpen, false)
  assert.ok(all.every(({ isOpen }) => isOpen))
})

test('trusted proxies count as one address', () => {
  const forwarded = fill('10.0.0.1', total, true)
  assert.equal(connect('10.0.0.1').isOpen, false)
  assert.equal(connect('192.0.2.1').isOpen, true)
  assert.equal(forwarded[0]!.isOpen, false)
})

test('where nothing has to be proved, a connection keeps its place for a while', () => {
  server.removeAllListeners()
  server.on('connection', (socket: FakeSocket) => served.add(socket))
  begin(false)
  fill('192.0.2.1', perIp, false)
  fill('192.0.2.2', total - perIp, false)
  assert.equal(connect('192.0.2.3').isOpen, false)
})
