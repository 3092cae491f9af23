// How far from mark the market order of a position's level may go: optional, one for each level.

import { cleaned, entryProblem } from '../number-entry.ts'
import type { LevelBody } from '../wire.ts'

/** As much of a row as decides it. */
type Slipping = Readonly<{
  slippage?: string
  was?: Readonly<{ fields: Partial<LevelBody> }>
}>

/** In percent: as the exchange has it for stops (TRIG-3). */
const slippageMax = 10

/** A level with a limit price goes no further than that. */
export const maySlip = ({ was }: Slipping) => was?.fields.limit_price === undefined

/** Whether the slippage of a level is another one than it has. */
export const slippageChanged = ({ slippage = '', was }: Slipping) =>
  cleaned(slippage) !== (was?.fields.slippage_percent ?? '')

export function slippageProblem(row: Slipping): string | null {
  const { slippage = '' } = row
  if (slippage.trim() === '' || !maySlip(row)) return null
  const problem = entryProblem(slippage)
  if (problem !== null) return `The slippage ${problem}`
  return Number(cleaned(slippage)) > slippageMax ? `The slippage is at most ${slippageMax} %` : null
}

/** What is sent of it. */
export function slippageOf(row: Slipping): Pick<LevelBody, 'slippage_percent'> {
  const { slippage = '' } = row
  return slippage.trim() === '' || !maySlip(row) ? {} : { slippage_percent: cleaned(slippage) }
}
