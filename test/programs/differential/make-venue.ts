// What operators send: markets, modes, fees, reserves. Whatever stops
// trading is rare, and `resume` takes it back soon.

import { limits } from '../../../src/core/rules/limits.ts'
import { stopsSettled } from './contrived/rare-scenes.ts'
import type { KnownMarket } from './known.ts'
import {
  drawAccount,
  drawMarket,
  freshName,
  type Made,
  type Maker,
  type Making,
  marketId,
  sides,
} from './making.ts'
import { badLiquidation, liquidationChange } from './markets/liquidation-params.ts'
import { oracleTick } from './markets/oracle-ticks.ts'
import { feeTiersOf, listingOf, tiersOf } from './world.ts'

/** A market that can be listed while there are few; later mostly what must be refused. */
export const listMarket: Maker = (making) => {
  const { random, picture, world } = making
  const index = making.listed.length + 1
  const { params, oracle } = listingOf(world, index, random)
  const wanted = making.listed.length < world.marketCount + 2
  const kind = random.weighted({ good: wanted ? 60 : 0, twice: 25, address: 8, grid: 7 })
  const changes = {
    good: {},
    twice: {
      symbol: random.any(making.listed) ?? 'M1-USD',
      backstopAddress: freshName(making, 'backstop'),
    },
    address: { backstopAddress: random.any(picture.traders)?.address ?? 'fees' },
    grid: { tickSize: { value: 1, scale: 9 }, lotSize: { value: 1, scale: 9 } },
  }
  const changed = { ...params, ...changes[kind] }
  if (kind === 'good') {
    making.listed.push(params.symbol)
    picture.expectListing(params, oracle)
  }
  return { type: 'ListMarket', params: changed, oracle }
}

const changeMarket: Maker = (making) => {
  const { random, world } = making
  const market = drawMarket(making)
  const params = market?.params
  const leverageMax = random.pick([2, 3, 7, 10, 30, 60, 100])
  const lower = world.wealth * random.pick([1, 5])
  const changes: readonly Record<string, unknown>[] = [
    { tickMax: (params?.tickMax ?? 1_000) * random.pick([1, 2, 2, 1_000_000]) },
    { tickMin: random.pick([1, params?.tickMin ?? 1, (params?.tickMin ?? 1) + 1]) },
    { tickMax: tooHigh(making, market) },
    { leverageMax },
    { bandNearPpm: random.pick([20_000, 50_000, 1_000_000]) },
    { bandFarPpm: random.pick([50_000, 500_000]), impactValue: Math.ceil(world.wealth / 50) },
    { speedBumpMs: random.pick([0, 0, 100, 200]) },
    { observedWithinMs: random.pick([100, 1_000, 5_000]) },
    { staleAfterMs: world.profile === 'funding' ? 10_000 : random.pick([1_000, 4_500, 10_000]) },
    {
      openInterestMax: random.pick([
        2 ** 52,
        Math.ceil(world.wealth / ((params?.tickMax ?? 1) + 1)),
      ]),
    },
    { ownerInterestMax: random.pick([2 ** 52, 2 ** 52, world.wealth / 1_000]) },
    { minSources: random.between(1, 4), observedWithinMs: 1_000 },
    { observedWithinMs: random.pick([100, 1_000, 10_000]) },
    { openInterestLower: lower, openInterestUpper: lower * 4 },
    { openInterestLower: 0, openInterestUpper: 0 },
    { fundingSamplesMin: random.pick([1, 20, 360, 720]) },
    { riskTiers: tiersOf(world, params?.leverageMax ?? 10, random) },
    { backstopValueMax: Math.ceil(world.wealth * random.pick([0, 1, 100])) },
    { backstopDailyLossMax: Math.ceil(world.wealth * random.pick([0, 1, 100])) },
    liquidationChange(world.wealth, random),
    liquidationChange(world.wealth, random),
    badLiquidation(random),
    { orderValueMin: random.pick([1, 1_000_000]) },
    { orderValueMax: random.pick([2 ** 52, world.wealth * 20]) },
    {},
    random.pick([
      { orderValueMin: 2 ** 52 + 1 },
      { leverageMax: 0 },
      { speedBumpMs: 10_001 },
      { riskTiers: [{ fromValue: 1, maxLeverage: params?.leverageMax ?? 10 }] },
      { staleAfterMs: 999 },
      { observedWithinMs: random.pick([49, 10_001]) },
      { staleAfterMs: 60_001 },
      { minSources: 0 },
      { fundingSamplesMin: random.pick([0, 721]) },
      { observedWithinMs: random.pick([99, 10_001]) },
    ]),
  ]
  const change = { ...random.pick(changes), ...(random.chance(0.2) ? random.pick(changes) : {}) }
  const made = { type: 'ChangeMarket', market: marketId(making, market), change } as const
  if (random.chance(0.6)) return made
  const tiers = { riskTiers: tiersOf(world, params?.leverageMax ?? 10, random) }
  const raised = random.chance(0.5) ? { change: { ...change, ...tiers } } : {}
  return { ...made, ...raised, immediate: random.chance(0.8) }
}

