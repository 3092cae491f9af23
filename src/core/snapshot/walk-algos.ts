// Writes and reads algos: TWAPs in the main part, the others in a section.

import { algoKinds } from '../../words/order-words.ts'
import { adoptAlgo } from '../algos/algo-life.ts'
import { sliceAt } from '../algos/twap.ts'
import { rowOf } from '../margin/position-row.ts'
import { type Algo, rests } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { flag, list, optionalNumber, optionalText, type Stream, walkIds } from './stream.ts'

function byId({ algos }: State, which: (algo: Algo) => boolean): Algo[] {
  return [...algos.values()].filter(which).sort((one, other) => one.id - other.id)
}

export function hasResting({ algos }: State): boolean {
  return [...algos.values()].some(rests)
}

export function walkTwaps(stream: Stream, state: State): void {
  list(
    stream,
    byId(state, (algo) => !rests(algo)),
    (twap) => {
      const walked = walkTwap(stream, state, twap)
      if (stream.reading) adoptAlgo(state, walked)
    },
  )
}

function walkTwap(stream: Stream, state: State, twap: Algo | undefined): Algo {
  const number = (value: number | undefined): number => stream.number(value ?? 0)
  const id = number(twap?.id)
  const account = number(twap?.account)
  const market = number(twap?.market)
  const walked: Algo = {
    id,
    kind: 'twap',
    account,
    agent: null,
    market,
    position: rowOf(state, state.markets[market]!, account),
    side: number(twap?.side),
    size: number(twap?.size),
    reduceOnly: flag(stream, twap?.reduceOnly ?? false),
    slippagePpm: number(twap?.slippagePpm),
    slices: number(twap?.slices),
    clientOrderId: optionalText(stream, twap?.clientOrderId ?? null),
    startedAt: number(twap?.startedAt),
    steps: number(twap?.steps),
    filled: number(twap?.filled),
    filledValue: number(twap?.filledValue),
    orders: walkIds(stream, twap?.orders ?? []),
    price: 0,
    display: 0,
    expireTime: null,
    refusals: 0,
    steppedAt: 0,
    dueAt: 0,
  }
  // The steps of a TWAP have fixed times.
  const { steps, slices } = walked
  walked.steppedAt = sliceAt(walked, Math.max(0, steps - 1))
  walked.dueAt = steps < slices ? sliceAt(walked, steps) : 0
  return walked
}

/** Algos with resting orders. */
export function walkResting(stream: Stream, state: State): void {
  list(stream, byId(state, rests), (algo) => {
    const walked = walkAlgo(stream, state, algo)
    if (stream.reading) adoptAlgo(state, walked)
  })
  if (stream.reading) sortAlgos(state)
}

/** TWAPs are read before other algos, whatever their ids, but several algos must be cancelled by
 *  rising id. */
function sortAlgos(state: State): void {
  const all = byId(state, () => true)
  const { records } = state.accounts
  state.algos.clear()
  for (const { account } of all) records[account]!.algos!.clear()
  for (const algo of all) {
    state.algos.set(algo.id, algo)
    records[algo.account]!.algos!.add(algo.id)
  }
}

function walkAlgo(stream: Stream, state: State, algo: Algo | undefined): Algo {
  const number = (value: number | undefined): number => stream.number(value ?? 0)
  const id = number(algo?.id)
  const kind = algoKinds[number(algo === undefined ? 0 : algoKinds.indexOf(algo.kind))]!
  const account = number(algo?.account)
  const market = number(algo?.market)
  return {
    id,
    kind,
    account,
    agent: null,
    market,
    position: rowOf(state, state.markets[market]!, account),
    side: number(algo?.side),
    size: number(algo?.size),
    reduceOnly: flag(stream, algo?.reduceOnly ?? false),
    clientOrderId: optionalText(stream, algo?.clientOrderId ?? null),
    startedAt: number(algo?.startedAt),
    slippagePpm: 0,
    slices: 0,
    price: number(algo?.price),
    display: number(algo?.display),
    expireTime: optionalNumber(stream, algo?.expireTime ?? null),
    refusals: number(algo?.refusals),
    steps: number(algo?.steps),
    steppedAt: number(algo?.steppedAt),
    dueAt: number(algo?.dueAt),
    filled: number(algo?.filled),
    filledValue: number(algo?.filledValue),
    orders: walkIds(stream, algo?.orders ?? []),
  }
}
