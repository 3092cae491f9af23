// A small stage for tests of the naive engine: the three markets of the worked numbers (UNITS-5), a
// sequencer, and short ways to say the commands that scenes are made of.

import type { Command } from '../../src/core/commands/commands.ts'
import type { MarketParams } from '../../src/core/commands/market-params.ts'
import type { Event, EventOf, EventType } from '../../src/core/events/event-fields.ts'
import type { Side, Tif } from '../../src/words/order-words.ts'
import type { AccountView, PositionView } from '../support/picture.ts'
import { applyNaive, createNaive, type Naive } from './engine.ts'
import { viewOfNaive } from './picture.ts'

export const BTC = 1
export const ETH = 2
export const SOL = 3
export const START = 1_700_002_800_000 // a full hour

const steps: Record<string, [number, number][]> = {
  BTC: [
    [1, 0],
    [1, 5],
  ],
  ETH: [
    [1, 1],
    [1, 3],
  ],
  SOL: [
    [1, 2],
    [1, 2],
  ],
}

export function paramsOf(symbol: string, change: Record<string, unknown> = {}): MarketParams {
  const [tick, lot] = steps[symbol] ?? steps.BTC ?? []
  const params = {
    symbol,
    baseAsset: symbol,
    tickSize: { value: tick?.[0], scale: tick?.[1] },
    lotSize: { value: lot?.[0], scale: lot?.[1] },
    tickMin: 1,
    tickMax: 1_000_000,
    leverageMax: 50,
    isolatedOnly: false,
    orderValueMin: 1_000_000,
    orderValueMax: 1_000_000_000_000,
    bandNearPpm: 1_000_000,
    bandFarPpm: 1_000_000,
    speedBumpMs: 0,
    openInterestMax: 2 ** 40,
    ownerInterestMax: 2 ** 52,
    openInterestLower: 0,
    openInterestUpper: 0,
    riskTiers: [],
    impactValue: 20_000_000_000,
    fundingSamplesMin: 360,
    staleAfterMs: 10_000,
    observedWithinMs: 1_000,
    minSources: 2,
    backstopAddress: `backstop-${symbol}`,
    backstopValueMax: 2 ** 50,
    backstopDailyLossMax: 2 ** 50,
    liquidationFeePartPpm: 400_000,
    liquidationFeePpmMax: 7_500,
    liquidationConcessionPpm: 500_000,
    liquidationDryMax: 3,
    liquidationStepMax: 100_000_000_000,
    ...change,
  }
  return params as unknown as MarketParams
}

export type Scene = {
  naive: Naive
  now: number
  /** Of the next commands (CORE-6). */
  stamp?: number
  ids: Record<string, number>
}

export const paidTiers = [{ volumeDollars: 0, makerPpm: 150, takerPpm: 400 }]
export const freeTiers = [{ volumeDollars: 0, makerPpm: 0, takerPpm: 0 }]

export function newScene(change: Record<string, unknown> = {}): Scene {
  const genesis = {
    feesAddress: 'fees',
    insuranceAddress: 'insurance',
    deficitAddress: 'deficit',
    feeTiers: paidTiers,
    pricesMayStand: true,
  }
  const scene = { naive: createNaive(genesis as never), now: START, ids: {} }
  const marks = { BTC: 60_000, ETH: 30_000, SOL: 30_000 }
  for (const [symbol, mark] of Object.entries(marks)) {
    const params = paramsOf(symbol, change)
    run(scene, { type: 'ListMarket', params, oracle: mark * 1_000_000 })
  }
  return scene
}

/** Any command at all, also a malformed one. */
export function run(scene: Scene, command: Record<string, unknown>): Event[] {
  const sequenced = {
    seq: scene.naive.seq + 1,
    atMs: scene.now,
    stampMs: scene.stamp,
    command: command as unknown as Command,
  }
  return applyNaive(scene.naive, sequenced as never)
}

export function deposit(scene: Scene, name: string, amount: number): number {
  const reference = `${name}-${scene.naive.seq}`
  run(scene, { type: 'Deposit', address: name, amount, reference })
  const account = scene.naive.accounts.find((one) => one.address === name)
  scene.ids[name] = account?.id ?? 0
  return scene.ids[name]
}

export function setFees(scene: Scene, tiers: typeof paidTiers): void {
  run(scene, { type: 'SetFeeTiers', tiers })
}

export type Wish = {
  market: number
  side: Side
  price: number
  size: number
  tif?: Tif
  reduceOnly?: boolean
  clientOrderId?: string | null
  takeProfit?: unknown
  stopLoss?: unknown
}

export function place(scene: Scene, name: string, wish: Wish): Event[] {
  return run(scene, {
    type: 'PlaceOrder',
    account: scene.ids[name],
    proof: null,
    tif: 'GTC',
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
    ...wish,
  })
}

/** The maker rests, the taker takes it all. */
export function deal(
  scene: Scene,
  sides: { maker: string; taker: string; takerSide: Side },
  at: { market: number; price: number; size: number },
): Event[] {
  const makerSide = sides.takerSide === 'bid' ? 'ask' : 'bid'
  const made = place(scene, sides.maker, { ...at, side: makerSide, tif: 'ALO' })
  const taken = place(scene, sides.taker, { ...at, side: sides.takerSide, tif: 'IOC' })
  return [...made, ...taken]
}

/** Sets oracle and mark to whole ticks. */
export function setMark(scene: Scene, market: number, ticks: number): Event[] {
  const price = ticks * 1_000_000
  return run(scene, { type: 'OracleTick', market, price, observedAtMs: null, jump: true })
}

export function only<T extends EventType>(events: Event[], type: T): EventOf<T>[] {
  return events.filter((event) => event.type === type) as unknown as EventOf<T>[]
}

export function accountView(scene: Scene, id: number | undefined): AccountView {
  const found = viewOfNaive(scene.naive).accounts.find((one) => one.account === id)
  if (!found) throw new Error(`no account ${id}`)
  return found
}

export function balance(scene: Scene, name: string): number {
  return accountView(scene, scene.ids[name]).balance
}

export function position(scene: Scene, name: string, market: number): PositionView | undefined {
  return accountView(scene, scene.ids[name]).positions.find((one) => one.market === market)
}
