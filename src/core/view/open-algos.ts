// Running algos, newest first.

import type { Lots, Ppm, Quote, Ticks, TimeMs } from '../../units/units.ts'
import { type Side, sides } from '../../words/order-words.ts'
import { algosOf } from '../algos/algo-life.ts'
import type { MarketId, OrderId } from '../commands/ids.ts'
import { type Algo, type RestingKind, rests } from '../state/algo.ts'
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
  /** When its latest slice ran. */
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

/** An algo with resting orders. Numbers that its kind does not have are 0. */
export type OpenAlgo = Readonly<{
  order: OrderId
  kind: RestingKind
  clientOrderId: string | null
  market: MarketId
  side: Side
  price: Ticks
  initialLots: Lots
  display: Lots
  filledLots: Lots
  filledValue: Quote
  reduceOnly: boolean
  /** Its open order, if it has one now. */
  child: OrderId | null
  expireTime: TimeMs
  createdAt: TimeMs
  /** When its latest step ran. */
  updatedAt: TimeMs
}>

export function openAlgos(state: State, account: number): readonly OpenAlgo[] {
  return algosOf(state, account).filter(rests).map(openAlgo).reverse()
}

function openAlgo(algo: Algo): OpenAlgo {
  return {
    order: algo.id as OrderId,
    kind: algo.kind as RestingKind,
    clientOrderId: algo.clientOrderId,
    market: algo.market as MarketId,
    side: sides[algo.side]!,
    price: algo.price as Ticks,
    initialLots: algo.size as Lots,
    display: algo.display as Lots,
    filledLots: algo.filled as Lots,
    filledValue: algo.filledValue as Quote,
    reduceOnly: algo.reduceOnly,
    child: (algo.orders[0] ?? null) as OrderId | null,
    expireTime: (algo.expireTime ?? 0) as TimeMs,
    createdAt: algo.startedAt as TimeMs,
    updatedAt: algo.steppedAt as TimeMs,
  }
}
