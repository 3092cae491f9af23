// The signature fields that every signed body has in addition to its parameters.

import { venueId } from './field-types.ts'
import { type TSchema, Type } from './typebox.ts'

const signature = Type.Union(
  [Type.String(), Type.Object({ type: Type.Enum(['raw', 'hardware']), value: Type.String() })],
  { description: 'Base58 of the Ed25519 signature, or {"type":"hardware","value":…}' },
)

export const signingFields = {
  account: Type.String({ description: 'Address of the account' }),
  signature,
  timestamp: Type.Integer({ description: 'Now, in milliseconds' }),
  expiry_window: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600_000,
      description: 'Validity of the signature, in milliseconds (default: 30000)',
    }),
  ),
  agent_wallet: Type.Optional(
    Type.String({ description: 'Address of the agent that signed, if one did' }),
  ),
  venue: Type.Optional(
    venueId('Id of the exchange that the text is for (GET /info/venue); any other rejects it'),
  ),
} as const satisfies Readonly<Record<string, TSchema>>

/** The signature fields of the contract's TP/SL. The account may be sent as `user`, without a
 *  timestamp. */
export const untimedFields = {
  ...signingFields,
  account: Type.Optional(signingFields.account),
  timestamp: Type.Optional(signingFields.timestamp),
  user: Type.Optional(
    Type.String({ description: 'In place of account: levels in ticks, timestamp optional' }),
  ),
} as const satisfies Readonly<Record<string, TSchema>>
