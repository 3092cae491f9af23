// Steps of margin: the equity of an account, and its requirements. Positions are valued at guarded
// prices, which are recomputed from the mark, the newest price and the gap that the market stores.

import type { ExchangeView, MarketView } from '../../core/index.ts'
import { divCeil, divFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import { ppm, type Step, step, usd, wordsOf } from './explanation.ts'

/** Guarded price (MARGIN-3): the mark, or a price that is worse for the owner. */
export function guardedPriceOf(market: MarketView, lots: number): number {
  const prices = guardsOf(market, lots).map(({ price }) => price)
  return lots > 0 ? Math.min(market.mark, ...prices) : Math.max(market.mark, ...prices)
}

/** Prices that apply if they are worse than the mark, each with its reason. */
function guardsOf(market: MarketView, lots: number) {
  const { raw, isCatchingUp, mark, params, unitValue } = market
  const words = wordsOf(params, unitValue)
  const whole = (micro: number) => (isLong ? divFloor : divCeil)(micro, MICRO_PER_TICK)
  const isLong = lots > 0
  const gap = market.keptGap(lots)
  const away = isLong
    ? Math.max(gap.price, mark - gap.ticks)
    : Math.min(gap.price, mark + gap.ticks)
  const newest = `the market catches up with its newest price ${words.oracle(raw)}`
  const book =
    `impact ${isLong ? 'asks' : 'bids'} were up to ${words.price(gap.ticks)} ` +
    `${isLong ? 'below' : 'above'} the mark, the worst at ${words.price(gap.price)}`
  return [
    ...(isCatchingUp ? [{ price: whole(raw), why: newest }] : []),
    ...(gap.ticks === 0 ? [] : [{ price: away, why: book }]),
  ]
}

/** Text such as `0.3 BTC at 95000, and not at the mark 99800: the market catches up with …`. */
function pricedText(market: MarketView, lots: number, cost: number): string {
  const words = wordsOf(market.params, market.unitValue)
  const price = guardedPriceOf(market, lots)
  const guard = guardsOf(market, lots).find((each) => each.price === price)
  const why =
    price === market.mark || guard === undefined
      ? 'the mark'
      : `and not at the mark ${words.price(market.mark)}: ${guard.why}`
  return `${words.size(lots)} at ${words.price(price)}, ${why}; cost ${usd(cost)}`
}

export function equityStep({ accounts, positions, markets }: ExchangeView, account: number): Step {
  const { balance, guardedEquity } = accounts.numbersOf(account)
  const rows = positions.backingOf(account).map(({ market: id, lots }) => {
    const market = markets.get(id)!
    const { cost } = positions.holdingOf(account, id)!
    const value = lots * guardedPriceOf(market, lots) * market.unitValue
    return { symbol: market.params.symbol, text: pricedText(market, lots, cost), value, cost }
  })
  return step({
    rule: 'MARGIN-3',
    formula: 'guarded equity = balance + Σ (lots × guarded price × K − cost)',
    inputs: {
      balance: usd(balance),
      ...Object.fromEntries(rows.map(({ symbol, text }) => [symbol, text])),
    },
    result: rows.reduce((sum, { value, cost }) => sum + value - cost, balance as number),
    recorded: guardedEquity,
    text: usd,
  })
}

/** Maintenance requirement. Withdrawals are refused while guarded equity is below it. */
export function maintenanceStep(view: ExchangeView, account: number): Step {
  const rows = view.positions.backingOf(account).map(({ market: id, notional }) => {
    const market = view.markets.get(id)!
    const { fractionPpm, fromValue } = market.tierOf(notional)
    const maintenance = market.maintenanceOf(notional)
    const tier = `tier from ${usd(fromValue)}, ${ppm(fractionPpm)}`
    return [market.params.symbol, `value ${usd(notional)}, ${tier}`, maintenance] as const
  })
  return step({
    rule: 'MARGIN-1',
    formula: 'maintenance = Σ ⌈value × fraction ÷ 10^6⌉ − deduction, values at mark',
    inputs: Object.fromEntries(
      rows.map(([symbol, text, needs]) => [symbol, `${text}: ${usd(needs)}`]),
    ),
    result: rows.reduce((sum, [, , maintenance]) => sum + maintenance, 0),
    recorded: view.accounts.numbersOf(account).crossMaintenance,
    text: usd,
  })
}

export function withdrawableStep(view: ExchangeView, account: number, recorded: number): Step {
  const { accounts, positions, markets } = view
  const { balance } = accounts.numbersOf(account)
  const backing = positions.backingOf(account)
  const losses = total(backing, ({ unrealised }) => Math.min(0, unrealised))
  const requirements = accounts.settingsOf(account).map(({ market }) => {
    const needed = positions.requirementOf(account, market)
    return needed?.requirement ?? 0
  })
  const bound = total(requirements, (each) => each)
  const stale = backing.filter((each) => each.isStale && each.notional > each.requirement)
  const withheld = total(stale, ({ notional, requirement }) => notional - requirement)
  const live = total(
    backing.filter((each) => !each.isStale),
    ({ notional }) => notional,
  )
  const needed = Math.max(bound + withheld, divCeil(live, 10))
  const kept = stale.map(({ market, notional }) => [
    `stale: ${markets.paramsOf(market).symbol}`,
    `keeps its value ${usd(notional)}`,
  ])
  return step({
    rule: 'MARGIN-7',
    formula:
      'withdrawable = min(balance, balance + Σ min(0, unrealised at guarded prices) − ' +
      'max(Σ requirements + excess kept by stale markets, ⌈value in live ones ÷ 10⌉))',
    inputs: {
      balance: usd(balance),
      'losses at guarded prices': usd(losses),
      requirements: usd(bound),
      'value in live markets': usd(live),
      ...Object.fromEntries(kept),
    },
    result: Math.max(0, Math.min(balance, balance + losses - needed)),
    recorded,
    text: usd,
  })
}

function total<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}

/** Requirement of a market (MARGIN-2), and the tier that applied. */
export function requirementStep(
  { markets, positions }: ExchangeView,
  account: number,
  id: number,
): Step {
  const market = markets.get(id)!
  const { params, unitValue, mark } = market
  const words = wordsOf(params, unitValue)
  const needed = positions.requirementOf(account, id)!
  const { lots, buys, sells, worstMargin, heldMargin, fees, entryLosses, requirement } = needed
  const held = `I(${usd(needed.heldValue)}) = ${usd(heldMargin)}`
  const { fromValue, maxLeverage } = market.tierOf(needed.worstValue)
  return step({
    rule: 'MARGIN-2',
    formula:
      `requirement = I(worst)${needed.isolated ? ' − I(position)' : ''} ` +
      '+ ⌈taker × max(buys, sells) × mark × K⌉ + entry losses',
    inputs: {
      position: words.size(lots),
      'open buys, sells': `${words.size(buys)}, ${words.size(sells)}`,
      mark: words.price(mark),
      tier: `from ${usd(fromValue)}, leverage at most ${maxLeverage}`,
      'fraction of its tier': ppm(needed.fractionPpm),
      worst: `I(${usd(needed.worstValue)}) = ${usd(worstMargin)}`,
      ...(needed.isolated ? { 'of the position': held } : {}),
      'taker rate': ppm(needed.takerPpm),
      'fees, entry losses': [fees, entryLosses].map(usd).join(', '),
    },
    result: worstMargin - heldMargin + fees + entryLosses,
    recorded: requirement,
    text: usd,
  })
}
