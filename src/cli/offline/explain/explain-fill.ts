// The numbers of one side of a fill: its value, its fee, and what it did to the position.

import type { EventOf, ExchangeView } from '../../../core/index.ts'
import { mulPpmCeil, mulPpmFloor, shareTrunc } from '../../../units/rounding.ts'
import { type MarketWords, ppm, type Step, step, usd, wordsOf } from './explanation.ts'
import type { Found } from './find-events.ts'

type Filled = EventOf<'Filled'>

type Position = Readonly<{ lots: number; cost: number }>

/** As the fill met it: the position, and what the fee account could give a rebate from. */
export type Met = Readonly<{ position: Position; feesHeld: number }>

/** What the explanation of a fill needs of the states around it. */
export type FillSetting = Readonly<{
  words: MarketWords
  unitValue: number
  symbol: string
  account: string
  counterparty: string
  before: Position
  feesHeld: number
  makerPpm: number
  takerPpm: number
  /** Fee rates that a liquidation step may charge, by tier (LIQ-3). */
  liquidationPpms: readonly number[]
}>

/** What the command began with, and what its fills before this one changed. */
export function metBy(view: ExchangeView, found: Found): Met {
  let feesHeld: number = view.money.fees.balance
  for (const event of found.events.slice(0, found.at))
    if (event.type === 'Filled' && !isLiquidated(event)) feesHeld += event.fee
  return { position: positionBefore(view, found), feesHeld }
}

function positionBefore({ positions }: ExchangeView, { events, at }: Found): Position {
  const { account, market } = events[at] as Filled
  const held = positions.holdingOf(account, market)
  let lots: number = held?.lots ?? 0
  let cost: number = held?.cost ?? 0
  for (const event of events.slice(0, at)) {
    if (event.type !== 'Filled' || event.account !== account || event.market !== market) continue
    const sign = signOf(event)
    if (event.kind.startsWith('open')) {
      lots += sign * event.lots
      cost += sign * event.value
    } else {
      const share = shareOf({ lots, cost }, event.lots)
      lots += sign * event.lots
      cost -= share
    }
  }
  return { lots, cost }
}

export function settingOf(found: Found, met: Met, after: ExchangeView): FillSetting {
  const { account, market: id, counterparty } = found.events[found.at] as Filled
  const market = after.markets.get(id)!
  const { accounts } = after
  const { makerPpm, takerPpm } = accounts.numbersOf(account)
  return {
    words: wordsOf(market.params, market.unitValue),
    unitValue: market.unitValue,
    symbol: market.params.symbol,
    account: accounts.addressOf(account),
    counterparty: counterparty === 0 ? '' : accounts.addressOf(counterparty),
    before: met.position,
    feesHeld: met.feesHeld,
    makerPpm,
    takerPpm,
    liquidationPpms: market.tiers.map(({ fractionPpm }) => market.liquidationFeePpm(fractionPpm)),
  }
}

/** +1 buys, −1 sells. */
function signOf({ kind }: Filled): 1 | -1 {
  return kind === 'open_long' || kind.endsWith('close_short') ? 1 : -1
}

function shareOf({ lots, cost }: Position, closed: number): number {
  const held = Math.abs(lots)
  return closed === held ? cost : shareTrunc(cost, closed, held)
}

/** A liquidation order's own side: its fee is another, and goes to the insurance fund. */
function isLiquidated({ cause, kind }: Filled): boolean {
  return cause === 'market_liquidation' && kind.startsWith('force')
}

function feeOf(value: number, rate: number, feesHeld: number): number {
  if (rate < 0) return -Math.min(feesHeld, mulPpmFloor(value, -rate)) || 0
  return mulPpmCeil(value, rate)
}

export function fillSteps(event: Filled, setting: FillSetting): readonly Step[] {
  const steps = [...valueSteps(event, setting), ...feeSteps(event, setting)]
  return event.kind.startsWith('open')
    ? [...steps, openStep(event, setting)]
    : [...steps, ...closeSteps(event, setting)]
}

function valueSteps({ lots, price, value }: Filled, setting: FillSetting): readonly Step[] {
  const { words, unitValue } = setting
  // A deleveraging has a value and no whole price (LIQ-6).
  if (price === 0) return []
  const inputs = {
    lots: `${lots} (${words.size(lots)})`,
    price: `${price} ticks (${words.price(price)})`,
    K: words.unit,
  }
  const result = lots * price * unitValue
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

function feeSteps(event: Filled, setting: FillSetting): readonly Step[] {
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
  const usual = role === 'maker' ? setting.makerPpm : setting.takerPpm
  const charged = setting.liquidationPpms.find((rate) => feeOf(value, rate, feesHeld) === fee)
  const rate = forced ? (charged ?? setting.liquidationPpms[0]!) : usual
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
      result: feeOf(value, rate, feesHeld),
      recorded: fee,
      text: usd,
    }),
  ]
}

function openStep(event: Filled, { before, words }: FillSetting): Step {
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

function closeSteps(event: Filled, { before, words }: FillSetting): readonly Step[] {
  const { lots, value, fee, pnl, entryCost } = event
  const sign = signOf(event)
  const share = shareOf(before, lots)
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
