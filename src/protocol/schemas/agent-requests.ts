// Requests about agents, their policies and their IP addresses, and the replies.

import { allowances } from '../words.ts'
import { address, count, decimal, optional, orNull, symbol, timeMs } from './field-types.ts'
import { type Static, Type } from './typebox.ts'

const ip = Type.String({ minLength: 2, maxLength: 64, description: 'IPv4 or IPv6 address' })

const policy = Type.Object(
  {
    symbols: optional(
      Type.Array(symbol, {
        minItems: 1,
        description: 'Markets in which the key may trade (default: all)',
      }),
    ),
    post_only: optional(
      Type.Boolean({ description: 'Whether only orders that never take are allowed' }),
    ),
    reduce_only: optional(
      Type.Boolean({ description: 'Whether only reduce-only orders are allowed' }),
    ),
    max_slippage_percent: optional(
      decimal('Maximum distance in percent: of a bid above the mark, of an ask below it'),
    ),
    max_order_value: optional(decimal('USD of one order')),
    max_position_value: optional(decimal('Maximum value of a position with its orders, in USD')),
    max_daily_loss: optional(
      decimal(
        'Loss in USD, from the highest equity of the UTC day, after which the key may only ' +
          'reduce positions',
      ),
    ),
    expires_at: optional(timeMs('The key expires at this time')),
    allow: optional(
      Type.Array(Type.Enum(allowances), {
        description: 'Rights in addition to trading: change margin, manage API keys',
      }),
    ),
  },
  { description: 'Limits of the key; an absent field sets no limit' },
)
export type PolicyRequest = Static<typeof policy>

const policyReply = Type.Object({
  symbols: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'null for all' }),
  post_only: Type.Boolean({ description: 'Whether only orders that never take are allowed' }),
  reduce_only: Type.Boolean({ description: 'Whether only reduce-only orders are allowed' }),
  max_slippage_percent: orNull(decimal('Maximum distance from the mark, in percent')),
  max_order_value: orNull(decimal('USD')),
  max_position_value: orNull(decimal('USD')),
  max_daily_loss: orNull(decimal('USD')),
  expires_at: orNull(count(), 'Milliseconds'),
  allow: Type.Array(Type.Enum(allowances), { description: 'Permissions in addition to trading' }),
})
export type PolicyReply = Static<typeof policyReply>

export const bindBody = Type.Object({
  agent_wallet: address('Address of the agent key'),
  policy: optional(policy),
  ips: optional(
    Type.Array(ip, { minItems: 1, description: 'IP addresses from which the key may be used' }),
  ),
})
/** Exactly one of `policy` and `remove` is required. */
export const policyBody = Type.Object({
  agent_wallet: address('Address of the agent key'),
  policy: optional(policy),
  remove: optional(Type.Boolean({ description: 'True: the key has no policy from now on' })),
})

export const agentBody = Type.Object({ agent_wallet: address('Address of the agent key') })
export const agentIpBody = Type.Object({
  agent_wallet: address('Address of the agent key'),
  ip_address: ip,
})
export const agentIpFilterBody = Type.Object({
  agent_wallet: address('Address of the agent key'),
  enabled: Type.Boolean({ description: 'True: only listed addresses may use the agent' }),
})
export const agentKeyBody = Type.Object({ api_agent_key: address('Address of the agent key') })

export const agentQuery = Type.Object({
  account: address('Account address'),
  agent_wallet: address('Address of the agent key'),
})

export const agentRow = Type.Object({
  agent_wallet: Type.String({ description: 'Address of the agent key' }),
  policy: Type.Union([policyReply, Type.Null()], {
    description: 'Policy of the key; null if it has none',
  }),
  ips: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'IP addresses from which the key may be used; null if any',
  }),
  day_loss: decimal(
    'Loss in USD from the highest equity of this UTC day, as counted by the policy',
  ),
  expired: Type.Boolean({
    description: 'Whether the policy has expired, so that the key is rejected',
  }),
})

export const agentsReply = Type.Object({
  agent_wallets: Type.Array(Type.String(), { description: 'Addresses of bound agents' }),
  agents: Type.Array(agentRow, { description: 'The same agents, with their policies' }),
})
export const agentIpsReply = Type.Object({
  ips: Type.Array(Type.String(), { description: 'IP addresses from which the agent may be used' }),
  enabled: Type.Boolean({ description: 'Whether the list is in force' }),
})
