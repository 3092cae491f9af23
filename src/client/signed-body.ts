// A request body with its signature.

import { signingText } from '../protocol/signing-text.ts'
import type { SigningType } from '../protocol/signing-types.ts'
import type { Signer } from './key.ts'
import { signatureOf } from './signature.ts'

export type SigningOptions = Readonly<{
  type: SigningType
  timestamp: number
  expiryWindow?: number | undefined
  /** Sign with this key for the account: it must be bound as its agent. */
  agent?: Signer | undefined
}>

/** The body to send for `account`, signed by its own key or by its agent. */
export async function signedBody(
  account: Signer | Readonly<{ address: string; sign?: never }>,
  fields: Readonly<Record<string, unknown>>,
  { type, timestamp, expiryWindow, agent }: SigningOptions,
): Promise<Record<string, unknown>> {
  const body = {
    ...fields,
    account: account.address,
    timestamp,
    ...(expiryWindow === undefined ? {} : { expiry_window: expiryWindow }),
    ...(agent === undefined ? {} : { agent_wallet: agent.address }),
  }
  const signer = agent ?? account
  if (signer.sign === undefined)
    throw new Error(`${type} has to be signed, and there is no key to do it`)
  return { ...body, signature: await signatureOf(signer, signingText(type, body)) }
}
