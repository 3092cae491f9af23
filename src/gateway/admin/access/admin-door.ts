// Authentication of the admin plane by token. The delay after a wrong token is in failed-tokens.ts.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiError } from '../../api-error.ts'
import { fail } from '../../http/server.ts'
import { clientAddress, type TrustedProxies } from '../../limits/client-address.ts'
import type { FailedTokens, Failure } from './failed-tokens.ts'
import type { TokenHolder, Tokens } from './tokens.ts'

const refusal = () => apiError('CREDENTIALS_REQUIRED', 'send `authorization: Bearer <admin token>`')

export class AdminDoor {
  private readonly tokens: Tokens
  private readonly failed: FailedTokens
  private readonly trusted: TrustedProxies
  private readonly proven: (socket: Socket) => void
  /** Sockets over which a wrong token came. */
  private readonly suspects = new WeakSet<object>()

  /** `proven` hears of each connection over which a right token came. */
  constructor(
    tokens: Tokens,
    failed: FailedTokens,
    trusted: TrustedProxies,
    proven: (socket: Socket) => void = () => undefined,
  ) {
    this.tokens = tokens
    this.failed = failed
    this.trusted = trusted
    this.proven = proven
  }

  /** Gives the holder, or null when the request is answered here: mostly later, and for the last
   *  time. */
  enter({ raw }: FastifyRequest, reply: FastifyReply): TokenHolder | null {
    const found = this.check(raw)
    if ('scopes' in found) return found
    // A connection that is closed while a body still comes takes the answer with it, so the body is
    // read first, within the time of a request, and thrown away.
    raw.once('end', () =>
      this.failed.later(found, () => {
        reply.header('connection', 'close')
        fail(reply, refusal())
      }),
    )
    raw.resume()
    return null
  }

  /** The same where no library serves; the connection is to be closed after the answer. */
  async holderOf(request: IncomingMessage): Promise<TokenHolder> {
    const found = this.check(request)
    if ('scopes' in found) return found
    await new Promise<void>((done) => this.failed.later(found, done))
    throw refusal()
  }

  /** The holder, or what the refusal has to wait for. */
  private check({ headers, socket, url = '' }: IncomingMessage): TokenHolder | Failure {
    const { authorization } = headers
    const isSuspect = this.suspects.has(socket)
    const holder = isSuspect ? null : this.tokens.holderOf(authorization)
    if (holder !== null) {
      this.proven(socket)
      return holder
    }
    // Who sends none does not try any.
    if (authorization === undefined && !isSuspect) throw refusal()
    this.suspects.add(socket)
    const forwardedFor = headers['x-forwarded-for']
    const address = clientAddress(
      { socketAddress: socket.remoteAddress, forwardedFor },
      this.trusted,
    )
    return this.failed.note(address, url.split('?')[0]!)
  }
}
