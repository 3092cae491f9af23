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
  /** Connections on which a wrong token was received. */
  private readonly suspects = new WeakSet<object>()

  /** `proven` is called for each connection with a valid token. */
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

  /** Returns the token holder. Returns `null` if the request is refused here, usually after a
   *  delay. */
  enter({ raw }: FastifyRequest, reply: FastifyReply): TokenHolder | null {
    const found = this.check(raw)
    if ('scopes' in found) return found
    // Closing a connection while the body arrives can lose the reply. So the body is read first,
    // within the request timeout, and discarded.
    raw.once('end', () =>
      this.failed.later(found, () => {
        reply.header('connection', 'close')
        fail(reply, refusal())
      }),
    )
    raw.resume()
    return null
  }

  /** Does the same for servers without the HTTP library. The caller must close the connection
   *  after a refusal. */
  async holderOf(request: IncomingMessage): Promise<TokenHolder> {
    const found = this.check(request)
    if ('scopes' in found) return found
    await new Promise<void>((done) => this.failed.later(found, done))
    throw refusal()
  }

  /** Returns the token holder, or the failure that delays the refusal. */
  private check({ headers, socket, url = '' }: IncomingMessage): TokenHolder | Failure {
    const { authorization } = headers
    const isSuspect = this.suspects.has(socket)
    const holder = isSuspect ? null : this.tokens.holderOf(authorization)
    if (holder !== null) {
      this.proven(socket)
      return holder
    }
    // A request without a token is not counted as a failed attempt.
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
