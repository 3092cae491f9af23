// Chases: the best price, as a maker, never beyond a bound (ALGO-2).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { accountOf, bestPrice, marketOf, otherSide, trades } from '../core/lookup.ts'
import { countingOrders, settleFunding } from '../funding/funding.ts'
import { finishAlgo } from '../orders/endings.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Algo, Naive } from '../state.ts'
import { max, min } from '../units/numbers.ts'
import { crowdRefusal, lotsOf, moveChild, placeChild, placeResting } from './resting.ts'

export function placeChase(
  naive: Naive,
  command: CommandOf<'PlaceChase'>,
  account: Account,
): Rejection | null {
  const latest = naive.now + bookOf(naive).limits.chaseMsMax
  return placeResting(naive, command, account, (market) => ({
    kind: 'chase',
    shown: command.size,
    display: 0n,
    expireTime: command.expireTime ?? latest,
    latest,
    own: () => null,
    tooMany: () => crowdRefusal(naive, account, market, 'chase') ?? ownerRefusal(naive, account),
  }))
}

function ownerRefusal(naive: Naive, { main }: Account): Rejection | null {
  const most = bookOf(naive).limits.chasesPerOwner
  const mine = naive.algos.filter((one) => {
    return one.kind === 'chase' && accountOf(naive, one.account).main === main
  })
  return mine.length < most ? null : refuse('LIMIT_REACHED', most)
}

/** Due work: to where it should stand. */
export function follow(naive: Naive, algo: Algo): void {
  const account = accountOf(naive, algo.account)
  algo.dueAt = naive.commandAt + bookOf(naive).limits.chaseStepMs
  if (!trades(naive, marketOf(naive, algo.market))) return
  const [child] = algo.live
  const led = leadingPrice(naive, algo)
  if (child && (led === null || targetOf(naive, algo, led) === child.price)) {
    algo.refusals = 0
    return
  }
  settleFunding(naive, account)
  const target = targetOf(naive, algo, led)
  const lots = lotsOf(naive, algo, algo.size - algo.filled)
  if (child) moveChild(naive, algo, child, target)
  else if (lots === 0n) finishAlgo(naive, algo, 'finished')
  else placeChild(naive, algo, target, lots)
}

/** The best of the orders of others that count. */
function leadingPrice(naive: Naive, algo: Algo): bigint | null {
  const { main } = accountOf(naive, algo.account)
  const { chaseLook } = bookOf(naive).limits
  const counting = countingOrders(naive, marketOf(naive, algo.market), algo.side, chaseLook)
  const [first] = counting.filter((order) => accountOf(naive, order.account).main !== main)
  return first?.price ?? null
}

/** The least eager of what there is to choose from. */
function targetOf(naive: Naive, { market, side, price }: Algo, led: bigint | null): bigint {
  const opposite = bestPrice(marketOf(naive, market), otherSide(side))
  const bid = side === 'bid'
  const behind = opposite === null ? null : bid ? opposite - 1n : opposite + 1n
  const prices = [led, behind, price].filter((one) => one !== null)
  return prices.reduce((one, other) => (bid ? min(one, other) : max(one, other)))
}
