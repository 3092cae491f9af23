// The maximum slippage that the policy of a key allows, derived from a refusal. The refusal
// contains two prices for the same mark: the worst price of the order, and the last allowed price.

import type { GridStep } from '../../../units/decimal.ts'
import { stepsOf } from '../market/market-grid.ts'

const ofPrice =
  /^AGENT_LIMIT: rule 4 of this agent's policy: price ([0-9.]+) is .* than ([0-9.]+), the last/

/** Maximum number of decimals of a slippage. */
const placesMax = 4

export type PolicyBound = Readonly<{
  /** The shortest number that gives these prices, which is nearly always the configured one. */
  likely: string
  /** A value that is certainly allowed. It may be slightly below the limit, because prices are in
   *  ticks. */
  sure: string
}>

/** Derives the bound; `null` for other refusals. `slippage` is the refused slippage in percent. */
export function policyBound(
  message: string,
  side: 'bid' | 'ask',
  { slippage, tick }: Readonly<{ slippage: string; tick: GridStep }>,
): PolicyBound | null {
  const [worst, last] = (ofPrice.exec(message) ?? []).slice(1).map((text) => stepsOf(text, tick))
  if (worst == null || last == null) return null
  const away = side === 'bid' ? 1 : -1
  // Distances are rounded down to whole ticks, so the mark is known to within one tick.
  const share = 1 + (away * Number(slippage)) / 100
  const marks = [worst / share, (worst + away) / share]
  const distances = marks.flatMap((mark) => {
    const distance = Math.max(0, away * (last - mark))
    return [(distance / mark) * 100, ((distance + 1) / mark) * 100]
  })
  const [least, most] = [Math.min(...distances), Math.max(...distances)]
  const sure = rounded(Math.floor, least, placesMax)
  for (let places = 0; places < placesMax; places++) {
    const likely = rounded(Math.ceil, least, places)
    if (likely <= most) return { likely: String(likely), sure: String(sure) }
  }
  return { likely: String(sure), sure: String(sure) }
}

function rounded(round: (value: number) => number, percent: number, places: number): number {
  const scale = 10 ** places
  // A float may differ slightly from its intended value.
  return round(Number((percent * scale).toFixed(6))) / scale
}
