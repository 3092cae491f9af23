// Limits the number of open connections, per address and in total. Servers that share these caps
// (HTTP, websocket, a second port) are counted together.
//
// So that idle sockets keep no client out, a connection that has not sent a complete request header
// yields to newer ones, and is closed after some seconds. If clients have to authenticate, a
// connection without successful authentication yields too: to any connection after a while, and
// immediately to one from an address with fewer connections. Thus a few addresses cannot keep
// others out.
//
// A trusted proxy forwards for many clients, which are not known before a request arrives. Its
// connections are counted in total only. Websockets behind it are counted by the address that it
// names (ws-server.ts).

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorName } from '../../protocol/errors.ts'
import { apiError } from '../api-error.ts'
import type { TrustedProxies } from './client-address.ts'
import { canonicalIp, limitKeyOf } from './ip-address.ts'

export type CapsOptions = Readonly<{
  /** Maximum number of connections per address; for IPv6 per /64 prefix. An address never gets
   *  more than three quarters of the total. */
  perIp: number
  total: number
  trusted: TrustedProxies
  /** Connections yield until `proven` is called for them (default: until their first request). */
  untilProven?: boolean
}>

/** Time without a request after which a connection yields to new ones. */
const yieldMs = 1_000
/** Time without a request after which a connection is closed. */
const headMs = 5_000
const sweepMs = 1_000
/** If a sweep is later than this, the process was paused and has not read data of clients yet. */
const lateMs = 2 * sweepMs

/** `openedAt` excludes pauses of the process. */
type Place = Readonly<{ socket: Socket; openedAt: number; ipKey: string | null }>
type Listener = (socket: Socket) => void

export class ConnectionCaps {
  readonly perIp: number
  readonly total: number
  private readonly trusted: TrustedProxies
  private readonly untilProven: boolean
  /** Connections with requests but without authentication, ordered by their first request. */
  private readonly unproven = new Map<Socket, Place>()
  private readonly open = new Set<Place>()
  private readonly counts = new Map<string, number>()
  /** Connections without a request, oldest first. */
  private readonly idle = new Set<Place>()
  private readonly idleOf = new Map<string, Set<Place>>()
  private readonly places = new WeakMap<Socket, Place>()
  /** Total time for which the process has been paused. */
  private pausedMs = 0
  private sweptAt = performance.now()

  constructor({ perIp, total, trusted, untilProven = false }: CapsOptions) {
    this.total = total
    this.untilProven = untilProven
    this.perIp = Math.max(1, Math.min(perIp, Math.floor((total * 3) / 4)))
    this.trusted = trusted
  }

  get count(): number {
    return this.open.size
  }

  countOf(ipKey: string): number {
    return this.counts.get(ipKey) ?? 0
  }

