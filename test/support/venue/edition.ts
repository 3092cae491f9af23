// Which edition of the rules a scenario runs on: the one of this checkout, or that of another built
// checkout, so that both play the same day. Whatever a listing or a feed of one edition does
// differently from the other stands here and nowhere else.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as ownCore from '../../../src/core/index.ts'
import * as ownScenario from '../../twin/scenario.ts'
import type { Plain } from './commands.ts'

export type Core = typeof ownCore
type ParamsOf = typeof ownScenario.paramsOf

/** A market in words that both editions have. Money in dollars. */
export type MarketPlan = Readonly<{
  symbol: string
  leverageMax: number
  /** From this notional on, at most this leverage. */
  tiers: readonly (readonly [fromDollars: number, maxLeverage: number])[]
  speedBumpMs: number
  interestDollars: number
  impactDollars: number
  backstopDollars: number
  backstopLossDollars: number
  isolatedOnly?: boolean
  /** Highest price of its grid, in parts of the price of listing (default: 10). */
  gridParts?: number
  /** `liquidationConcessionPpm` (default: as a listing has it). */
  concessionPpm?: number
}>

/** When a feed sends a price. */
export type Cadence = Readonly<{
  everyMs: number
  /** Immediately when the price is this far from the last tick's; null: never. */
  jumpPpm: number | null
  apartMs: number
  /** After a start the first ticks come this far apart. */
  firstTicks: number
  firstApartMs: number
}>

export type Edition = Readonly<{
  core: Core
  isSecond: boolean
  /** Nothing matches in a market whose price is late. */
  isQuietWhenStale: boolean
  /** Takers wait for a price that was observed after they arrived. */
  releasesByTick: boolean
  cadence: Cadence
  /** Earliest arrival of an order of the market that is due and waits for a tick; null: none. */
  awaitedSince(view: ownCore.ExchangeView, market: number): number | null
  paramsOf(plan: MarketPlan, startTicks: number): ownCore.MarketParams
}>

export const DOLLAR = 1_000_000
/** Markets of these scenarios are listed at this tick; one lot at one tick is worth this much. */
export const START_TICKS = 60_000
export const UNIT_VALUE = 10
const PPM = 1_000_000
const staleAfterMs = 4_500

const firstCadence: Cadence = {
  everyMs: 3_000,
  jumpPpm: null,
  apartMs: 3_000,
  firstTicks: 0,
  firstApartMs: 3_000,
}
const secondCadence: Cadence = {
  everyMs: Math.min(3_000, Math.floor((2 * staleAfterMs) / 3)),
  jumpPpm: 2_500,
  apartMs: 100,
  firstTicks: 5,
  firstApartMs: 250,
}

export const ownEdition: Edition = editionOf(ownCore, ownScenario.paramsOf)

/** Of another checkout that is built; null: this one. */
export async function editionAt(folder: string | null): Promise<Edition> {
  if (folder === null) return ownEdition
  const load = (path: string) => import(pathToFileURL(join(folder, 'dist', path)).href)
  const core = (await load('src/core/index.js')) as Core
  const { paramsOf } = (await load('test/twin/scenario.js')) as { paramsOf: ParamsOf }
  return editionOf(core, paramsOf)
}

function editionOf(core: Core, paramsOf: ParamsOf): Edition {
  const isSecond = 'riskTiers' in paramsOf('BTC')
  const has = (name: string) => name in paramsOf('BTC')
  return {
    core,
    isSecond,
    isQuietWhenStale: has('staleAfterMs'),
    releasesByTick: has('observedWithinMs'),
    cadence: has('staleAfterMs') ? secondCadence : firstCadence,
    // Editions before the third release orders by time alone, and have no such field.
    awaitedSince: (view, market) => view.markets.get(market)?.dueArrival ?? null,
    paramsOf: (plan, startTicks) => {
      const lots = (dollars: number) => Math.floor((dollars * DOLLAR) / (startTicks * UNIT_VALUE))
      const interest = lots(plan.interestDollars)
      const concession = plan.concessionPpm
      return paramsOf(plan.symbol, {
        ...(has('staleAfterMs') ? { staleAfterMs } : {}),
        ...(has('ownerInterestMax') ? { ownerInterestMax: Math.floor(interest / 4) } : {}),
        ...(concession === undefined ? {} : { liquidationConcessionPpm: concession }),
        ...(isSecond ? { riskTiers: riskTiers(plan) } : { maintenanceTiers: maintenance(plan) }),
        tickSize: { value: 1, scale: 0 },
        lotSize: { value: 1, scale: 5 },
        tickMax: Math.floor((plan.gridParts ?? 10) * startTicks),
        leverageMax: plan.leverageMax,
        isolatedOnly: plan.isolatedOnly ?? false,
        orderValueMin: 10 * DOLLAR,
        orderValueMax: 5_000_000 * DOLLAR,
        bandNearPpm: 300_000,
        bandFarPpm: 900_000,
        speedBumpMs: plan.speedBumpMs,
        openInterestMax: interest,
        impactValue: plan.impactDollars * DOLLAR,
        backstopValueMax: plan.backstopDollars * DOLLAR,
        backstopDailyLossMax: plan.backstopLossDollars * DOLLAR,
      })
    },
  }
}

function riskTiers({ tiers }: MarketPlan) {
  return tiers.map(([from, maxLeverage]) => ({ fromValue: from * DOLLAR, maxLeverage }))
}

function maintenance({ tiers }: MarketPlan) {
  return tiers.map(([from, maxLeverage]) => ({
    fromValue: from * DOLLAR,
    fractionPpm: Math.ceil(PPM / (2 * maxLeverage)),
  }))
}

/** Money of the fund for the backstop of a market, in the words of either edition. */
export function reserveCommand(market: number, backstop: number, dollars: number): Plain {
  const names = { market, from: ownCore.INSURANCE, to: backstop }
  return { type: 'MoveReserve', ...names, amount: dollars * DOLLAR }
}

/** Money that moved between accounts of the exchange itself, from an event of either edition; null:
 *  another event. `isIncome`: of the fund, so that it fills the deficit first. */
export function movedReserve(event: ownCore.Event, backstopOf: (market: number) => number) {
  const { type, amount = 0, ...names } = event as unknown as MoneyEvent
  if (type === 'FeesShared')
    return { from: ownCore.FEES, to: ownCore.INSURANCE, amount, isIncome: true }
  if (type !== 'ReserveMoved') return null
  const { market = 0, from = ownCore.INSURANCE, to = backstopOf(market) } = names
  return { from, to, amount, isIncome: false }
}

type MoneyEvent = Readonly<{
  type: string
  amount?: number
  market?: number
  from?: number
  to?: number
}>
