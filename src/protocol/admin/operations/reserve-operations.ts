// Operations on reserves: balances, the insurance fund's share of the fees, proofs of reserves, and
// fees.

import { count, decimal, optional, orNull, symbol, text } from '../../schemas/field-types.ts'
import { reserveSummary, reservesReply } from '../../schemas/proofs/reserve-replies.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'

const place = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: `${what}: fees, insurance, or the address of a reserve or of an account`,
  })

export const reserveOperations = {
  get_reserves: {
    http: 'GET /reserves',
    scope: 'read',
    summary: 'Show fee, insurance, deficit and backstop balances, and payments in and out',
    request: Type.Object({}),
    reply: Type.Object({
      fees: text(),
      insurance: text(),
      deficit: text(),
      fees_address: text(),
      insurance_address: text(),
      deficit_address: text(),
      insurance_share: text('Fraction of the fees that goes to the insurance fund each full hour'),
      insurance_daily_max: text('Maximum fraction that the insurance fund pays on one UTC day'),
      insurance_daily_limit: text(
        "Today's maximum in USD, from the balance before the first payment of the day",
      ),
      insurance_paid_today: text('USD that the fund has paid today'),
      deposits: text(),
      withdrawn: text(),
      backstops: Type.Array(
        Type.Object({
          symbol: text(),
          account: text('Address of the account'),
          balance: text(),
        }),
      ),
    }),
  },
  get_reserve_proof: {
    http: 'GET /reserves/proof',
    scope: 'read',
    summary: 'Show the newest proof of reserves: root, sums and its journal entry',
    request: Type.Object({}),
    reply: Type.Object({ newest: reservesReply }),
  },
  prove_reserves: {
    http: 'POST /reserves/prove',
    scope: 'operate',
    summary:
      'Make a proof of reserves: a file with the balance of each account, in the data folder',
    request: Type.Object({}),
    reply: reserveSummary,
  },
  move_reserve: {
    http: 'POST /reserves/move',
    scope: 'money',
    summary:
      'Between fees, insurance, backstops and an account of the operator: from and to. Or with a ' +
      "symbol from the insurance fund to that market's backstop; a negative amount moves back",
    request: Type.Object({
      symbol: optional(symbol),
      from: optional(place('Who gives')),
      to: optional(place('Who gets')),
      amount: decimal('USD'),
    }),
    reply: Type.Object({
      from_balance: text('Balance of the payer after the transfer'),
      to_balance: text('Balance of the receiver after the transfer'),
      insurance: text(),
      backstop: orNull(text(), 'Market of the backstop that paid or received; null if none did'),
      waiting_credit_id: orNull(
        count(),
        'Id of the credit if it waits for another token, because it exceeds ' +
          'credit_approval_above; nothing has moved then. null if the money has moved',
      ),
    }),
  },
  get_fee_tiers: {
    http: 'GET /fees',
    scope: 'read',
    summary: 'Show the fee tiers in force, in the form of POST /fees',
    request: Type.Object({}),
    reply: Type.Object({
      tiers: Type.Array(
        Type.Object({
          volume: count('Volume of 14 days, in whole USD'),
          maker_fee_rate: text(),
          taker_fee_rate: text(),
        }),
      ),
    }),
  },
  set_fee_tiers: {
    http: 'POST /fees',
    scope: 'operate',
    summary: 'Replace the fee tiers, effective immediately',
    request: Type.Object({
      tiers: Type.Array(
        Type.Object({
          volume: Type.Integer({ minimum: 0, description: 'Volume of 14 days, in whole USD' }),
          maker_fee_rate: decimal('As a fraction: 0.0002; negative is a rebate'),
          taker_fee_rate: decimal('As a fraction: 0.0005'),
        }),
        { minItems: 1, maxItems: 12 },
      ),
    }),
    reply: Type.Object({ tiers: count() }),
  },
  set_insurance_share: {
    http: 'POST /fees/insurance_share',
    scope: 'operate',
    summary:
      'Set the fraction of the fees that goes to the insurance fund each hour, effective ' +
      'immediately',
    request: Type.Object({ share: decimal('As a fraction, 0 to 1: 0.1') }),
    reply: Type.Object({ share: text() }),
  },
  set_insurance_daily_max: {
    http: 'POST /reserves/insurance_daily_max',
    scope: 'operate',
    summary:
      'Set the maximum fraction that the insurance fund pays on one UTC day; above it the fund ' +
      'counts as empty. Takes effect immediately, including today',
    request: Type.Object({ daily_max: decimal('As a fraction, 0 to 1: 0.5') }),
    reply: Type.Object({ daily_max: text() }),
  },
} as const satisfies AdminRows