/** Mostly one of the newest: those override others. */
const cancelMarketChange: Maker = (making) => {
  const { random } = making
  const market = drawMarket(making)
  const change = market?.announced.at(-random.pick([1, 1, 1, 2, 3])) ?? random.between(0, 3)
  return { type: 'CancelMarketChange', market: marketId(making, market), change }
}

/** The impact value becomes just what rests on a side, so that the next sample has no more. */
export function changeImpact(making: Making): Made | undefined {
  const { random, picture } = making
  const market = drawMarket(making)
  if (market === undefined) return undefined
  const impactValue = picture.depth(market, random.pick(sides))
  if (impactValue === 0) return undefined
  return { type: 'ChangeMarket', market: market.id, change: { impactValue } }
}

/** So high that someone's worst case at it would be too much. */
function tooHigh({ random, picture }: Making, market: KnownMarket | undefined): number {
  const lots = (market && picture.mostHeld(market.id)) ?? 0
  if (market === undefined || lots === 0) return 2_000_000_000
  const most = Math.floor(2 ** 52 / (lots * market.unit))
  return Math.min(2_000_000_000, most + random.pick([0, 1, 1]))
}

/** The milder ones more often: under them more goes on. */
const modeWeights = { open: 1, reduce_only: 4, post_only: 3, cancel_only: 1.5, halted: 1.6 }

const setMarketMode: Maker = (making) => ({
  type: 'SetMarketMode',
  market: marketId(making, drawMarket(making)),
  mode: making.random.weighted(modeWeights),
})

const setExchangeMode: Maker = ({ random }) => ({
  type: 'SetExchangeMode',
  mode: random.weighted(modeWeights),
})

/** Near the mark, or so far off that someone is left with debts; mostly off the grid. */
const settleMarket: Maker = (making) => settleOne(making, drawMarket(making))

function settleOne(making: Making, market: KnownMarket | undefined): Made {
  const { random } = making
  const mark = market?.mark ?? 1_000
  const price = Math.floor(mark * random.pick([1, 0.98, 0.7, 1.3, 0.5, 1.7, 0.3, 2.5]))
  const { tickMin = 1, tickMax = 10_000 } = market?.params ?? {}
  const prices = {
    inside: Math.max(tickMin, Math.min(tickMax, price)),
    above: tickMax + random.pick([1, mark]),
    below: random.pick([tickMin - 1, Math.ceil(tickMin / 2)]),
    broken: 0.5,
  }
  const kind = random.weighted({ inside: 15, above: 60, below: tickMin > 1 ? 40 : 5, broken: 5 })
  return { type: 'SettleMarket', market: marketId(making, market), price: prices[kind] }
}

/** Where stops have fired and go on, if there can be some. */
export function settleSome(making: Making): Made {
  const settle = (id: number) => settleOne(making, making.picture.markets.get(id))
  return stopsSettled(making, settle) ?? settleMarket(making)
}

