// An incoming order, with the words of its command turned into indexes. Callers reuse one instance,
// because orders are handled one after the other; nothing keeps it.

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

/** Values of `releaseAt`: it runs now; it waits for a tick from its arrival on (ORDER-3); it runs
 *  next (CORE-5). */
export const RUNS_NOW = -1
export const WAITS_FOR_TICK = -2
export const RUNS_NEXT = -3

export const noLevels: readonly Level[] = []

export class Draft {
  market!: Market
  account = 0
  /** The key that signed it; null: the account's own, or no signature. */
  agent: string | null = null
  /** Row in the state that checks it: the exchange's, or that of copied accounts. */
  row = 0
  /** 0 bid, 1 ask, −1 not a side. */
  side = 0
  sign = 1
  price = 0
  size = 0
  tif = GTC
  reduceOnly = false
  /** Its price is a worst price; it is valued at mark and not banded. */
  isMarket = false
  slippagePpm = 0
  origin = FROM_USER
  parent = 0
  clientOrderId: string | null = null
  takeProfits: readonly Level[] = noLevels
  stopLosses: readonly Level[] = noLevels
  /** When it ends, if not before (ORDER-14). */
  expireTime: number | null = null
  /** As they will be in its flags (order-options.ts); −1: one is not a word of it. */
  options = 0
  /** It is refused where it would take (TRIG-14). */
  mustRest = false
  /** The other leg, if that counts already (TRIG-14). */
  otherLeg: StandingLeg | null = null
  /** What is left of an order that is filled in part. */
  isPart = false
  /** When its speed bump is over, if it has to wait for that; or one of the values above. */
  releaseAt = RUNS_NOW
  /** Of the order of a fired stop that goes on (TRIG-3). */
  goesOn: Persistent | null = null
  /** What goes with the order it replaces, if it is an edit: levels of the book, protected orders,
   *  and the lots that count as open, with their entry losses in tick·lots. */
  frees = 0
  freedMmp = 0
  freed = 0
  freedLosses = 0
  /** Decided when it runs (MARGIN-5). */
  onlyReduces = false
  /** The numbers of the last margin check (MARGIN-4). */
  readonly change = new Change()
}

export function bringsLevels({ takeProfits, stopLosses }: Draft): boolean {
  return takeProfits.length !== 0 || stopLosses.length !== 0
}

/** It does not run now (ORDER-3). */
export function waits({ releaseAt }: Draft): boolean {
  return releaseAt !== RUNS_NOW
}

export function sideOf(word: string): number {
  return word === 'bid' ? 0 : word === 'ask' ? 1 : -1
}
