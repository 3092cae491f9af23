// What one owner may hold of a market (docs/rules/orders.md, ORDER-13).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import type { Side } from '../../../src/words/order-words.ts'
import { emit, findMarket } from '../core/lookup.ts'
import { exposureOf, worstOf } from '../margin/margin.ts'
import type { Account, Market, Naive } from '../state.ts'
import { given, isIntIn, shown } from '../units/numbers.ts'

type Wish = { account: Account; market: Market; side: Side; size: bigint }

/** All accounts with the same main account, with this order as if it were open. */
export function ownerRefusal(naive: Naive, d: Wish): Rejection | null {
  if (d.account.reserved) return null
  let sum = 0n
  for (const account of naive.accounts.filter(({ main }) => main === d.account.main)) {
    const exposure = exposureOf(naive, account, d.market)
    if (account === d.account && d.side === 'bid') exposure.buys += d.size
    if (account === d.account && d.side === 'ask') exposure.sells += d.size
    sum += worstOf(exposure)
  }
  const most = d.market.ownerLimits[d.account.main] ?? d.market.rules.ownerInterestMax
  return sum > most ? refuse('POSITION_LIMIT_EXCEEDED', shown(sum), shown(most)) : null
}

export function setOwnerLimit(naive: Naive, command: CommandOf<'SetOwnerLimit'>): Rejection | null {
  const owner: Account | undefined = naive.accounts.find(({ id }) => id === command.owner)
  if (!owner) return refuse('ACCOUNT_NOT_FOUND', given(command.owner))
  if (owner.main !== owner.id) return refuse('NOT_MAIN_ACCOUNT')
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (market.settled || owner.reserved) return refuse('UNSUPPORTED_OPERATION')
  const { lots } = command
  if (lots !== null && !isIntIn(lots, 0, limits.moneyMax)) return refuse('INVALID_PARAMETER', 0)
  delete market.ownerLimits[owner.id]
  if (lots !== null) market.ownerLimits[owner.id] = BigInt(lots)
  emit(naive, { type: 'OwnerLimitSet', owner: owner.id, market: market.id, lots: lots ?? -1 })
  return null
}
