// Events of algos (ALGO-1).

import { emit } from '../core/lookup.ts'
import type { Algo, Naive } from '../state.ts'
import { num } from '../units/numbers.ts'

export function emitAlgoPlaced(naive: Naive, algo: Algo): void {
  emit(naive, {
    type: 'AlgoPlaced',
    order: algo.id,
    account: algo.account,
    market: algo.market,
    kind: algo.kind,
    side: algo.side,
    size: num(algo.size),
    slices: algo.slices,
    reduceOnly: algo.reduceOnly,
    slippagePpm: num(algo.slippagePpm),
    price: num(algo.price),
    display: num(algo.display),
    expireTime: algo.expireTime ?? 0,
    clientOrderId: algo.client,
  })
}

type Step = Readonly<{ lots: bigint; price: bigint; rejection: number }>

export function emitStepped(naive: Naive, algo: Algo, { lots, price, rejection }: Step): void {
  emit(naive, {
    type: 'AlgoStepped',
    algo: algo.id,
    account: algo.account,
    market: algo.market,
    step: algo.done,
    lots: num(lots),
    price: num(price),
    rejection,
  })
}
