// ACCT-9: what a key with a policy leaves behind when its binding ends: what does not only reduce
// ends, and the stops that stay keep to its distance.

import { byId } from '../core/lookup.ts'
import { endAll, stopAlgo } from '../orders/endings.ts'
import { cancels, forget } from '../orders/unplaced.ts'
import type { Account, Naive } from '../state.ts'
import type { Limit } from './keys.ts'

export function endWithKey(naive: Naive, account: Account, key: string, { policy }: Limit): void {
  const own = (one: { account: number; agent: string | null; reduceOnly: boolean }) => {
    return one.account === account.id && one.agent === key && !one.reduceOnly
  }
  for (const stop of naive.stops)
    if (stop.account === account.id && stop.agent === key && stop.reduceOnly)
      stop.lastSlip = policy.maxSlippagePpm
  for (const { account: id, goesOn } of naive.waiting)
    if (id === account.id && goesOn?.agent === key) goesOn.lastSlip = policy.maxSlippagePpm
  endAll(naive, naive.stops.filter(own), 'owner')
  for (const algo of naive.algos.filter(own).sort(byId)) stopAlgo(naive, algo, 'owner')
  forget(naive, 'owner', ({ account: id, action }) => {
    return id === account.id && action.proof?.agent === key && !cancels(action)
  })
}
