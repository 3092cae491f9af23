// Warnings about problems that do not stop trading: disagreeing prices, an exhausted insurance
// fund, and disabled withdrawal limits. Each can be shown on its own, in `admin status` and in the
// console.

import { moneyText } from '../../projections/market-text.ts'
import { apartText } from '../../protocol/words.ts'
import type { Exchange } from '../exchange.ts'
import { sourcesApartIn } from '../price-health.ts'
import type { TokenHolder } from './access/tokens.ts'
import { limitWarnings } from './money/limit-warnings.ts'

type Tokens = readonly Pick<TokenHolder, 'name' | 'scopes'>[]

export function standingWarnings(exchange: Exchange, tokens: Tokens): readonly string[] {
  // The money of a sandbox is test money.
  if (exchange.settings.mode !== 'venue') return []
  const { money, ruleLimits, atMs } = exchange.view
  return [
    ...priceWarnings(exchange),
    ...fundWarnings(exchange),
    ...(money.brakeAt(atMs) === null
      ? ['the withdrawal brake is off: what is won in a crash can be withdrawn immediately']
      : []),
    ...limitWarnings(money.withdrawalLimits, tokens, ruleLimits.withdrawalDailyMax),
  ]
}

function priceWarnings(exchange: Exchange): readonly string[] {
  return exchange.view.markets.all().flatMap((market) => {
    const apart = sourcesApartIn(exchange, market)
    if (apart === null || market.settled) return []
    const so = apart.has_price ? 'the median counts; find out why' : 'two that differ make no price'
    return [`${market.params.symbol}: ${apartText(apart)}: ${so}`]
  })
}

function fundWarnings({ view: { money } }: Exchange): readonly string[] {
  const { insurance, deficit, fundToday } = money
  const { max, paid } = fundToday
  const owes = deficit.balance < 0
  const warnings: string[] = []
  // LIQ-5: the fund's daily maximum depends on its balance before the first payment of the day.
  if (paid > 0 && paid >= max)
    warnings.push(
      `the insurance fund has reached today's limit (${moneyText(max)} USD) and pays nothing ` +
        'more until 00:00 UTC. Further losses lead to deleveraging or are booked as a deficit.',
    )
  else if (insurance.balance <= 0)
    warnings.push(
      'the insurance fund is empty. Further losses lead to deleveraging or are booked as ' +
        'a deficit.',
    )
  if (owes)
    warnings.push(
      `the deficit is ${moneyText(deficit.balance)} USD: accounts hold more than the exchange ` +
        'has. Income of the insurance fund reduces it first (`openperp admin reserves`).',
    )
  return warnings
}
