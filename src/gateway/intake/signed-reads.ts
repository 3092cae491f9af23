// Verifies signed reads. A signed read has no effect, so that it may be reused until it expires.
// Verified signed reads are cached, because clients send them with every request.

import { readSignedRead } from '../../protocol/auth/signed-read.ts'
import type { Body } from '../../protocol/signing-text.ts'
import type { TimeMs } from '../../units/units.ts'
import { apiError } from '../api-error.ts'
import type { Signatures } from '../auth/check-signature.ts'
import type { Exchange } from '../exchange.ts'
import { principalOf } from '../operations/principal.ts'

export type SignedReader = Readonly<{
  account: string
  /** Address of the agent that signed; `null` if the account itself did. */
  agent: string | null
}>

type Known = Readonly<{ reader: SignedReader; until: number }>

const knownMax = 10_000

export class SignedReads {
  private readonly exchange: Exchange
  private readonly signatures: Signatures
  private readonly known = new Map<string, Known>()

  constructor(exchange: Exchange, signatures: Signatures) {
    this.exchange = exchange
    this.signatures = signatures
  }

  /** Verifies the signed read in a header. Throws if it is invalid. */
  async readerIn(header: string, ip: string): Promise<SignedReader> {
    const body = readSignedRead(header)
    if (body === null)
      throw apiError(
        'MALFORMED_REQUEST',
        'a signed read is account=…&timestamp=…&signature=…, with expiry_window and agent_wallet ' +
          'where the signed text has them',
      )
    const found = this.known.get(header)
    if (found === undefined || this.exchange.wallNow() > found.until)
      return this.verified(body, ip, header)
    this.requireAgent(found.reader, ip)
    return found.reader
  }

  /** Verifies the signed read in the body of `authenticate`. `name`: key in the cache. */
  async verified(body: Body, ip: string, name: string | null = null): Promise<SignedReader> {
    const { exchange } = this
    const times = { wallNow: exchange.wallNow(), engineNow: exchange.manual?.now() ?? null }
    const request = { type: 'read_account' as const, body, ip, ...times }
    const { account, proof } = await this.signatures.checkSigned(request)
    const reader = { account, agent: proof?.agent ?? null }
    this.requireAgent(reader, ip)
    // Without a proof no signature was verified, so that nothing is cached.
    if (name !== null && proof?.expiresAtMs != null) this.keep(name, reader, proof.expiresAtMs)
    return reader
  }

  private keep(name: string, reader: SignedReader, until: number): void {
    if (this.known.size >= knownMax) this.known.clear()
    this.known.set(name, { reader, until })
  }

  /** Throws unless the agent may read the account. An address without an account has no agents;
   *  its own key may still read the empty account. */
  private requireAgent({ account, agent }: SignedReader, ip: string): void {
    if (agent === null) return
    const proof = { textHash: '', signedAtMs: 0 as TimeMs, expiresAtMs: null, agent, ip }
    principalOf({ exchange: this.exchange, signed: { account, proof } }, 'rules')
  }
}
