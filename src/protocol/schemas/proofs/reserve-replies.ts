// Proof of reserves: its public part, and the inclusion proof of one account.

import { decimal } from '../field-types.ts'
import { Type } from '../typebox.ts'

const hash = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description: `${description}, hexadecimal` })

const ofProof = {
  seq: Type.Integer({ description: 'Journal entry at which the proof was made' }),
  at: Type.Integer({ description: 'Time of that entry, milliseconds' }),
  root: hash('Root of the tree'),
  liabilities: decimal('Total liabilities to accounts in USD: the sum at the root'),
  accounts: Type.Integer({ description: 'Number of leaves of the tree' }),
}

export const reserveSummary = Type.Object({
  ...ofProof,
  own: decimal(
    'Part of the liabilities that belongs to the exchange itself, in USD: fees, ' +
      'insurance fund, backstops',
  ),
  debts: decimal('Debts of accounts in USD; they are not subtracted from the balances of others'),
  funding: decimal('Funding in USD that remains because of rounding'),
  total: decimal(
    'All deposits less all completed withdrawals, in USD: liabilities - debts + funding',
  ),
})

const inclusion = Type.Object({
  ...ofProof,
  account: Type.String({ description: 'Account address' }),
  liability: decimal(
    'Liability to the account in USD: the sum of account_equity and pending_balance at ' +
      'that time, at least 0',
  ),
  debt: decimal('Debt of the account, in USD'),
  salt: hash('Salt of the leaf, shown to the owner only'),
  index: Type.Integer({ description: 'Index of the leaf, from 0' }),
  path: Type.Array(
    Type.Object({
      side: Type.Enum(['left', 'right'], { description: 'Side on which the sibling is' }),
      hash: hash('Hash of the sibling'),
      sum: decimal('Sum of the liabilities below the sibling, in USD'),
    }),
    { description: 'Siblings from the leaf up to the root' },
  ),
})

export const reservesReply = Type.Union([reserveSummary, Type.Null()], {
  description: 'Newest proof; null if the operator has made none yet',
})

export const inclusionReply = Type.Union([inclusion, Type.Null()], {
  description:
    'Proof of reserves for the account; null if there is none yet, or the account is ' + 'newer',
})
