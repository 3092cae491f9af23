// What an exchange is born with; everything else comes by commands.

import type { FeeTier } from '../commands/commands.ts'

export type Genesis = Readonly<{
  feesAddress: string
  insuranceAddress: string
  deficitAddress: string
  feeTiers: readonly FeeTier[]
  /** A tick without a time of observation is accepted: its price stands (PRICE-1). */
  pricesMayStand: boolean
  /** On from the beginning (ACCT-11); off if absent. */
  withdrawalBrake?: boolean
}>
