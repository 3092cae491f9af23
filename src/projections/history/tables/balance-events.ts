/** Why an account's money changed. The store keeps the place in this list. */
export const balanceEvents = [
  'deposit',
  'withdraw',
  'withdraw_completed',
  'withdraw_failed',
  'subaccount_transfer',
  'trade',
  'funding',
  'isolated_margin',
  'market_liquidation',
  'backstop_liquidation',
  'adl_liquidation',
  'debt_covered',
  'settlement',
  'reserve_transfer',
  'opening',
] as const
export type BalanceEvent = (typeof balanceEvents)[number]
