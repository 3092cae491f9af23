// Proof of reserves: its public part, and the inclusion proof of one account.

import { decimal } from '../field-types.ts'
import { Type } from '../typebox.ts'

const hash = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description: `${description}, hexadecimal` })

const ofProof = {
  seq: Type.Integer({ description: 'Entry of the journal that it is true as of' }),
  at: Type.Integer({ description: 'Its time, milliseconds' }),
  root: hash('Root of the tree'),
  liabilities: decimal('USD that accounts are owed: the sum at the root'),
  accounts: Type.Integer({ description: 'Leaves of the tree' }),
}

export const reserveSummary = Type.Object({
  ...ofProof,
  own: decimal('USD of it that belong to the exchange itself: fees, insurance fund, backstops'),
  debts: decimal('USD that accounts owe; not subtracted from the balances of others'),
  funding: decimal('USD of funding that rounding will leave'),
  total: decimal(
    'USD of all deposits less all completed withdrawals: liabilities - debts + funding',
  ),
})

const inclusion = Type.Object({
  ...ofProof,
  account: Type.String({ description: 'Whose' }),
  liability: decimal('USD that it is owed: account_equity and pending_balance then, 0 at least'),
  debt: decimal('USD that it owes'),
  salt: hash('Salt of its leaf: for its owner alone'),
  index: Type.Integer({ description: 'Place among the leaves, from 0' }),
  path: Type.Array(
    Type.Object({
      side: Type.Enum(['left', 'right'], { description: 'Where the sibling stands' }),
      hash: hash('Of the sibling'),
      sum: decimal('USD below the sibling'),
    }),
    { description: 'Siblings from the leaf up to the root' },
  ),
})

export const reservesReply = Type.Union([reserveSummary, Type.Null()], {
  description: 'Null if the operator has made none yet',
})

export const inclusionReply = Type.Union([inclusion, Type.Null()], {
  description: 'Null if there is none yet, or the account is newer',
})
