// ACCT-9: what a key with a policy leaves behind, when its binding ends, and does not only reduce.

import { byId } from '../core/lookup.ts'
import { endAll, stopAlgo } from '../orders/endings.ts'
import { cancels, forget } from '../orders/unplaced.ts'
import type { Account, Naive } from '../state.ts'

export function endWithKey(naive: Naive, account: Account, key: string): void {
  const own = (one: { account: number; agent: string | null; reduceOnly: boolean }) => {
    return one.account === account.id && one.agent === key && !one.reduceOnly
  }
  endAll(naive, naive.stops.filter(own), 'owner')
  for (const algo of naive.algos.filter(own).sort(byId)) stopAlgo(naive, algo, 'owner')
  forget(naive, 'owner', ({ account: id, action }) => {
    return id === account.id && action.proof?.agent === key && !cancels(action)
  })
}
