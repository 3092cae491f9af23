// Only peers with the key of the cluster can connect: not those with another key, those without
// TLS, nor many of them at the same time.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { type Caller, dialNode, LinkServer, linkKeyOf, linkKeysOf, type Role } from './node-link.ts'

const readerSecret = 'a key that only this reader has'
const tradeSecret = 'a key that trading nodes share'
const key = linkKeyOf(readerSecret)
const tradeKey = linkKeyOf(tradeSecret)
const eyes: Caller = { node: 'eyes', wish: 'follow' }
const came: [Caller, Role][] = []
const strangers: string[] = []
const sockets: Socket[] = []
let server: LinkServer | null = null

async function listen(): Promise<string> {
  server = await LinkServer.listen({
    host: '127.0.0.1',
    port: 0,
    keys: linkKeysOf(tradeSecret, `eyes:${readerSecret}`),
    onNode(stream, ...caller) {
      came.push(caller)
      stream.on('error', () => undefined)
      stream.write('welcome')
    },
    onStranger: (_, why) => strangers.push(why),
  })
  return server.address
}

afterEach(() => {
  server?.close()
  for (const socket of sockets.splice(0)) socket.destroy()
  came.length = 0
  strangers.length = 0
})

const portOf = (address: string) => Number(address.slice(address.lastIndexOf(':') + 1))

test('nodes with a known key connect, and the key decides their role', async () => {
  const address = await listen()
  const stream = await dialNode(address, eyes, key)
  sockets.push(stream)
  const [said] = (await once(stream, 'data')) as [Buffer]
  assert.equal(said.toString(), 'welcome')
  assert.equal(stream.getProtocol(), 'TLSv1.2')
  assert.match(stream.getCipher().name, /^ECDHE-PSK/)
  const joins: Caller = { node: 'new', wish: 'join' }
  sockets.push(await dialNode(address, joins, tradeKey))
  assert.deepEqual(came, [
    [eyes, 'read'],
    [joins, 'trade'],
  ])
})

test('another key, no key and no TLS get nothing', async () => {
  const address = await listen()
  const other = linkKeyOf('another key, as long as the first one')
  await assert.rejects(
    dialNode(address, eyes, other),
    /it does not know the key of this node, or speaks/,
  )
  const bare = connectTls({ port: portOf(address), host: '127.0.0.1', rejectUnauthorized: false })
  const [refusal] = (await once(bare, 'error')) as [Error]
  assert.match(refusal.message, /handshake failure|alert/i)
  const plain = connectPlain(portOf(address), '127.0.0.1')
  plain.on('error', () => undefined)
  let heard = Buffer.alloc(0)
  plain.on('data', (piece: Buffer) => {
    heard = Buffer.concat([heard, piece])
  })
  plain.write('GET / HTTP/1.1\r\n\r\n')
  await once(plain, 'close')
  assert.doesNotMatch(heard.toString('latin1'), /welcome|HTTP/)
  assert.deepEqual(came, [])
  assert.ok(strangers.length >= 2)
})

test('a node that resumes another connection proves the key again', async () => {
  const address = await listen()
  const options = {
    port: portOf(address),
    host: '127.0.0.1',
    ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
    maxVersion: 'TLSv1.2',
    checkServerIdentity: () => undefined,
  } as const
  const shown = () => ({ psk: key.bytes, identity: `openperp 2 follow eyes ${key.id}` })
  const first = connectTls({ ...options, pskCallback: shown })
  sockets.push(first)
  await once(first, 'data')
  const again = connectTls({ ...options, pskCallback: shown, session: first.getSession()! })
  sockets.push(again)
  await once(again, 'data')
  assert.equal(again.isSessionReused(), false)
  assert.deepEqual(came, [
    [eyes, 'read'],
    [eyes, 'read'],
  ])
})

test('a node of another version is told apart from a wrong key', async () => {
  const address = await listen()
  const other = connectTls({
    port: portOf(address),
    host: '127.0.0.1',
    ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
    maxVersion: 'TLSv1.2',
    pskCallback: () => ({ psk: key.bytes, identity: 'openperp 1 follow eyes' }),
    checkServerIdentity: () => undefined,
  })
  await once(other, 'error')
  assert.match(strangers.join(), /it said "openperp 1 follow eyes": is it of another version/)
})

test('a node gets through past any number of idle connections', async () => {
  const address = await listen()
  for (let n = 0; n < 200; n++) {
    const idle = connectPlain(portOf(address), '127.0.0.1')
    idle.on('error', () => undefined)
    sockets.push(idle)
  }
  await Promise.all(sockets.map((each) => once(each, 'connect').catch(() => undefined)))
  const stream = await dialNode(address, eyes, key)
  sockets.push(stream)
  await once(stream, 'data')
  assert.deepEqual(came, [[eyes, 'read']])
})

test('the key of a reader is accepted from that reader only, and as nothing else', async () => {
  const address = await listen()
  const others: readonly (readonly [Caller, { bytes: Buffer; id: string }])[] = [
    [{ node: 'ears', wish: 'follow' }, key],
    [eyes, { ...key, id: tradeKey.id }],
    [eyes, { ...tradeKey, id: key.id }],
  ]
  for (const [caller, shown] of others)
    await assert.rejects(dialNode(address, caller, shown), /does not know the key/)
  assert.deepEqual(came, [])
})

test('while a key is changed, the old one and the new one are accepted', async () => {
  const changed = 'the next key of this reader before its use'
  const keys = linkKeysOf(`${tradeSecret},${changed}`, `eyes:${readerSecret},eyes:${changed}`)
  server = await LinkServer.listen({
    host: '127.0.0.1',
    port: 0,
    keys,
    onNode: (_, ...caller) => came.push(caller),
    onStranger: (_, why) => strangers.push(why),
  })
  const joins: Caller = { node: 'new', wish: 'join' }
  sockets.push(await dialNode(server.address, eyes, key))
  sockets.push(await dialNode(server.address, eyes, linkKeyOf(changed)))
  sockets.push(await dialNode(server.address, joins, linkKeyOf(changed)))
  assert.deepEqual(
    came.map(([{ node }, role]) => [node, role]),
    [
      ['eyes', 'read'],
      ['eyes', 'read'],
      ['new', 'trade'],
    ],
  )
})
