// Icebergs: a part is shown, the next when it is filled (ALGO-3).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { accountOf, marketOf, trades } from '../core/lookup.ts'
import { settleFunding } from '../funding/funding.ts'
import { finishAlgo } from '../orders/endings.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Algo, Naive } from '../state.ts'
import { ceilDiv, given, isIntIn, min, num } from '../units/numbers.ts'
import { crowdRefusal, lotsOf, placeChild, placeResting } from './resting.ts'

export function placeIceberg(
  naive: Naive,
  command: CommandOf<'PlaceIceberg'>,
  account: Account,
): Rejection | null {
  const { size, display, expireTime } = command
  const parts = BigInt(bookOf(naive).limits.icebergParts)
  const isGood = () => isIntIn(display, num(ceilDiv(BigInt(size), parts)), size)
  return placeResting(naive, command, account, (market) => ({
    kind: 'iceberg',
    shown: display,
    display: Number.isSafeInteger(display) ? BigInt(display) : 0n,
    expireTime: expireTime ?? null,
    latest: null,
    own: () => (isGood() ? null : refuse('INVALID_AMOUNT', given(display))),
    tooMany: () => crowdRefusal(naive, account, market, 'iceberg'),
  }))
}

/** Due work: the next part. */
export function showPart(naive: Naive, algo: Algo): void {
  algo.dueAt = null
  if (trades(naive, marketOf(naive, algo.market))) {
    settleFunding(naive, accountOf(naive, algo.account))
    const lots = lotsOf(naive, algo, min(algo.display, algo.size - algo.filled))
    if (lots === 0n) {
      finishAlgo(naive, algo, 'finished')
      return
    }
    placeChild(naive, algo, algo.price, lots)
  }
  if (algo.live.length === 0) algo.dueAt = naive.commandAt + bookOf(naive).limits.icebergRetryMs
}
