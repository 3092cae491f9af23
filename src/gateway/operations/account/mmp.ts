// Market maker protection: set, remove, reset and read (ORDER-18).

import type { MmpLimits } from '../../../core/index.ts'
import { mmpRows } from '../../../feeds/accounts/mmp-rows.ts'
import { apiError } from '../../api-error.ts'
import { signed, unsigned } from '../../operation.ts'
import { type Grid, lotsOf } from '../order-fields.ts'
import { marketRejections } from '../orders/rejects.ts'
import { ask, marketOf, principalOf } from '../principal.ts'
import { readableAccount } from '../reading.ts'

type Wanted = Readonly<{
  window_ms?: number | null
  frozen_ms?: number | null
  max_amount?: string | null
  max_net_amount?: string | null
  remove?: boolean | null
}>

export const setMmp = signed({
  name: 'set_mmp',
  group: 'Account',
  rejects: [...marketRejections, 'INVALID_AMOUNT', 'INVALID_PARAMETER'],
  async handle(call) {
    const principal = principalOf(call, 'rules')
    const { account, proof, refusals } = principal
    const { id: market, params } = marketOf(principal, call.request.symbol)
    const limits = limitsOf({ params, refusals }, call.request as Wanted)
    await ask(principal, { type: 'SetMmp', account, proof, market, limits }, { params })
    return null
  },
})

function limitsOf(grid: Grid, wanted: Wanted): MmpLimits | null {
  const { window_ms, frozen_ms, max_amount, max_net_amount, remove } = wanted
  const given = [window_ms, frozen_ms, max_amount, max_net_amount].some((each) => each != null)
  if (remove === true && given)
    throw apiError('MALFORMED_REQUEST', 'remove cannot be combined with other limits')
  if (remove === true) return null
  if (window_ms == null || frozen_ms == null)
    throw apiError('MALFORMED_REQUEST', 'window_ms and frozen_ms are required, or remove: true')
  if (max_amount == null && max_net_amount == null)
    throw apiError('MALFORMED_REQUEST', 'max_amount or max_net_amount is required')
  const lots = (field: string, text: string | null | undefined) =>
    text == null ? null : lotsOf(grid, field, text)
  return {
    windowMs: window_ms,
    frozenMs: frozen_ms,
    maxLots: lots('max_amount', max_amount),
    maxNet: lots('max_net_amount', max_net_amount),
  }
}

export const resetMmp = signed({
  name: 'reset_mmp',
  group: 'Account',
  rejects: [...marketRejections, 'INVALID_PARAMETER'],
  async handle(call) {
    const principal = principalOf(call, 'rules')
    const { account, proof } = principal
    const { id: market, params } = marketOf(principal, call.request.symbol)
    await ask(principal, { type: 'ResetMmp', account, proof, market }, { params })
    return null
  },
})

export const getMmp = unsigned({
  name: 'get_mmp',
  group: 'Account',
  handle(call) {
    const account = readableAccount(call, call.request.account)
    return mmpRows(call.exchange.view, account)
  },
})
