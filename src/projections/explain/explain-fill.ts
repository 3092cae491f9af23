// The numbers of one side of a fill: its value, its fee, and its effect on the position.

import { type ExchangeView, type FillPart, fillsOf, type MarketView } from '../../core/index.ts'
import { feeOf } from '../../units/fee.ts'
import { shareTrunc } from '../../units/rounding.ts'
import type { Lots, Ppm, Quote, Ticks } from '../../units/units.ts'
import { afterEvent } from './after-event.ts'
import { type MarketWords, ppm, type Step, step, usd, wordsOf } from './explanation.ts'
import type { Found } from './past.ts'

type Position = Readonly<{ lots: number; cost: number }>

/** State before the fill: the position, the fee account, and the rates. */
export type Met = Readonly<{ position: Position; feesHeld: number; rates: Rates }>
type Rates = Readonly<{ makerPpm: number; takerPpm: number }>

/** The states before and after a fill. */
export type FillSetting = Readonly<{
  words: MarketWords
  market: MarketView
  symbol: string
  account: string
  before: Position
  feesHeld: number
  /** Rates after the command and before it, because due work may change rates. */
  rates: readonly Rates[]
  /** Fee rates that a liquidation step may charge, by tier (LIQ-3). */
  liquidationPpms: readonly number[]
}>

/** A fill and its event. */
export type FoundFill = Found & Readonly<{ fill: FillPart }>

/** Returns the requested fills of an event. */
export function fillsIn(found: Found, isWanted: (fill: FillPart) => boolean): FoundFill[] {
  return fillsOf(found.events[found.at]!)
    .filter(isWanted)
    .map((fill) => ({ ...found, fill }))
}

/** State that the fill met: after the previous event, or before the command. */
export function metBy(view: ExchangeView, { events, at, fill }: FoundFill): Met {
  const { account, market } = fill
  // The closing part of an event precedes the opening part.
  const earlier = fillsOf(events[at]!).filter(({ history }) => history < fill.history)
  const before = events.slice(0, at)
  const fees = before.findLast((event) => event.type === 'Traded')?.fees
  const feesHeld = earlier
    .filter((each) => !isLiquidated(each))
    .reduce((sum, { fee }) => sum + fee, fees ?? view.money.fees.balance)
  const rates = view.accounts.numbersOf(account)
  if (earlier.some((each) => each.account === account))
    return { position: { lots: 0, cost: 0 }, feesHeld, rates }
  const fromEvent = before
    .flatMap(afterEvent)
    .findLast((each) => each.account === account && each.market === market && 'lots' in each)
  const held = fromEvent ?? view.positions.holdingOf(account, market)
  return { position: { lots: held?.lots ?? 0, cost: held?.cost ?? 0 }, feesHeld, rates }
}

export function settingOf({ fill }: FoundFill, met: Met, after: ExchangeView): FillSetting {
  const { account, market: id } = fill
  const market = after.markets.get(id)!
  const { accounts } = after
  return {
    words: wordsOf(market.params, market.unitValue),
    market,
    symbol: market.params.symbol,
    account: accounts.addressOf(account),
    before: met.position,
    feesHeld: met.feesHeld,
    rates: [accounts.numbersOf(account), met.rates],
    liquidationPpms: [market.tiers, ...market.keptTiers.map(({ tiers }) => tiers)]
      .flat()
      .map(({ fractionPpm }) => market.liquidationFeePpm(fractionPpm)),
  }
}

/** Direction: +1 for a buy, −1 for a sell. */
function signOf({ kind }: FillPart): 1 | -1 {
  return kind === 'open_long' || kind.endsWith('close_short') ? 1 : -1
}

/** Whether this is the side of the liquidation order, whose different fee goes to the insurance
 *  fund. */
function isLiquidated({ cause, kind }: FillPart): boolean {
  return cause === 'market_liquidation' && kind.startsWith('force')
}

/** Charged fee. A rebate is limited by the balance of the fee account. */
function chargedOf(value: number, rate: number, feesHeld: number): number {
  return Math.max(-feesHeld, feeOf(value as Quote, rate as Ppm)) || 0
}

