// Closing or reversing a position at the market: the request, and its maximum distance from the
// mark.

import type { GridStep } from '../../../units/decimal.ts'
import { doubled, type MarketGrid } from '../market/market-grid.ts'
import type { Position } from '../wire.ts'
import { policyBound } from '../words/policy-bound.ts'
import type { Trader } from './trader.ts'

/** Maximum distance from the mark in percent, unless the policy of a key allows less. */
export const closingSlippage = '5'

export const closing = ({ d }: Position) => (d === 'bid' ? ('ask' as const) : ('bid' as const))

/** Closes exactly the position; or trades twice its size, so that a long position becomes an equal
 *  short one. */
export type Times = 1 | 2

export const closingBody = (
  position: Position,
  times: Times,
  { lot }: MarketGrid,
  slippage_percent = closingSlippage,
) => ({
  symbol: position.s,
  side: closing(position),
  amount: times === 1 ? position.a : doubled(position.a, lot),
  slippage_percent,
  reduce_only: times === 1,
})

/** Only the owner can read the policy of an agent's key, but a preview shows which rule refuses the
 *  order. */
export async function allowedSlippage(
  { client, address, agent }: Pick<Trader, 'address' | 'agent'> & Readonly<{ client: Previewer }>,
  body: ReturnType<typeof closingBody>,
  tick: GridStep,
): Promise<string> {
  const { slippage_percent: usual, side } = body
  if (agent === null) return usual
  const by = { account: address, agent_wallet: agent }
  const boundAt = async (slippage: string) => {
    const wish = { ...body, ...by, slippage_percent: slippage }
    const answer = await client.previewOrder(wish).catch(() => null)
    return policyBound(answer?.error ?? '', side, { slippage, tick })
  }
  const bound = await boundAt(usual)
  if (bound === null) return usual
  return (await boundAt(bound.likely)) === null ? bound.likely : bound.sure
}

type Previewer = Pick<Trader['client'], 'previewOrder'>
