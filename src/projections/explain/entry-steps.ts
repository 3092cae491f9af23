// Steps of an order's margin check (MARGIN-4): the requirement of its market with the order, the
// requirement of the whole account, and its equity. In an isolated market there are several tests,
// in the order of the rule. The first test that fails is the reason for the refusal.

import type { MarketView, OrderEntry } from '../../core/index.ts'
import { mulPpmCeil } from '../../units/rounding.ts'
import { feeOn, initialOf, type Recorded, requiredStep } from './entry-amounts.ts'
import { ppm, type Step, step, usd, wordsOf } from './explanation.ts'
import { isolatedSteps } from './isolated-entry.ts'
import { guardedPriceOf } from './margin-steps.ts'

export function entrySteps(
  market: MarketView,
  entry: OrderEntry,
  recorded: Recorded,
): readonly Step[] {
  const after = withOrder(market, entry)
  const steps = [initialStep(market, entry, after), requirementStep(market, entry, after)]
  const required = after.requirement + entry.elsewhere.requirements
  return [
    ...steps,
    ...(entry.isolated ? isolatedSteps : crossSteps)(market, entry, required, recorded),
  ]
}

/** Position and open orders including the new order, and their requirement (MARGIN-2). */
function withOrder({ lotValue }: MarketView, entry: OrderEntry) {
  const { sign } = entry
  const open = entry.rest - entry.freed
  const lots = entry.lots + sign * entry.taken
  const buys = entry.buys + (sign > 0 ? open : 0)
  const sells = entry.sells + (sign < 0 ? open : 0)
  const worst = Math.max(Math.abs(lots + buys), Math.abs(lots - sells))
  const held = entry.isolated ? initialOf(entry, Math.abs(lots) * lotValue).margin : 0
  const fees = mulPpmCeil(Math.max(buys, sells) * lotValue, entry.takerPpm)
  const losses = entry.losses + entry.restLoss - entry.freedLoss
  const { margin } = initialOf(entry, worst * lotValue)
  return {
    lots,
    buys,
    sells,
    worst,
    held,
    fees,
    losses,
    requirement: margin - held + fees + losses,
  }
}

type After = ReturnType<typeof withOrder>

/** Text such as `ask 2 BTC: takes 0.5 BTC for 50000 USD, 1.5 BTC stay open`. */
function orderText(market: MarketView, entry: OrderEntry): string {
  const words = wordsOf(market.params, market.unitValue)
  const { sign, taken, takenValue, rest, freed } = entry
  const takes = taken === 0 ? [] : [`takes ${words.size(taken)} for ${usd(takenValue)}`]
  const stays = rest === 0 ? [] : [`${words.size(rest)} would stay open`]
  const instead = freed === 0 ? [] : [`in place of ${words.size(freed)}`]
  return `${sign > 0 ? 'bid' : 'ask'}: ${[...takes, ...stays, ...instead].join(', ')}`
}

function initialStep(market: MarketView, entry: OrderEntry, { lots, buys, sells, worst }: After) {
  const words = wordsOf(market.params, market.unitValue)
  const value = worst * market.lotValue
  const { tier, deduction, margin } = initialOf(entry, value)
  return step({
    rule: 'MARGIN-1',
    formula: 'I(worst) = ⌈worst × mark × K × fraction ÷ 10^6⌉ − deduction, with the order',
    inputs: {
      'this order': orderText(market, entry),
      'position with it': words.size(lots),
      'open buys, sells with it': `${words.size(buys)}, ${words.size(sells)}`,
      worst: `max(|position + buys|, |position − sells|) = ${words.size(worst)}`,
      mark: words.price(market.mark),
      value: usd(value),
      tier: `from ${usd(tier.fromValue)}, leverage at most ${tier.maxLeverage}`,
      'fraction of its tier': ppm(tier.fractionPpm),
      'deduction for the tiers below': usd(deduction),
    },
    result: margin,
    recorded: entry.worstMargin,
    text: usd,
  })
}

function requirementStep(market: MarketView, entry: OrderEntry, after: After): Step {
  const { restLoss, freedLoss } = entry
  const heldText = { 'of the position': usd(after.held) }
  return step({
    rule: 'MARGIN-2',
    formula:
      `requirement with the order = I(worst)${entry.isolated ? ' − I(position)' : ''} ` +
      '+ ⌈taker × max(buys, sells) × mark × K⌉ + entry losses',
    inputs: {
      'I(worst)': usd(initialOf(entry, after.worst * market.lotValue).margin),
      ...(entry.isolated ? heldText : {}),
      'taker rate': ppm(entry.takerPpm),
      fees: usd(after.fees),
      'entry losses': `${usd(entry.losses - freedLoss)}, and of this order ${usd(restLoss)}`,
    },
    result: after.requirement,
    recorded: entry.requirement,
    text: usd,
  })
}

function crossSteps(
  market: MarketView,
  entry: OrderEntry,
  required: number,
  { first, second }: Recorded,
): readonly Step[] {
  const { sign, taken, takenValue, openedValue, takerPpm, lots, cost, elsewhere } = entry
  const words = wordsOf(market.params, market.unitValue)
  const after = lots + sign * taken
  const price = guardedPriceOf(market, after)
  const fees = feeOn(takenValue - openedValue, takerPpm) + feeOn(openedValue, takerPpm)
  const available = step({
    rule: 'MARGIN-4',
    formula:
      'available = balance and other positions + position × guarded price × K − cost ' +
      '− what the order pays − fees',
    inputs: {
      'balance and other positions': usd(elsewhere.equity),
      'position after what it takes': `${words.size(after)} at ${words.price(price)}`,
      cost: usd(cost),
      'the order pays': usd(sign * takenValue),
      'fees of what it takes': usd(fees),
    },
    result: elsewhere.equity + after * price * market.unitValue - cost - sign * takenValue - fees,
    recorded: second,
    text: usd,
  })
  return [requiredStep(entry, required, first), available]
}
