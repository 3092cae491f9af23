// One match from its rows: `Traded`, then the taker's part or parts, then the maker's. Tells when a
// side is complete, with the money of all its parts. Lots that change hands by force have no
// `Traded` and are no match.

import { columnsOf, kindOfEvent } from '../core/index.ts'

const TRADED = kindOfEvent('Traded')
const FILLED = kindOfEvent('Filled')
const traded = columnsOf('Traded')
const filled = columnsOf('Filled')

export type MatchSide = 'taker' | 'maker'

export class MatchReader {
  history = 0
  market = 0
  price = 0
  lots = 0
  /** Index into `sides`. */
  side = 0
  cause = 0
  takerOrder = 0
  makerOrder = 0
  takerRemaining = 0
  makerRemaining = 0
  /** Index into `fillKinds`: the taker's first part. */
  kind = 0
  /** Micro-dollars of the side that is complete. */
  value = 0
  private lotsSeen = 0
  private expects: MatchSide | null = null

  /** The side that this row completes, null for every other row. */
  read(rows: Float64Array, at: number): MatchSide | null {
    const kind = rows[at]
    if (kind === TRADED) this.open(rows, at)
    return kind === FILLED && this.expects !== null ? this.add(rows, at, this.expects) : null
  }

  private open(rows: Float64Array, at: number): void {
    this.history = rows[at + traded.history]!
    this.market = rows[at + traded.market]!
    this.price = rows[at + traded.price]!
    this.lots = rows[at + traded.lots]!
    this.side = rows[at + traded.side]!
    this.cause = rows[at + traded.cause]!
    this.takerOrder = rows[at + traded.takerOrder]!
    this.makerOrder = rows[at + traded.makerOrder]!
    this.takerRemaining = rows[at + traded.takerRemaining]!
    this.makerRemaining = rows[at + traded.makerRemaining]!
    this.lotsSeen = 0
    this.expects = 'taker'
  }

  private add(rows: Float64Array, at: number, side: MatchSide): MatchSide | null {
    if (this.lotsSeen === 0) {
      this.value = 0
      if (side === 'taker') this.kind = rows[at + filled.kind]!
    }
    this.lotsSeen += rows[at + filled.lots]!
    this.value += rows[at + filled.value]!
    if (this.lotsSeen < this.lots) return null
    this.lotsSeen = 0
    this.expects = side === 'taker' ? 'maker' : null
    return side
  }
}
