// The stream between two nodes of a cluster: TLS with a pre-shared key. With a different key, or
// without a key, the handshake fails and no data is exchanged. The cipher derives a fresh key for
// each connection, so that a stolen key does not reveal earlier traffic.

import { constants, hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer, type Server, type TLSSocket } from 'node:tls'

/** Incremented with every incompatible change of the messages. */
const linkVersion = 1

const suite = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const

const handshakeMsMax = 2_000
/** Maximum number of connections that have not authenticated. One more closes the oldest. */
const strangersMax = 64
const keyBytes = 32

export type LinkKey = Readonly<{ bytes: Buffer }>

export function linkKeyOf(clusterKey: string): LinkKey {
  return { bytes: Buffer.from(hkdfSync('sha256', clusterKey, '', 'openperp link', keyBytes)) }
}

/** Purpose of a connection: to follow the node, or to copy its folder. */
export type Wish = 'follow' | 'join'
export type Caller = Readonly<{ node: string; wish: Wish }>

const identityOf = ({ node, wish }: Caller) => `openperp ${linkVersion} ${wish} ${node}`

/** Parses the caller; `null` if it is malformed. */
function callerIn(identity: string): Caller | null {
  const said = /^openperp (\d{1,9}) (follow|join) ([\w.-]{1,64})$/.exec(identity)
  if (Number(said?.[1]) !== linkVersion) return null
  return { node: said![3]!, wish: said![2] as Wish }
}

export type LinkServerParts = Readonly<{
  host: string
  port: number
  key: LinkKey
  onNode: (stream: TLSSocket, caller: Caller) => void
  /** Called with the reason when a connection is refused. */
  onStranger: (address: string, why: string) => void
}>

export class LinkServer {
  private readonly server: Server
  private readonly host: string
  /** Connections that have not authenticated, by remote address. */
  private readonly strangers = new Map<string, Socket>()
  private readonly streams = new Set<TLSSocket>()

  private constructor({ host, key, onNode, onStranger }: LinkServerParts) {
    this.host = host
    const callers = new WeakMap<TLSSocket, Caller>()
    this.server = createServer({
      ...suite,
      handshakeTimeout: handshakeMsMax,
      // Session resumption is disabled, so that every connection authenticates with the key.
      secureOptions: constants.SSL_OP_NO_TICKET,
      pskCallback(stream, identity) {
        const caller = callerIn(identity)
        if (caller === null) {
          const said = JSON.stringify(identity.slice(0, 100))
          onStranger(stream.remoteAddress ?? '', `it said ${said}: is it of another version?`)
          return null
        }
        callers.set(stream, caller)
        return key.bytes
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
      onNode(stream, callers.get(stream)!)
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
    pskCallback: () => ({ psk: key.bytes, identity: identityOf(caller) }),
    // The key authenticates the peer; no certificate names it.
    checkServerIdentity: () => undefined,
  })
  stream.setNoDelay(true)
  const late = () => stream.destroy(new Error('no answer in time'))
  stream.setTimeout(handshakeMsMax, late)
  await once(stream, 'secureConnect').catch((error: Error & { code?: string }) => {
    if (error.code?.startsWith('ERR_SSL') !== true) throw error
    const text = 'it has another clusterKey, or speaks another version of the link'
    throw new Error(`${text} (${error.message})`, { cause: error })
  })
  stream.setTimeout(0, late)
  // There may be no listener yet. Every error is followed by the stream's close event.
  stream.on('error', () => undefined)
  return stream
}
