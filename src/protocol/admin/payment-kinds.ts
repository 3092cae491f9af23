// Kinds of notifications of deposits and withdrawals, in the order in which they happen.

export const paymentKinds = [
  'deposit.credited',
  'withdrawal.requested',
  'withdrawal.approved',
  'withdrawal.completed',
  'withdrawal.failed',
] as const
export type PaymentKind = (typeof paymentKinds)[number]
