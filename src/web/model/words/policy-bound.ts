// How far from the mark the policy of a key lets a market order go, parsed from the refusal: two
// prices, the worst of the order and the last that is allowed. Both are of the same mark.

import type { GridStep } from '../../../units/decimal.ts'
import { stepsOf } from '../market/market-grid.ts'

const ofPrice =
  /^AGENT_LIMIT: rule 4 of this agent's policy: price ([0-9.]+) is .* than ([0-9.]+), the last/

/** Slippages have no more decimals. */
const placesMax = 4

export type PolicyBound = Readonly<{
  /** The shortest number that the prices may stand for; as good as always what was set. */
  likely: string
  /** Allowed for sure: prices are in whole ticks, so it may be a little less. */
  sure: string
}>

/** `null` for another refusal. `asked` is the slippage that was refused, in percent. */
export function policyBound(
  message: string,
  side: 'bid' | 'ask',
  { asked, tick }: Readonly<{ asked: string; tick: GridStep }>,
): PolicyBound | null {
  const [worst, last] = (ofPrice.exec(message) ?? []).slice(1).map((text) => stepsOf(text, tick))
  if (worst == null || last == null) return null
  const away = side === 'bid' ? 1 : -1
  // A distance is cut to whole ticks: the mark lies within a tick of where it would be exactly.
  const share = 1 + (away * Number(asked)) / 100
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
  // A float may differ slightly from the value that it means.
  return round(Number((percent * scale).toFixed(6))) / scale
}
