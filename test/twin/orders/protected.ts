// What protects the quotes of an account in a market (docs/rules/orders.md, ORDER-18).

export type Protection = {
  account: number
  market: number
  windowMs: number
  frozenMs: number
  maxLots: number | null
  maxNet: number | null
  /** Null: not frozen; 0: until a reset. */
  until: number | null
  /** Lots below zero: sold. */
  fills: { cell: number; lots: bigint }[]
}