export function fillSteps(event: FillPart, setting: FillSetting): readonly Step[] {
  const steps = [...valueSteps(event, setting), ...feeSteps(event, setting)]
  return event.kind.startsWith('open')
    ? [...steps, openStep(event, setting)]
    : [...steps, ...closeSteps(event, setting)]
}

function valueSteps({ lots, price, value }: FillPart, setting: FillSetting): readonly Step[] {
  const { words, market } = setting
  // A deleveraging has a value, but its price may not be whole (LIQ-6).
  if (price === 0) return []
  const inputs = {
    lots: `${lots} (${words.size(lots)})`,
    price: `${price} ticks (${words.price(price)})`,
    K: words.unit,
  }
  const result = market.valueOf(lots as Lots, price as Ticks)
  return [
    step({
      rule: 'UNITS-1',
      formula: 'value = lots × price × K',
      inputs,
      result,
      recorded: value,
      text: usd,
    }),
  ]
}

function feeSteps(event: FillPart, setting: FillSetting): readonly Step[] {
  const { role, cause, value, fee } = event
  const isForcedTransfer = cause !== 'normal' && cause !== 'market_liquidation'
  if (isForcedTransfer)
    return [
      step({
        rule: cause === 'settlement' ? 'MARKET-4' : 'LIQ-4',
        formula: 'no fee on a forced transfer',
        inputs: { cause },
        result: 0,
        recorded: fee,
        text: usd,
      }),
    ]
  const { feesHeld } = setting
  const forced = isLiquidated(event)
  const usual = setting.rates.map((each) => (role === 'maker' ? each.makerPpm : each.takerPpm))
  const possible = forced ? setting.liquidationPpms : usual
  const rate = possible.find((each) => chargedOf(value, each, feesHeld) === fee) ?? possible[0]!
  return [
    step({
      rule: forced ? 'LIQ-3' : 'FEE-1',
      formula: forced
        ? 'fee = ⌈value × min(7,500, ⌊4·f ÷ 10⌋) ÷ 10^6⌉, to the insurance fund'
        : 'fee = ⌈value × rate ÷ 10^6⌉ (a rebate: −⌊…⌋, at most what fees hold)',
      inputs: {
        value: usd(value),
        rate: `${ppm(rate)}, ${forced ? 'liquidation' : role}`,
        ...(rate < 0 && { 'the fee account holds': usd(feesHeld) }),
      },
      result: chargedOf(value, rate, feesHeld),
      recorded: fee,
      text: usd,
    }),
  ]
}

function openStep(event: FillPart, { before, words }: FillSetting): Step {
  const { lots, value, entryCost } = event
  const sign = signOf(event)
  return step({
    rule: 'UNITS-2',
    formula: 'opening: lots += s·n, cost += s·value; profit = −fee',
    inputs: {
      'position before': `${words.size(before.lots)}, cost ${usd(before.cost)}`,
      'position after': `${words.size(before.lots + sign * lots)}, cost ${usd(entryCost)}`,
      s·value: usd(sign * value),
    },
    result: before.cost + sign * value,
    recorded: entryCost,
    text: (cost) => `cost ${usd(cost)}`,
  })
}

function closeSteps(event: FillPart, { before, words }: FillSetting): readonly Step[] {
  const { lots, value, fee, pnl, entryCost } = event
  const sign = signOf(event)
  const share = shareTrunc(before.cost, lots, Math.abs(before.lots))
  const realised = -sign * value - share
  return [
    step({
      rule: 'UNITS-2',
      formula: 'closing n of |lots|: share = trunc(cost × n ÷ |lots|)',
      inputs: {
        'position before': `${words.size(before.lots)}, cost ${usd(before.cost)}`,
        n: words.size(lots),
      },
      result: share,
      recorded: entryCost,
      text: (cost) => `share ${usd(cost)}`,
    }),
    step({
      rule: 'UNITS-2',
      formula: 'profit = −s·value − share − fee',
      inputs: { s·value: usd(sign * value), share: usd(share), fee: usd(fee) },
      result: realised - fee,
      recorded: pnl,
      text: usd,
    }),
  ]
}
