// What is kept of money that needs a second operator: withdrawals, credits and the brake.

const HOUR = 3_600_000

/** `approvers`: names of the approvers, `needed` of them before it may be paid (ACCT-8). */
export type Withdrawal = {
  id: number
  account: number
  amount: bigint
  needed: number
  approvers: string[]
}

export type Credit = {
  id: number
  source: number
  withdrawal: number
  address: string
  amount: number
  reference: string
  by: string
}

export type Brake = {
  fundPpm: bigint
  profitAbove: bigint
  holdMs: number
  /** What the fund had when a day began that something happened on, by rising day. */
  openings: { day: number; had: bigint }[]
  /** Every part that closed lots, and every loss of the fund. */
  closings: { at: number; account: number; market: number; pnl: bigint }[]
  losses: { at: number; amount: bigint; markets: number[] }[]
  /** When it was pulled last. */
  pulledAt: number
  /** With the minute from which on profit counts, and the time until which. */
  watched: { market: number; fromMinute: number; until: number }[]
  /** By owner: until when. */
  held: Map<number, number>
}

export type BrakeTerms = Pick<Brake, 'fundPpm' | 'profitAbove' | 'holdMs'>

/** On this day, with this fund. */
export function newBrake(terms: BrakeTerms, day: number, had: bigint): Brake {
  const openings = [day - 1, day].map((each) => ({ day: each, had }))
  const nothing = { closings: [], losses: [], watched: [], held: new Map() }
  return { ...terms, openings, ...nothing, pulledAt: -1 }
}

export const brakeOfVenue = () =>
  newBrake({ fundPpm: 50_000n, profitAbove: 1_000_000_000n, holdMs: HOUR }, 0, 0n)
