// Parts of an explanation: facts, a timeline, and steps of arithmetic. Each step is recomputed from
// its inputs and compared with history. The explanation reports any difference.

import type { MarketParams } from '../../core/index.ts'
import { documentOf } from '../../protocol/text/rule-documents.ts'
import { microPriceText, moneyText, ppbText, ppmText, priceText, sizeText } from '../market-text.ts'

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

/** Something that has not happened, and what it depends on. */
export type Pending = Readonly<{ what: string; rule: string | null }>

export type Happening = Readonly<{ seq: number; time: string; what: string; rule: string | null }>

export type Explanation = Readonly<{
  title: string
  facts: Readonly<Record<string, string>>
  happened: readonly Happening[]
  steps: readonly Step[]
  /** What has not happened, of an order that is open and of a position. */
  pending: readonly Pending[]
}>

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

/** `1 order`, `2 orders`. */
export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
