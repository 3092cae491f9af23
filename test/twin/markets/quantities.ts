// Parameters of a market in the quantities of the twin.

/** MarketParams with its quantities as BigInt. */
export type Rules = {
  tickMin: bigint
  tickMax: bigint
  leverageMax: bigint
  orderValueMin: bigint
  orderValueMax: bigint
  near: bigint
  far: bigint
  speedBumpMs: number
  openInterestMax: bigint
  ownerInterestMax: bigint
  openInterestLower: bigint
  openInterestUpper: bigint
  tiers: { from: bigint; leverage: bigint }[]
  impactValue: bigint
  /** FUND-2 */
  fundingSamplesMin: number
  staleAfterMs: number
  observedWithinMs: number
  backstopValueMax: bigint
  backstopDailyLossMax: bigint
  /** LIQ-9 */
  liquidation: { feePart: bigint; feeMax: bigint; concession: bigint; dryMax: number; step: bigint }
}
