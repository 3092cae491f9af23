// An incoming order, with the words of its command converted to indexes. Callers reuse one
// instance, because orders are handled one after the other and nothing retains the draft.

import type { Level } from '../commands/commands.ts'
import { Change } from '../margin/margin-checks.ts'
import type { Persistent } from '../state/going-on.ts'
import type { Market } from '../state/market.ts'
import type { StandingLeg } from './standing-leg.ts'
import { GTC } from './times-in-force.ts'

// Indexes into the list of origins.
export const FROM_USER = 0
export const FROM_TRIGGER = 1
export const FROM_ALGO = 2
export const FROM_LIQUIDATION = 3
export const FROM_BACKSTOP = 4

/** Values of `releaseAt`: the order runs now; it waits for a tick from its arrival on (ORDER-3); it
 *  runs next (CORE-5). */
export const RUNS_NOW = -1
export const WAITS_FOR_TICK = -2
export const RUNS_NEXT = -3

export const noLevels: readonly Level[] = []

export class Draft {
  market!: Market
  account = 0
  /** The key that signed the order, or `null` for the account's own key or no signature. */
  agent: string | null = null
  /** Row of the account in the state that checks the order: that of the exchange, or of copied
   *  accounts. */
  row = 0
  /** 0: bid, 1: ask, −1: not a side. */
  side = 0
  sign = 1
  price = 0
  size = 0
  tif = GTC
  reduceOnly = false
  /** A market order: its price is a worst price, it is valued at mark, and price bands do not
   *  apply. */
  isMarket = false
  slippagePpm = 0
  origin = FROM_USER
  parent = 0
  clientOrderId: string | null = null
  takeProfits: readonly Level[] = noLevels
  stopLosses: readonly Level[] = noLevels
  /** Time of expiry, or `null` for none (ORDER-14). */
  expireTime: number | null = null
  /** The options as flag bits (order-options.ts); −1 if one of them is not a known word. */
  options = 0
  /** The order is rejected if it would take (TRIG-14). */
  mustRest = false
  /** The other leg of the OCO, if that leg already counts (TRIG-14). */
  otherLeg: StandingLeg | null = null
  /** The draft is the remainder of a partially filled order. */
  isPart = false
  /** The end of its speed bump, if the order has to wait for one; or one of the constants above. */
  releaseAt = RUNS_NOW
  /** Set for the order of a fired stop that is still executing (TRIG-3). */
  goesOn: Persistent | null = null
  /** What an edit frees by removing the order it replaces: book levels, protected orders, and the
   *  lots that count as open, with their entry losses in tick·lots. */
  frees = 0
  freedMmp = 0
  freed = 0
  freedLosses = 0
  /** Set when the order runs (MARGIN-5). */
  onlyReduces = false
  /** The values of the last margin check (MARGIN-4). */
  readonly change = new Change()
}

export function bringsLevels({ takeProfits, stopLosses }: Draft): boolean {
  return takeProfits.length !== 0 || stopLosses.length !== 0
}

/** Whether the order waits instead of running now (ORDER-3). */
export function waits({ releaseAt }: Draft): boolean {
  return releaseAt !== RUNS_NOW
}

export function sideOf(word: string): number {
  return word === 'bid' ? 0 : word === 'ask' ? 1 : -1
}
