// Parts of an explanation: facts, a timeline, and steps of arithmetic. Each step is recomputed from
// its inputs and compared with history. The explanation reports any difference.

import type { MarketParams } from '../../../core/index.ts'
import {
  microPriceText,
  moneyText,
  ppbText,
  ppmText,
  priceText,
  sizeText,
} from '../../../feeds/market-text.ts'
import { pairsOf, type Screen } from '../../frame/screen.ts'

export type Step = Readonly<{
  /** Id of the rule, and its document. */
  rule: string
  document: string
  formula: string
  inputs: Readonly<Record<string, string>>
  result: string
  recorded: string
  agrees: boolean
}>

export type Happening = Readonly<{ seq: number; time: string; what: string; rule: string | null }>

export type Explanation = Readonly<{
  title: string
  facts: Readonly<Record<string, string>>
  happened: readonly Happening[]
  steps: readonly Step[]
}>

const documents: Readonly<Record<string, string>> = {
  ACCT: 'accounts',
  ALGO: 'algos',
  CORE: 'core',
  FEE: 'fees',
  FUND: 'funding',
  LIQ: 'liquidation',
  MARGIN: 'margin',
  MARKET: 'markets',
  ORDER: 'orders',
  PRICE: 'prices',
  TRIG: 'triggers',
  UNITS: 'units',
}

export function documentOf(rule: string): string {
  return `docs/rules/${documents[rule.split('-')[0]!]}.md`
}

type Given = Readonly<{
  rule: string
  formula: string
  inputs: Readonly<Record<string, string>>
  /** Results as computed here and as recorded in history, in the same unit. */
  result: number
  recorded: number
  text: (value: number) => string
}>

export function step({ rule, formula, inputs, result, recorded, text }: Given): Step {
  return {
    rule,
    document: documentOf(rule),
    formula,
    inputs,
    result: text(result),
    recorded: text(recorded),
    agrees: result === recorded,
  }
}

export const usd = (microDollars: number) => `${moneyText(microDollars)} USD`
export const ppm = (value: number) => `${ppmText(value)} (${value} ppm)`
export const ppb = (value: number) => `${ppbText(value)} (${value} ppb)`

/** Formats the numbers of a market. */
export type MarketWords = Readonly<{
  price(ticks: number): string
  size(lots: number): string
  oracle(microTicks: number): string
  /** Value of one lot at one tick, in micro-dollars. */
  unit: string
}>

export function wordsOf(params: MarketParams, unitValue: number): MarketWords {
  return {
    price: (ticks) => priceText(params, ticks),
    size: (lots) => `${sizeText(params, lots)} ${params.baseAsset}`,
    oracle: (microTicks) => microPriceText(params, microTicks),
    unit: `${unitValue} micro-dollars a lot and tick`,
  }
}

export const timeOf = (ms: number) => new Date(ms).toISOString()

export function linesOf({ title, facts, happened, steps }: Explanation, screen: Screen): string[] {
  const lines = [screen.paint('bold', title), '', ...pairsOf(Object.entries(facts))]
  if (happened.length > 0) lines.push('', 'What happened')
  for (const { seq, time, what, rule } of happened) {
    const cited = rule === null ? '' : screen.paint('dim', `  (${rule}, ${documentOf(rule)})`)
    lines.push(`  seq ${seq}  ${time}  ${what}${cited}`)
  }
  for (const each of steps) {
    const sign = each.agrees
      ? screen.paint('green', '= what history recorded')
      : screen.paint('red', `BUT HISTORY RECORDED ${each.recorded}`)
    lines.push('', `${each.rule}  ${each.formula}  ${screen.paint('dim', each.document)}`)
    for (const line of pairsOf(Object.entries(each.inputs))) lines.push(`  ${line}`)
    lines.push(`  → ${each.result}  ${sign}`)
  }
  return lines
}
