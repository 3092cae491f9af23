// Writes and reads markets and their prices. Books, indexes and trigger heaps are rebuilt from
// orders, positions and triggers, and are not written.

import type { Quote } from '../../units/units.ts'
import {
  changeableNames,
  marketParameters,
  type ParameterUnit,
  parameterNames,
} from '../../words/market-parameters.ts'
import type { MarketChange, MarketParams, PendingChange, Step } from '../commands/market-params.ts'
import { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { flag, list, optionalNumber, type Stream } from './stream.ts'

export function walkMarkets(stream: Stream, state: State): void {
  const count = stream.number(state.markets.length - 1)
  for (let id = 1; id <= count; id++) {
    const known = state.markets[id]
    const params = walkParams(stream, known?.params)
    const backstop = stream.number(known?.backstop ?? 0)
    const listedAt = stream.number(known?.listedAt ?? 0)
    const oracle = stream.number(known?.oracle ?? 0)
    const { rules } = state
    const market =
      known ?? new Market({ id, backstop, params, oracle, atMs: listedAt, observedAt: 0, rules })
    if (known === undefined) {
      state.markets.push(market)
      state.symbols.set(params.symbol, id)
    }
    walkPrices(stream, market)
    walkFunding(stream, state, market)
    walkChanges(stream, market)
    walkOwnerLimits(stream, market)
  }
}

/** Whether matching was interrupted in the market at some time. */
export function wasReopened(market: Market | undefined): boolean {
  return market !== undefined && market.matchesSince !== market.listedAt
}

export function walkReopened(stream: Stream, state: State): void {
  list(stream, state.markets.filter(wasReopened), (market) => {
    const id = stream.number(market?.id ?? 0)
    const since = stream.number(market?.matchesSince ?? 0)
    if (stream.reading) state.markets[id]!.matchesSince = since
  })
}

function walkStep(stream: Stream, step: Step | undefined): Step {
  return { value: stream.number(step?.value ?? 0), scale: stream.number(step?.scale ?? 0) }
}

/** How a value of each unit is written and read. When reading there is no value yet, so its
 *  fields are absent. */
const walks: Readonly<Record<ParameterUnit, (stream: Stream, value: never) => unknown>> = {
  text: (stream, text: string | undefined) => stream.text(text ?? ''),
  flag: (stream, is: boolean | undefined) => flag(stream, is ?? false),
  step: walkStep,
  tiers: (stream, tiers: MarketParams['riskTiers'] | undefined) => walkTiers(stream, tiers ?? []),
  ...{ ticks: walkNumber, lots: walkNumber, quote: walkNumber, ppm: walkNumber, whole: walkNumber },
}

function walkNumber(stream: Stream, value: number | undefined): number {
  return stream.number(value ?? 0)
}

function walkParams(stream: Stream, params: MarketParams | undefined): MarketParams {
  const walked = parameterNames.map((name) => {
    return [name, walks[marketParameters[name].unit](stream, params?.[name] as never)]
  })
  return Object.fromEntries(walked) as MarketParams
}

function walkTiers(stream: Stream, tiers: MarketParams['riskTiers']): MarketParams['riskTiers'] {
  const walked: { fromValue: Quote; maxLeverage: number }[] = []
  list(stream, tiers, (tier) =>
    walked.push({
      fromValue: stream.number(tier?.fromValue ?? 0) as Quote,
      maxLeverage: stream.number(tier?.maxLeverage ?? 0),
    }),
  )
  return walked
}

function walkPrices(stream: Stream, market: Market): void {
  market.mode = stream.number(market.mode)
  market.settled = flag(stream, market.settled)
  market.health = stream.number(market.health)
  market.goodTicks = stream.number(market.goodTicks)
  market.proving = flag(stream, market.proving)
  market.catchingUp = flag(stream, market.catchingUp)
  market.raw = stream.number(market.raw)
  market.impactBid = stream.number(market.impactBid)
  market.impactAsk = stream.number(market.impactAsk)
  for (const gap of [market.longGap, market.shortGap]) {
    gap.period = stream.number(gap.period)
    for (const kept of [gap.largest, gap.worst])
      for (const at of kept.keys()) kept[at] = stream.number(kept[at]!)
  }
  if (!stream.tradingOnly) market.jumps = stream.number(market.jumps)
  market.observedAt = stream.number(market.observedAt)
  market.lastTickAt = stream.number(market.lastTickAt)
  market.liveTickAt = stream.number(market.liveTickAt)
  market.lastTrade = stream.number(market.lastTrade)
  market.interestLots = stream.number(market.interestLots)
  for (let at = 0; at < market.evaluated.length; at++)
    market.evaluated[at] = stream.number(market.evaluated[at]!)
  market.backstopDay = stream.number(market.backstopDay)
  market.backstopDayEquity = stream.number(market.backstopDayEquity)
}

function walkFunding(stream: Stream, state: State, market: Market): void {
  market.sampleSum = stream.number(market.sampleSum)
  market.sampleCount = stream.number(market.sampleCount)
  market.samplePoint = stream.number(market.samplePoint)
  market.epoch = stream.number(market.epoch)
  market.fundingRate = stream.number(market.fundingRate)
  market.fundingOracle = stream.number(market.fundingOracle)
  market.poolOpen = flag(stream, market.poolOpen)
  market.pool = stream.number(market.pool)
  market.poolEpoch = stream.number(market.poolEpoch)
  if (stream.reading && market.poolOpen) state.openPools += 1
}

function walkChanges(stream: Stream, market: Market): void {
  market.announced = stream.number(market.announced)
  const changes: PendingChange[] = []
  list(stream, market.changes, (pending) => {
    const id = stream.number(pending?.id ?? 0)
    const at = stream.number(pending?.at ?? 0)
    const change = walkChange(stream, pending?.change ?? {})
    changes.push({ id, at, change, kept: walkKept(stream, pending?.kept ?? null) })
  })
  if (!stream.reading) return
  market.changes = changes
  // The mark, guarded prices and tiers are derived from the values read above.
  market.setParams(market.params)
}

function walkKept(stream: Stream, kept: PendingChange['kept']): PendingChange['kept'] {
  if (!flag(stream, kept !== null)) return null
  const leverageMax = stream.number(kept?.leverageMax ?? 0)
  return { leverageMax, riskTiers: walkTiers(stream, kept?.riskTiers ?? []) }
}

function walkOwnerLimits(stream: Stream, market: Market): void {
  const owners = [...market.ownerLimits.keys()].sort((one, other) => one - other)
  list(stream, owners, (known) => {
    const owner = stream.number(known ?? 0)
    const lots = stream.number(market.ownerLimits.get(owner) ?? 0)
    if (stream.reading) market.ownerLimits.set(owner, lots)
  })
  if (stream.reading) market.setSureLots()
}

function walkChange(stream: Stream, change: MarketChange): MarketChange {
  const walked: Record<string, unknown> = {}
  for (const name of changeableNames) {
    if (name === 'riskTiers') continue
    const value = optionalNumber(stream, change[name] ?? null)
    if (value !== null) walked[name] = value
  }
  if (flag(stream, change.riskTiers !== undefined))
    walked.riskTiers = walkTiers(stream, change.riskTiers ?? [])
  return walked as MarketChange
}
