// What is told of money that comes in or is to leave, in the order in which it happens.

export const paymentKinds = [
  'deposit.credited',
  'withdrawal.requested',
  'withdrawal.approved',
  'withdrawal.completed',
  'withdrawal.failed',
] as const
export type PaymentKind = (typeof paymentKinds)[number]
