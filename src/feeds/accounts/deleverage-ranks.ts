// How near a position is to being deleveraged, in five steps: where its profit times leverage
// stands among the positions of its side. For show: the engine decides by its own exact order
// (LIQ-6). The borders of a market are computed anew at most every few seconds of the machine's
// time.

import type { State } from '../../core/state/state.ts'
import { accountNumbers } from '../../projections/current/account-numbers.ts'
import { rowsOfAccount } from '../../projections/current/account-rows.ts'

const keptMs = 5_000
/** Positions looked at; of more, every so-manieth. */
const sampleMax = 2_000
const steps = 5

type Borders = Readonly<{ atMs: number; long: readonly number[]; short: readonly number[] }>

export class DeleverageRanks {
  private readonly borders = new Map<number, Borders>()

  clear(): void {
    this.borders.clear()
  }

  /** 0 to 4; 4 is first. */
  of(state: State, account: number, market: number): number {
    const own = rowsOfAccount(state, account).find((row) => row.market.id === market)
    if (own === undefined || own.lots === 0) return 0
    const { long, short } = this.bordersOf(state, market)
    const score = scoreOf(state, own.row)
    return (own.lots > 0 ? long : short).filter((border) => score > border).length
  }

  private bordersOf(state: State, market: number): Borders {
    const now = performance.now()
    const kept = this.borders.get(market)
    if (kept !== undefined && now - kept.atMs < keptMs) return kept
    const { positions } = state
    const stride = Math.max(1, Math.floor(positions.count / sampleMax))
    const long: number[] = []
    const short: number[] = []
    for (let row = 1; row <= positions.count; row += stride) {
      if (positions.market[row] !== market || positions.lots[row] === 0) continue
      ;(positions.lots[row]! > 0 ? long : short).push(scoreOf(state, row))
    }
    const made = { atMs: now, long: quantiles(long), short: quantiles(short) }
    this.borders.set(market, made)
    return made
  }
}

/** Profit per cost, times the leverage in use where there is a profit. */
function scoreOf(state: State, row: number): number {
  const { positions } = state
  const market = state.markets[positions.market[row]!]!
  const cost = positions.cost[row]!
  const value = positions.lots[row]! * market.lotValue
  if (cost === 0) return 0
  const profit = (value - cost) / Math.abs(cost)
  if (profit <= 0) return profit
  const account = positions.account[row]!
  const equity =
    positions.isolated[row] === 1
      ? positions.wallet[row]! + value - cost
      : accountNumbers(state, account).crossEquity
  return equity <= 0 ? Number.MAX_VALUE : (profit * Math.abs(value)) / equity
}

/** Borders between fifths; none when all positions could stand in one. */
function quantiles(scores: number[]): readonly number[] {
  const sorted = scores.sort((one, other) => one - other)
  return Array.from({ length: steps - 1 }, (_, step) => {
    const place = Math.ceil(((step + 1) * sorted.length) / steps) - 1
    return sorted[Math.max(0, place)] ?? 0
  })
}
