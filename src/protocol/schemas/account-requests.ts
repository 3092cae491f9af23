// Requests about accounts, subaccounts and API keys, and their replies.

import { address, decimal, optional, symbol, venueId } from './field-types.ts'
import { Type } from './typebox.ts'

export const emptyBody = Type.Object({})

export const leverageBody = Type.Object({
  symbol,
  leverage: Type.Integer({
    minimum: 1,
    description: 'Leverage, from 1 to max_leverage of the market',
  }),
})

export const marginModeBody = Type.Object({
  symbol,
  is_isolated: Type.Boolean({ description: 'True for isolated margin, false for cross margin' }),
})

export const isolatedMarginBody = Type.Object({
  symbol,
  amount: decimal('USD to add; a negative amount removes free margin'),
})

export const withdrawBody = Type.Object({ amount: decimal('USD to withdraw') })
export const withdrawReply = Type.Object({
  withdrawal_id: Type.Integer({
    description: 'Always pending: the operator completes the withdrawal',
  }),
})

export const transferBody = Type.Object({
  to_account: address('Main account or one of its subaccounts'),
  amount: decimal('USD to move'),
})
export const transferReply = Type.Object({
  success: Type.Literal(true, { description: 'The request was executed' }),
  error: Type.Null({ description: 'Always null' }),
})

const signature = Type.Union([
  Type.String({ maxLength: 128 }),
  Type.Object({ type: Type.String(), value: Type.String({ maxLength: 128 }) }),
])

export const subaccountBody = Type.Object({
  main_account: address('Account that will own the subaccount'),
  subaccount: address('Address of the new subaccount'),
  main_signature: signature,
  sub_signature: signature,
  timestamp: Type.Integer({ description: 'Current time in milliseconds; both signatures have it' }),
  expiry_window: optional(Type.Integer({ description: 'Milliseconds; of both signatures' })),
  venue: optional(venueId('Id of the exchange (GET /info/venue); of both signatures')),
})

export const subaccountsReply = Type.Object({
  subaccounts: Type.Array(
    Type.Object({
      address: Type.String({ description: 'Address of the subaccount' }),
      balance: decimal('USD'),
      pending_balance: decimal('Pending withdrawals, in USD'),
      fee_level: Type.Integer({ description: 'Fee tier of the owner' }),
      created_at: Type.Integer({ description: 'Milliseconds' }),
    }),
    { description: 'Subaccounts of the account' },
  ),
})

export const apiKeyReply = Type.Object({
  data: Type.Object(
    { api_key: Type.String({ description: 'The key; the list of keys shows it again' }) },
    { description: 'Kind of key that was created' },
  ),
})
export const apiKeyBody = Type.Object({
  api_key: Type.String({
    minLength: 8,
    maxLength: 64,
    description: 'The key, its prefix, or the prefix with `_` and 22 asterisks',
  }),
})
export const apiKeysReply = Type.Object({
  active_api_keys: Type.Array(Type.String(), {
    description:
      'Complete keys; a key made before the current secret of the exchange is in `keys` ' + 'only',
  }),
  api_key_limit: Type.Integer({ description: 'Maximum number of keys of an account' }),
  keys: Type.Array(
    Type.Object({
      prefix: Type.String({ description: 'First eight characters' }),
      created_at: Type.Integer({ description: 'Milliseconds' }),
      last_used_at: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Time in milliseconds; null if not used since the exchange started',
      }),
      credits: Type.Integer({ description: 'Credits per 60 s window' }),
    }),
    { description: 'The same keys, with details' },
  ),
})
