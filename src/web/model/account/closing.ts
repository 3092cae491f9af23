// Closing or reversing a position at market: the request, and its maximum slippage.

import type { GridStep } from '../../../units/decimal.ts'
import { type MarketGrid, scaled } from '../market/market-grid.ts'
import type { Position } from '../wire.ts'
import { policyBound } from '../words/policy-bound.ts'
import type { Trader } from './trader.ts'

/** Maximum slippage in percent, unless the policy of a key allows less. */
export const closingSlippage = '5'

export const closing = ({ d }: Position) => (d === 'bid' ? ('ask' as const) : ('bid' as const))

/** Multiple of the position's size: a part of it, 1 closes it, 2 reverses it. */
export type Times = 0.25 | 0.5 | 0.75 | 1 | 2

export const closingBody = (
  position: Position,
  times: Times,
  { lot }: MarketGrid,
  slippage_percent = closingSlippage,
) => ({
  symbol: position.s,
  side: closing(position),
  amount: times === 1 ? position.a : scaled(position.a, times, lot),
  slippage_percent,
  reduce_only: times <= 1,
})

/** Returns the slippage that the policy of an agent's key allows. Only the owner can read the
 *  policy, but a preview shows the rule that refuses the order. */
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