const setFeeTiers: Maker = ({ random }) => {
  const tiers = feeTiersOf(random)
  const bad = random.pick([
    [],
    [{ volumeDollars: 1, makerPpm: 1, takerPpm: 1 }],
    [{ volumeDollars: 0, makerPpm: -500, takerPpm: 400 }],
    [...tiers, ...tiers],
  ])
  return { type: 'SetFeeTiers', tiers: random.chance(0.8) ? tiers : bad }
}

const moveReserve: Maker = (making) => {
  const { random, world } = making
  const amount = Math.ceil(world.wealth * random.pick([1e-9, 1e-7, 1e-5, 0.0001, 0.01, 1, 100]))
  const [first, second] = random.chance(0.25)
    ? ['insurance', 'backstop']
    : [random.pick(ownMoney), random.pick(ownMoney)]
  const account = (kind: string | undefined) => {
    if (kind === 'backstop') return drawMarket(making)?.backstop ?? 4
    if (kind === 'trader') return drawAccount(making)
    return kind === 'fees' ? 1 : kind === 'insurance' ? 2 : 3
  }
  return {
    type: 'MoveReserve',
    from: account(random.chance(0.6) ? first : second),
    to: account(random.chance(0.9) ? second : first),
    amount: random.chance(0.95) ? amount : 0,
    ...(random.chance(0.3) ? { by: random.pick(['ann', 'ann', 'bob', '']) } : {}),
  }
}

const ownMoney = [
  'fees',
  'fees',
  'insurance',
  'insurance',
  'backstop',
  'backstop',
  'trader',
  'trader',
  'deficit',
]

const setOwnerLimit: Maker = (making) => {
  const { random, world } = making
  const market = drawMarket(making)
  const lots = Math.ceil(world.wealth / ((market?.params.tickMax ?? 1) * random.pick([1, 10, 100])))
  return {
    type: 'SetOwnerLimit',
    owner: drawAccount(making),
    market: marketId(making, market),
    lots: random.chance(0.05) ? -1 : random.pick([null, null, lots, 2 ** 52]),
  }
}

const setInsuranceShare: Maker = ({ random }) => ({
  type: 'SetInsuranceShare',
  sharePpm: random.pick([0, 1, 100_000, 333_333, 1_000_000, 1_000_001, -1]),
})

const setFundDailyMax: Maker = ({ random }) => ({
  type: 'SetFundDailyMax',
  dailyMax: random.pick([0, 1, 50_000, 333_333, 500_000, 500_000, 1_000_000, 1_000_001, -1]),
})

const setWithdrawalLimits: Maker = ({ random, world }) => {
  const few = Math.ceil(world.wealth / 100)
  return {
    type: 'SetWithdrawalLimits',
    approvalAbove: random.pick([null, 0, few, few * 10, few * 10, -1]),
    dailyMax: random.pick([null, few, few * 10, few * 50, few * 100, 2 ** 52 + 1]),
    ...random.pick([
      {},
      { creditApprovalAbove: null },
      { creditApprovalAbove: 0 },
      { creditApprovalAbove: Math.ceil(few / 100) },
    ]),
  }
}

const setWithdrawalBrake: Maker = ({ random, world }) => ({
  type: 'SetWithdrawalBrake',
  fundPpm: random.pick([0, 0, 1_000, 50_000, 50_000, 1_000_001, null]),
  profitAbove: random.pick([0, 1, Math.ceil(world.wealth / 100_000), world.wealth / 1_000, -1]),
  holdMs: random.pick([60_000, 3_600_000, 3_600_000, 86_400_000, 59_999]),
})

const breach: Maker = (making) => ({
  type: 'Breach',
  market: making.random.chance(0.4) ? null : marketId(making, drawMarket(making)),
  invariant: making.random.between(1, 10),
})

