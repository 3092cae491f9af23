// The signed read of a client: made by its key, sent with every read of an account, and renewed
// before it expires. It shows the owner what others do not see, such as orders that wait for their
// release.

import { signedReadHeader, writeSignedRead } from '../protocol/auth/signed-read.ts'
import type { Route, RouteName } from '../protocol/routes.ts'
import type { Body } from '../protocol/signing-text.ts'
import { ApiRefusal } from './errors.ts'
import type { Key, Signer } from './key.ts'

/** The longest that the exchange accepts. */
export const readWindowMs = 600_000
/** A new one is signed after this part of the window. */
const renewMs = readWindowMs / 2

/** Reads of an account, or of an order, that do not require an address. */
const alsoOfAccount: ReadonlySet<string> = new Set<RouteName>([
  'get_position_history',
  'get_order_events',
  'get_twap_events',
])

export function isOwnersRead({ name, signs, ofAccount }: Route): boolean {
  return signs === null && (ofAccount || alsoOfAccount.has(name))
}

/** A local key signs without interaction; a wallet would prompt its user. */
export function isKey(signer: Signer | undefined): signer is Signer & Key {
  return signer !== undefined && 'secret' in signer
}

type Parts = Readonly<{
  /** A signed body of type `read_account`. */
  sign(): Promise<Body>
  /** Milliseconds. */
  now(): number
}>

export class SignedReads {
  readonly #parts: Parts
  #made: Readonly<{ at: number; text: Promise<string> }> | null = null
  #refused = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The clock was set: what was signed by the old one may not be valid. */
  reset(): void {
    this.#made = null
  }

  /** What `authenticate` of a websocket takes; null: the exchange does not accept it. */
  body(): Promise<Body> | null {
    return this.#refused ? null : this.#parts.sign()
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    if (this.#refused) return {}
    const now = this.#parts.now()
    if (this.#made === null || now < this.#made.at || now - this.#made.at >= renewMs)
      this.#made = { at: now, text: this.#parts.sign().then(writeSignedRead) }
    const made = this.#made
    try {
      return { [signedReadHeader]: await made.text }
    } catch (error) {
      // What could not be signed now may be the next time.
      if (this.#made === made) this.#made = null
      throw error
    }
  }

  /** Whether a read that was refused is worth another try without the signature: its agent is no
   *  longer one of the account. */
  gaveUp(error: unknown): boolean {
    if (this.#refused || !(error instanceof ApiRefusal)) return false
    // AGENT_NOT_FOUND is about the agent that a request names.
    this.#refused = /^AGENT_(?!NOT_FOUND)/.test(error.reason)
    return this.#refused
  }
}
