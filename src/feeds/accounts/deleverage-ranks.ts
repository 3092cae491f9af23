// How close a position is to being deleveraged, in five steps. Positions of a side are ranked by
// profit times leverage. For display only: the engine uses its own exact order (LIQ-6). The
// thresholds of a market are recomputed at most every few seconds of machine time.

import type { ExchangeView } from '../../core/index.ts'

const keptMs = 5_000
/** Maximum number of sampled positions. With more positions, every n-th is used. */
const sampleMax = 2_000
const steps = 5

type Borders = Readonly<{ atMs: number; long: readonly number[]; short: readonly number[] }>

export class DeleverageRanks {
  private readonly borders = new Map<number, Borders>()

  clear(): void {
    this.borders.clear()
  }

  /** From 0 to 4. Positions with 4 are deleveraged first. */
  of({ positions }: ExchangeView, account: number, market: number): number {
    const lots = positions.lotsOf(account, market)
    if (lots === 0) return 0
    const { long, short } = this.bordersOf(positions, market)
    const score = positions.deleverageScore(account, market)
    return (lots > 0 ? long : short).filter((border) => score > border).length
  }

  private bordersOf(positions: ExchangeView['positions'], market: number): Borders {
    const now = performance.now()
    const kept = this.borders.get(market)
    if (kept !== undefined && now - kept.atMs < keptMs) return kept
    const { long, short } = positions.deleverageScores(market, sampleMax)
    const made = { atMs: now, long: quantiles(long), short: quantiles(short) }
    this.borders.set(market, made)
    return made
  }
}

/** Thresholds between the fifths; empty if all positions could be in the same fifth. */
function quantiles(scores: readonly number[]): readonly number[] {
  const sorted = [...scores].sort((one, other) => one - other)
  return Array.from({ length: steps - 1 }, (_, step) => {
    const place = Math.ceil(((step + 1) * sorted.length) / steps) - 1
    return sorted[Math.max(0, place)] ?? 0
  })
}
