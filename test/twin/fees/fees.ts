// Fees, rebates and volume tiers (docs/rules/fees.md).

import { limits } from '../../../src/core/rules/limits.ts'
import { accountOf, dayOf } from '../core/lookup.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Naive } from '../state.ts'
import { ceilDiv, floorDiv, MILLION, min } from '../units/numbers.ts'

export type Rates = { maker: bigint; taker: bigint }

/** FEE-2: the tier of the owner, by what it traded on the full days before today that count. */
export function ratesOf(naive: Naive, account: Account): Rates {
  const first = naive.feeTiers[0] as Rates
  if (account.reserved) return first
  const owner = accountOf(naive, account.main)
  const today = dayOf(naive.now)
  let value = 0n
  for (let day = today - bookOf(naive).fees.volumeDays; day < today; day += 1)
    value += owner.volumes[day] ?? 0n
  const dollars = floorDiv(value, MILLION)
  let rates = first
  for (const tier of naive.feeTiers) if (tier.volumeDollars <= dollars) rates = tier
  return rates
}

/** FEE-2: a match counts for the owner of each side, up to 2^52 a day. */
export function countVolume(naive: Naive, account: Account, value: bigint): void {
  if (account.reserved) return
  const owner = accountOf(naive, account.main)
  const day = dayOf(naive.now)
  owner.volumes[day] = min((owner.volumes[day] ?? 0n) + value, BigInt(limits.moneyMax))
}

/** FEE-1, without the bound of what the fee account holds. */
export function feeAt(value: bigint, ppm: bigint): bigint {
  if (ppm >= 0n) return ceilDiv(value * ppm, MILLION)
  return -floorDiv(value * -ppm, MILLION)
}
