// TWAPs that are running, newest first.

import type { Lots, Ppm, Quote, TimeMs } from '../../units/units.ts'
import type { Algo } from '../algos/algo.ts'
import { algosOf } from '../algos/algo-life.ts'
import type { Side } from '../commands/commands.ts'
import type { MarketId, OrderId } from '../commands/ids.ts'
import { sides } from '../events/event-fields.ts'
import type { State } from '../state/state.ts'

export type OpenTwap = Readonly<{
  order: OrderId
  clientOrderId: string | null
  market: MarketId
  side: Side
  initialLots: Lots
  filledLots: Lots
  filledValue: Quote
  reduceOnly: boolean
  slippagePpm: Ppm
  slices: number
  past: number
  createdAt: TimeMs
  /** When its newest slice ran. */
  updatedAt: TimeMs
}>

export function openTwaps(state: State, account: number): readonly OpenTwap[] {
  const twaps = algosOf(state, account).filter(({ kind }) => kind === 'twap')
  return twaps.map(openTwap).reverse()
}

function openTwap(twap: Algo): OpenTwap {
  return {
    order: twap.id as OrderId,
    clientOrderId: twap.clientOrderId,
    market: twap.market as MarketId,
    side: sides[twap.side]!,
    initialLots: twap.size as Lots,
    filledLots: twap.filled as Lots,
    filledValue: twap.filledValue as Quote,
    reduceOnly: twap.reduceOnly,
    slippagePpm: twap.slippagePpm as Ppm,
    slices: twap.slices,
    past: twap.steps,
    createdAt: twap.startedAt as TimeMs,
    updatedAt: twap.steppedAt as TimeMs,
  }
}
