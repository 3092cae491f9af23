// Accounts and keys: search, show, freeze, note, limit, cancel.

import { routeSchemas } from '../../route-schemas.ts'
import {
  address,
  count,
  decimal,
  optional,
  orNull,
  symbol,
  text,
} from '../../schemas/field-types.ts'
import { limitOf } from '../../schemas/lists.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'
import { statementOperations } from './statement-operations.ts'

const { get_account, get_positions, get_open_orders } = routeSchemas

const standing = Type.Object({
  account: text(),
  frozen: Type.Boolean(),
  balance: text(),
  equity: text('Equity of cross and isolated positions together'),
  positions: count(),
  orders: count(),
  margin_ratio: orNull(
    text('Lowest ratio of equity to maintenance margin; below 1 the account is liquidated'),
  ),
  margin_scope: orNull(text('Scope of this ratio: cross, or an isolated market')),
})

export const ACCOUNTS_LIMIT = 50

/** Allowed credits per minute of an API key, if an operator raises them. */
export const creditTiers = [100, 300, 600, 1_200, 2_400, 6_000, 12_000, 24_000, 30_000] as const

export const accountOperations = {
  find_accounts: {
    http: 'GET /accounts',
    scope: 'read',
    summary:
      'Search accounts by a part of the address, oldest first, or list those nearest to ' +
      'liquidation',
    request: Type.Object({
      query: optional(Type.String({ maxLength: 64, description: 'Part of an address' })),
      order: optional(Type.Enum(['opened', 'margin_ratio'], { description: '(default: opened)' })),
      limit: limitOf({ maximum: 500, default: ACCOUNTS_LIMIT, rows: 'accounts' }),
    }),
    reply: Type.Object({
      found: count('Total number of accounts, including those beyond limit'),
      accounts: Type.Array(standing),
    }),
  },
  show_account: {
    http: 'GET /accounts/show',
    scope: 'read',
    summary:
      'Show an account as its owner sees it: money, margin, positions, open orders, pending ' +
      'withdrawals',
    request: Type.Object({ account: address('Account address') }),
    reply: Type.Object({
      ...standing.properties,
      money: get_account.reply,
      positions_held: get_positions.reply,
      open_orders: get_open_orders.reply.properties.rows,
      withdrawals: Type.Array(Type.Object({ withdrawal_id: count(), amount: text() }), {
        description: 'Pending withdrawals',
      }),
      note: orNull(text(), 'Note of an operator'),
      subaccounts: Type.Array(text()),
      agents: Type.Array(text()),
    }),
  },
  ...statementOperations,
  freeze_account: {
    http: 'POST /accounts/freeze',
    scope: 'accounts',
    summary: 'Freeze or unfreeze an account: a frozen one can only cancel orders',
    request: Type.Object({ account: address('Account address'), frozen: Type.Boolean() }),
    reply: Type.Object({ account: text(), frozen: Type.Boolean() }),
  },
  note_account: {
    http: 'POST /accounts/note',
    scope: 'accounts',
    summary: 'Set the note on an account; visible to operators only',
    request: Type.Object({
      account: address('Account address'),
      text: orNull(
        Type.String({ minLength: 1, maxLength: 2_000 }),
        'Text of the note; null removes it',
      ),
    }),
    reply: Type.Object({
      account: text(),
      text: orNull(text()),
    }),
  },
  set_owner_limit: {
    http: 'POST /accounts/owner_limit',
    scope: 'accounts',
    summary: 'Set the position limit of an owner in a market, in place of its owner_interest_max',
    request: Type.Object({
      account: address('Main account; the limit includes its subaccounts'),
      symbol,
      amount: optional(decimal('Limit in base units (default or null: the limit of the market)')),
    }),
    reply: Type.Object({
      account: text(),
      symbol: text(),
      amount: orNull(text()),
    }),
  },
  cancel_orders: {
    http: 'POST /accounts/cancel_orders',
    scope: 'accounts',
    summary: 'Cancel all orders of an account',
    request: Type.Object({ account: address('Account address') }),
    reply: Type.Object({ cancelled_count: count() }),
  },
  unbind_agent: {
    http: 'POST /agents/unbind',
    scope: 'accounts',
    summary: 'Remove a key as an agent from every account',
    request: Type.Object({ agent_wallet: address('Key to remove') }),
    reply: Type.Object({
      accounts: Type.Array(text(), { description: 'Accounts that the key was removed from' }),
    }),
  },
  set_key_credits: {
    http: 'POST /keys/credits',
    scope: 'accounts',
    summary: 'Set the credits per minute of an API key; 0 is the default of an address',
    request: Type.Object({
      prefix: Type.String({ minLength: 8, maxLength: 8 }),
      credits: Type.Enum([0, ...creditTiers]),
    }),
    reply: Type.Object({ prefix: text(), credits: count() }),
  },
} as const satisfies AdminRows
