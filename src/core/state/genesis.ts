// The initial settings of an exchange. Everything else is set by commands.

import type { FeeTier } from '../commands/commands.ts'

export type Genesis = Readonly<{
  feesAddress: string
  insuranceAddress: string
  deficitAddress: string
  feeTiers: readonly FeeTier[]
  /** Whether ticks without an observation time are accepted, whose price stands (PRICE-1). */
  pricesMayStand: boolean
  /** Whether the withdrawal brake is on from the start (ACCT-11) (default: off). */
  withdrawalBrake?: boolean
  /** The first engine time of an exchange whose time only moves by request (default: the
   *  clock of the machine moves it). */
  manualClock?: Readonly<{ startMs: number }>
  /** Set for the copy of another exchange, which is a sandbox for good (docs/lab.md). */
  fork?: ForkMark
}>

/** `venue`: id of the original. `seq` and `atMs`: the last entry that the copy shares with it.
 *  `anonymised`: addresses were replaced. */
export type ForkMark = Readonly<{ venue: string; seq: number; atMs: number; anonymised: boolean }>