  /** Starts to count the connections of the server, and closes those above the limits. */
  guard(server: Server): void {
    const serve = server.listeners('connection') as Listener[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      if (this.takes(socket)) for (const each of serve) each.call(server, socket)
    })
    const heard = ({ socket }: IncomingMessage) => this.heard(socket)
    server.prependListener('request', heard)
    // If the server has no upgrade handler, a listener here would leave upgrade requests without a
    // reply.
    if (server.listenerCount('upgrade') > 0) server.prependListener('upgrade', heard)
    this.sweptAt = performance.now()
    const sweeper = setInterval(() => this.sweep(), sweepMs).unref()
    server.once('close', () => clearInterval(sweeper))
  }

  private heard(socket: Socket): void {
    const place = this.places.get(socket)
    if (place === undefined) return
    this.places.delete(socket)
    this.spoke(place)
    if (this.untilProven) this.unproven.set(socket, place)
  }

  /** Marks a connection as authenticated, so that it no longer yields. */
  readonly proven = (socket: Socket): void => {
    this.unproven.delete(socket)
  }

  /** Milliseconds for which the process has been running. Pauses do not count against clients. */
  private get ranMs(): number {
    return performance.now() - this.pausedMs
  }

  private sweep(): void {
    const sinceMs = performance.now() - this.sweptAt
    this.sweptAt += sinceMs
    if (sinceMs > lateMs) {
      this.pausedMs += sinceMs - sweepMs
      return
    }
    const now = this.ranMs
    for (const place of this.idle) {
      if (now - place.openedAt < headMs) return
      // The connection is paused, so that it cannot have sent a request.
      if (place.socket.isPaused()) continue
      this.spoke(place)
      refuse(place.socket, 408, 'MALFORMED_REQUEST', 'the request did not arrive in time')
    }
  }

  private takes(socket: Socket): boolean {
    const ip = canonicalIp(socket.remoteAddress ?? '')
    // The connection was closed before it was handled.
    if (ip === null) {
      socket.destroy()
      return false
    }
    const ipKey = this.trusted.has(ip) ? null : limitKeyOf(ip)
    if (
      ipKey !== null &&
      this.countOf(ipKey) >= this.perIp &&
      !this.evict(this.idleOf.get(ipKey)) &&
      !this.evictUnproven(ipKey)
    )
      return refuse(
        socket,
        429,
        'RATE_LIMITED',
        `${this.perIp} connections of this address are open`,
      )
    if (
      this.open.size >= this.total &&
      !this.evict(this.idle) &&
      !this.evictUnproven(null) &&
      !this.evictOfMost(ipKey)
    )
      return refuse(socket, 503, 'NOT_READY', `${this.total} connections are open`)
    this.enter({ socket, openedAt: this.ranMs, ipKey })
    return true
  }

  private enter(place: Place): void {
    const { socket, ipKey } = place
    this.open.add(place)
    this.places.set(socket, place)
    this.idle.add(place)
    if (ipKey !== null) {
      this.counts.set(ipKey, this.countOf(ipKey) + 1)
      const idle = this.idleOf.get(ipKey) ?? new Set()
      this.idleOf.set(ipKey, idle.add(place))
    }
    socket.once('close', () => this.leave(place))
  }

  private leave(place: Place): void {
    const { ipKey, socket } = place
    if (!this.open.delete(place)) return
    this.spoke(place)
    this.unproven.delete(socket)
    if (ipKey === null) return
    const left = this.countOf(ipKey) - 1
    if (left > 0) this.counts.set(ipKey, left)
    else this.counts.delete(ipKey)
  }

  private spoke(place: Place): void {
    this.idle.delete(place)
    const { ipKey } = place
    const idle = ipKey === null ? undefined : this.idleOf.get(ipKey)
    idle?.delete(place)
    if (idle?.size === 0) this.idleOf.delete(ipKey!)
  }

  /** Closes the oldest connection without a request, if it is old enough to yield. */
  private evict(idle: ReadonlySet<Place> | undefined): boolean {
    for (const place of idle ?? []) {
      if (this.ranMs - place.openedAt < yieldMs) return false
      if (place.socket.isPaused()) continue
      return this.end(place)
    }
    return false
  }

  /** Closes the oldest connection without authentication; `ipKey`: `null` for any address. */
  private evictUnproven(ipKey: string | null): boolean {
    for (const place of this.unproven.values())
      if (this.ranMs - place.openedAt >= yieldMs && (ipKey === null || place.ipKey === ipKey))
        return this.end(place)
    return false
  }

  /** Closes the oldest unauthenticated connection of the address with the most connections,
   *  provided that this address has more than the address of the new connection would. All trusted
   *  proxies together count as one address here. */
  private evictOfMost(ipKey: string | null): boolean {
    if (!this.untilProven) return false
    let found: Place | null = null
    let most = this.placesOf(ipKey) + 1
    for (const place of [...this.idle, ...this.unproven.values()]) {
      const count = this.placesOf(place.ipKey)
      const isOlder = found !== null && count === most && place.openedAt < found.openedAt
      if (count <= most && !isOlder) continue
      found = place
      most = count
    }
    return found !== null && this.end(found)
  }

  private placesOf(ipKey: string | null): number {
    if (ipKey !== null) return this.countOf(ipKey)
    const counted = [...this.counts.values()].reduce((sum, count) => sum + count, 0)
    return this.open.size - counted
  }

  private end(place: Place): true {
    this.leave(place)
    place.socket.destroy()
    return true
  }
}

/** Sends the reason without waiting for the client to read it. */
function refuse(socket: Socket, status: number, name: ErrorName, why: string): false {
  const { message } = apiError(name, why)
  const body = JSON.stringify({ success: false, data: null, error: message, code: status })
  socket.on('error', () => socket.destroy())
  socket.write(
    `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `retry-after: 5\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  socket.destroySoon()
  return false
}
