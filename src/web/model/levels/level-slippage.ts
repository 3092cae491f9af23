// Maximum slippage of the market order of a position's level: optional, one for each level.

import { cleaned, entryProblem } from '../number-entry.ts'
import type { LevelBody } from '../wire.ts'

/** The properties of a row that determine its slippage. */
type Slipping = Readonly<{
  slippage?: string
  was?: Readonly<{ fields: Partial<LevelBody> }>
}>

/** Maximum slippage in percent, the exchange's limit for stops (TRIG-3). */
const slippageMax = 10

/** Whether the level may have a slippage. A level with a limit price needs none. */
export const maySlip = ({ was }: Slipping) => was?.fields.limit_price === undefined

/** Whether the slippage of a level was changed. */
export const slippageChanged = ({ slippage = '', was }: Slipping) =>
  cleaned(slippage) !== (was?.fields.slippage_percent ?? '')

export function slippageProblem(row: Slipping): string | null {
  const { slippage = '' } = row
  if (slippage.trim() === '' || !maySlip(row)) return null
  const problem = entryProblem(slippage)
  if (problem !== null) return `The slippage ${problem}`
  return Number(cleaned(slippage)) > slippageMax ? `The slippage is at most ${slippageMax} %` : null
}

/** The slippage field of the request. */
export function slippageOf(row: Slipping): Pick<LevelBody, 'slippage_percent'> {
  const { slippage = '' } = row
  return slippage.trim() === '' || !maySlip(row) ? {} : { slippage_percent: cleaned(slippage) }
}
