// How a market maker of the scenarios quotes: a ladder on both sides of its fair price.

import type { Venue } from './venue.ts'

export type Ladder = Readonly<{
  /** Half of the spread. */
  halfPpm: number
  levels: number
  /** From one level to the next. */
  stepPpm: number
  lots: number
}>

const PPM = 1_000_000

/** Takes the old ladder away and sets it up around this price. */
export function quote(
  venue: Venue,
  maker: number,
  market: number,
  at: number,
  ladder: Ladder,
): void {
  venue.cancelAll(maker, market)
  for (let level = 0; level < ladder.levels; level++) {
    const away = ladder.halfPpm + level * ladder.stepPpm
    const bid = Math.floor((at * (PPM - away)) / PPM)
    const ask = Math.ceil((at * (PPM + away)) / PPM)
    venue.place(maker, { market, lots: ladder.lots, price: bid, tif: 'ALO' })
    venue.place(maker, { market, lots: -ladder.lots, price: ask, tif: 'ALO' })
  }
}