const setRulesVersion: Maker = ({ random }) => ({
  type: 'SetRulesVersion',
  version: random.pick([0, 1, 2]),
})

const setClockFrozen: Maker = ({ random }) => ({
  type: 'SetClockFrozen',
  frozen: random.chance(0.7),
})

const engineStarted: Maker = ({ random }) =>
  random.chance(0.7) ? { type: 'EngineStarted' } : { type: 'EngineStarted', pricesStand: true }

const keepNote: Maker = ({ random }) => ({
  type: 'KeepNote',
  name: `note ${random.between(1, 4)}`,
  text: random.pick([null, 'one', 'another', 'x'.repeat(limits.noteLength + 1)]),
})

const publishPast: Maker = (making) => ({
  type: 'TellPast',
  market: marketId(making, drawMarket(making)),
  bars: making.random.pick(['', '[]']),
})

/** What brings trading back, if something has stopped it; else undefined. */
export function resume(making: Making): Made | undefined {
  const { random, picture } = making
  // One after the other, because the ticks of one must not be too far apart; and not immediately: a
  // stale market refuses what others accept.
  const market = [...picture.markets.values()].find(
    ({ health, settled }) => health !== 'live' && !settled,
  )
  if (market !== undefined && random.chance(market.health === 'stale' ? 0.25 : 0.6)) {
    const price = Math.max(1, Math.floor(market.oracle * (1 + (random.next() - 0.5) / 1_000)))
    return { type: 'OracleTick', market: market.id, price, observedAtMs: null, jump: false }
  }
  if (!random.chance(0.12)) return undefined
  if (ends(making, picture.mode)) return { type: 'SetExchangeMode', mode: 'open' }
  if (picture.clockFrozen) return { type: 'SetClockFrozen', frozen: false }
  const closed = [...picture.markets.values()].find(
    ({ mode, settled }) => !settled && ends(making, mode),
  )
  if (closed !== undefined) return { type: 'SetMarketMode', market: closed.id, mode: 'open' }
  const frozen = picture.traders.find((account) => account.frozen)
  if (frozen === undefined || random.chance(0.5)) return undefined
  return { type: 'FreezeAccount', account: frozen.id, frozen: false }
}

/** A mode that stops all trading is soon over, one in which some goes on lasts. */
function ends({ random }: Making, mode: KnownMarket['mode']): boolean {
  if (mode === 'open') return false
  return mode === 'cancel_only' || mode === 'halted' || random.chance(0.12)
}

/** A poor trader gets money again, so that a world does not die out. */
export function refill(making: Making): Made | undefined {
  const { random, picture, world } = making
  const poor = picture.traders.filter(
    ({ money, id, main }) => money < world.wealth / 50 && id === main,
  )
  const account = random.any(poor)
  if (account === undefined) return undefined
  const amount = Math.ceil(world.wealth * (0.2 + random.next()))
  const reference = freshName(making, 'reference')
  return { type: 'Deposit', address: account.address, amount, reference }
}

export const venueMakers = {
  ListMarket: listMarket,
  ChangeMarket: changeMarket,
  CancelMarketChange: cancelMarketChange,
  SetMarketMode: setMarketMode,
  SettleMarket: settleMarket,
  SetFeeTiers: setFeeTiers,
  SetExchangeMode: setExchangeMode,
  MoveReserve: moveReserve,
  SetOwnerLimit: setOwnerLimit,
  SetInsuranceShare: setInsuranceShare,
  SetFundDailyMax: setFundDailyMax,
  SetWithdrawalLimits: setWithdrawalLimits,
  SetWithdrawalBrake: setWithdrawalBrake,
  Breach: breach,
  SetRulesVersion: setRulesVersion,
  SetClockFrozen: setClockFrozen,
  EngineStarted: engineStarted,
  KeepNote: keepNote,
  TellPast: publishPast,
  OracleTick: oracleTick as Maker,
  Tick: (() => ({ type: 'Tick' })) as Maker,
} satisfies Readonly<Record<string, Maker>>
