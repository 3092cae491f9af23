// How a caller authenticates as the owner of an account, for the OpenAPI and AsyncAPI documents:
// with an API key, or with a signed read (docs/api/signing.md).

import { signedReadHeader } from '../../protocol/auth/signed-read.ts'
import { signingFields } from '../../protocol/schemas/signing-fields.ts'
import { Type } from '../../protocol/schemas/typebox.ts'

type Json = Readonly<Record<string, unknown>>

/** `keyHeaders`: accepted headers for an API key, the usual one first. */
export function securitySchemes(keyHeaders: readonly string[]): Json {
  const [usual = '', ...others] = keyHeaders.map((name) => name.toUpperCase())
  const alike = others.length === 0 ? '' : ` (${others.join(', ')} means the same)`
  return {
    api_key: {
      type: 'apiKey',
      in: 'header',
      name: usual,
      description: `An API key${alike}: its own credits, and reads as the owner of its account`,
    },
    signed_read: {
      type: 'apiKey',
      in: 'header',
      name: signedReadHeader,
      description:
        'A signed read, to read as the owner of an account: ' +
        'account=…&timestamp=…&expiry_window=…&signature=…, a signature of type read_account ' +
        'with empty data; with agent_wallet=… if an agent signed, and type=hardware for the ' +
        'off-chain form. The same one may be sent with any number of reads until it expires',
    },
  }
}

/** Authentication is optional: without it the reply has only public data. */
export const readerSecurity: readonly Json[] = [{}, { api_key: [] }, { signed_read: [] }]
export const callerSecurity: readonly Json[] = [{}, { api_key: [] }]

/** Params of the websocket's `authenticate`. */
export const authenticateParams = Type.Union([
  Type.Object({ api_key: Type.String({ description: 'A key of the account' }) }),
  Type.Object(signingFields, {
    description: 'A signed read: the signature is of type read_account with empty data',
  }),
])
