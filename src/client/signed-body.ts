// A request body with its signature.

import { signingText, UnsignableError } from '../protocol/signing-text.ts'
import type { SigningType } from '../protocol/signing-types.ts'
import type { Signer } from './key.ts'
import { signatureOf } from './signature.ts'

/** How a body is signed. */
export type SigningOptions = Readonly<{
  /** Operation type of the signed text, such as `create_order`. */
  type: SigningType
  /** Milliseconds since 1970. */
  timestamp: number
  /** Milliseconds for which the signature is valid (default: 30 s). */
  expiryWindow?: number | undefined
  /** Sign with this key for the account: it must be bound as its agent. */
  agent?: Signer | undefined
  /** Id of the exchange that the text is for; absent: the text names none. */
  venue?: string | undefined
}>

/** Returns the body to send for `account`, signed by its own key or by its agent.
 *  @throws {Error} It cannot be signed: the message names the field. */
export async function signedBody(
  account: Signer | Readonly<{ address: string; sign?: never }>,
  fields: Readonly<Record<string, unknown>>,
  { type, timestamp, expiryWindow, agent, venue }: SigningOptions,
): Promise<Record<string, unknown>> {
  const body = {
    ...fields,
    account: account.address,
    timestamp,
    ...(expiryWindow === undefined ? {} : { expiry_window: expiryWindow }),
    ...(agent === undefined ? {} : { agent_wallet: agent.address }),
    ...(venue === undefined ? {} : { venue }),
  }
  const signer = agent ?? account
  if (signer.sign === undefined)
    throw new Error(`${type} has to be signed, and there is no key to do it`)
  return { ...body, signature: await signatureOf(signer, textOf(type, body)) }
}

/** Names the field if the body cannot be signed. */
function textOf(type: SigningType, body: Readonly<Record<string, unknown>>): string {
  try {
    return signingText(type, body)
  } catch (error) {
    const why = error instanceof UnsignableError ? unsignable(body, '') : null
    throw why === null ? error : new UnsignableError(why)
  }
}

function unsignable(value: unknown, field: string): string | null {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    return `${field} is the number ${value}: decimals are strings, such as "1.5"`
  if (typeof value === 'string' && /[^\0-\x7f]/.test(value))
    return `${field} has a character outside ASCII`
  if (typeof value !== 'object' || value === null) return null
  const isList = Array.isArray(value)
  for (const [key, each] of Object.entries(value)) {
    const name = isList ? `${field}[${key}]` : `${field}${field === '' ? '' : '.'}${key}`
    const why = unsignable(each, name)
    if (why !== null) return why
  }
  return null
}
