// The stream between two nodes of a cluster: TLS with a pre-shared key. With a different key, or
// without a key, the handshake fails and no data is exchanged. The cipher derives a fresh key for
// each connection, so that a stolen key does not reveal earlier traffic. The key decides what the
// caller may do: trading nodes share one, and each read node has its own.

import { constants, hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer, type Server, type TLSSocket } from 'node:tls'

/** Incremented with every incompatible change of the messages. */
const linkVersion = 2

const suite = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const

const handshakeMsMax = 2_000
/** Maximum number of connections that have not authenticated. One more closes the oldest. */
const strangersMax = 64
const keyBytes = 32
const idBytes = 8

/** `id` identifies the key in a handshake, so that the old and the new key both work during a
 *  rotation. */
export type LinkKey = Readonly<{ bytes: Buffer; id: string }>

export function linkKeyOf(secret: string): LinkKey {
  const derived = (purpose: string, size: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', purpose, size))
  return {
    bytes: derived('openperp link', keyBytes),
    id: derived('openperp link id', idBytes).toString('hex'),
  }
}

/** Purpose of a connection: to follow the node, or to copy its folder. */
export type Wish = 'follow' | 'join'
export type Caller = Readonly<{ node: string; wish: Wish }>
/** What the key of a caller proves: that it is a trading node, or this read node. */
export type Role = 'trade' | 'read'

type KnownKey = Readonly<{ key: LinkKey; role: Role }>

/** Accepted keys by their id. The key of a read node is accepted from that node only. */
export type LinkKeys = ReadonlyMap<string, KnownKey>

/** `clusterKeys` and `readerKeys` are lists as in the settings: keys, and `node:key`. */
export function linkKeysOf(clusterKeys: string, readerKeys: string): LinkKeys {
  const keys = new Map<string, KnownKey>()
  const listOf = (text: string) => text.split(',').filter((each) => each !== '')
  for (const each of listOf(readerKeys)) {
    const [node, secret] = each.split(':') as [string, string]
    const key = linkKeyOf(secret)
    keys.set(`${node} ${key.id}`, { key, role: 'read' })
  }
  for (const each of listOf(clusterKeys)) {
    const key = linkKeyOf(each)
    keys.set(key.id, { key, role: 'trade' })
  }
  return keys
}

const identityOf = ({ node, wish }: Caller, { id }: LinkKey) =>
  `openperp ${linkVersion} ${wish} ${node} ${id}`

type Said = Readonly<{ caller: Caller; id: string }>

/** Parses the caller and the name of its key; `null` if they are malformed. */
function callerIn(identity: string): Said | null {
  const said = /^openperp (\d{1,9}) (follow|join) ([\w.-]{1,64}) ([0-9a-f]{16})$/.exec(identity)
  if (Number(said?.[1]) !== linkVersion) return null
  return { caller: { node: said![3]!, wish: said![2] as Wish }, id: said![4]! }
}

export type LinkServerParts = Readonly<{
  host: string
  port: number
  keys: LinkKeys
  onNode: (stream: TLSSocket, caller: Caller, role: Role) => void
  /** Called with the reason when a connection is refused. */
  onStranger: (address: string, why: string) => void
}>

export class LinkServer {
  private readonly server: Server
  private readonly host: string
  /** Connections that have not authenticated, by remote address. */
  private readonly strangers = new Map<string, Socket>()
  private readonly streams = new Set<TLSSocket>()

  private constructor({ host, keys, onNode, onStranger }: LinkServerParts) {
    this.host = host
    const callers = new WeakMap<TLSSocket, readonly [Caller, Role]>()
    this.server = createServer({
      ...suite,
      handshakeTimeout: handshakeMsMax,
      // Session resumption is disabled, so that every connection authenticates with the key.
      secureOptions: constants.SSL_OP_NO_TICKET,
      pskCallback(stream, identity) {
        const said = callerIn(identity)
        const address = stream.remoteAddress ?? ''
        if (said === null) {
          const shown = JSON.stringify(identity.slice(0, 100))
          onStranger(address, `it said ${shown}: is it of another version?`)
          return null
        }
        const { caller, id } = said
        const known = keys.get(`${caller.node} ${id}`) ?? keys.get(id)
        if (known === undefined) {
          onStranger(address, `${caller.node} has a key that is not known here`)
          return null
        }
        callers.set(stream, [caller, known.role])
        return known.key.bytes
      },
    })
    this.server.on('connection', (socket) => this.came(socket))
    this.server.on('tlsClientError', (error, stream) => {
      onStranger(stream.remoteAddress ?? '', `no handshake: ${error.message}`)
      stream.destroy()
    })
    this.server.on('secureConnection', (stream) => {
      this.strangers.delete(placeOf(stream))
      this.streams.add(stream)
      stream.once('close', () => this.streams.delete(stream))
      // Errors are ignored here, because every error is followed by the stream's close event.
      stream.on('error', () => undefined)
      stream.setNoDelay(true)
      onNode(stream, ...callers.get(stream)!)
    })
  }

  static async listen(parts: LinkServerParts): Promise<LinkServer> {
    const link = new LinkServer(parts)
    link.server.listen(parts.port, parts.host)
    await once(link.server, 'listening')
    return link
  }

  /** Address at which other nodes reach this port. */
  get address(): string {
    const { port } = this.server.address() as AddressInfo
    return `${this.host.includes(':') ? `[${this.host}]` : this.host}:${port}`
  }

  close(): void {
    this.server.close()
    for (const socket of [...this.strangers.values(), ...this.streams]) socket.destroy()
  }

  private came(socket: Socket): void {
    const { strangers } = this
    const place = placeOf(socket)
    strangers.set(place, socket)
    socket.once('close', () => strangers.delete(place))
    const [oldest] = strangers.values()
    if (strangers.size > strangersMax) oldest!.destroy()
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** Connects to a node; resolves when both ends have authenticated. */
export async function dialNode(address: string, caller: Caller, key: LinkKey): Promise<TLSSocket> {
  const { hostname, port } = new URL(`tls://${address}`)
  const stream = connect({
    ...suite,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    pskCallback: () => ({ psk: key.bytes, identity: identityOf(caller, key) }),
    // The key authenticates the peer; no certificate names it.
    checkServerIdentity: () => undefined,
  })
  stream.setNoDelay(true)
  const late = () => stream.destroy(new Error('no answer in time'))
  stream.setTimeout(handshakeMsMax, late)
  await once(stream, 'secureConnect').catch((error: Error & { code?: string }) => {
    if (error.code?.startsWith('ERR_SSL') !== true) throw error
    const text = 'it does not know the key of this node, or speaks another version of the link'
    throw new Error(`${text} (${error.message})`, { cause: error })
  })
  stream.setTimeout(0, late)
  // There may be no listener yet. Every error is followed by the stream's close event.
  stream.on('error', () => undefined)
  return stream
}
