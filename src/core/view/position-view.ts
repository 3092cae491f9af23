// Positions: with funding settled and valued at mark, or as recorded.

import { divCeil, mulPpmCeil } from '../../units/rounding.ts'
import type { Lots, Ppm, Quote, Ticks, TimeMs } from '../../units/units.ts'
import type { AccountId, MarketId } from '../commands/ids.ts'
import type { MarketParams } from '../commands/market-params.ts'
import { takerPpmOf } from '../margin/fee-tier.ts'
import {
  guardedValue,
  initialFraction,
  initialMargin,
  requirementOf,
  tierOfValue,
  worstLots,
} from '../margin/margin.ts'
import { findRow } from '../margin/position-row.ts'
import { ownerLimitOf, ownerReach } from '../orders/owner-limit.ts'
import { LIVE } from '../state/market.ts'
import type { State } from '../state/state.ts'
import {
  type AccountRow,
  leverageOf,
  owedToBalance,
  rowsOfAccount,
  unrealisedOf,
} from './account-rows.ts'
import { type DeleverageScores, deleverageScore, deleverageScores } from './deleverage-scores.ts'
import { liquidationPrice, type Standing, standingsOf } from './liquidation-price.ts'

export type PositionNumbers = Readonly<{
  market: MarketId
  params: MarketParams
  /** Signed lots; positive for a long. */
  lots: Lots
  cost: Quote
  isolated: boolean
  /** Wallet of an isolated position; 0 for a cross position. */
  wallet: Quote
  unrealised: Quote
  /** Total since the position was opened. Negative: paid. */
  fundingPaid: Quote
  feesPaid: Quote
  /** The wallet of an isolated position; for a cross position its unrealised profit after funding
   *  and fees. */
  margin: Quote
  /** Margin of an isolated position above the initial margin of its cost. */
  addedMargin: Quote
  liquidationPrice: Ticks | null
  openedAt: TimeMs
  updatedAt: TimeMs
}>

/** A recorded position, without unsettled funding. */
export type Holding = Readonly<{
  account: AccountId
  market: MarketId
  /** Signed lots; positive for a long. */
  lots: Lots
  cost: Quote
  isolated: boolean
  /** Wallet of an isolated position; 0 for a cross position. */
  wallet: Quote
}>

/** The requirement of an account for a market (MARGIN-2), and its parts. */
export type Requirement = Readonly<{
  lots: Lots
  /** Open orders that are not reduce-only. */
  buys: Lots
  sells: Lots
  isolated: boolean
  /** Values at mark: the worst case, and the position if it is isolated and has its own margin. */
  worstValue: Quote
  heldValue: Quote
  /** Initial fraction of the tier for the worst case. */
  fractionPpm: Ppm
  takerPpm: Ppm
  /** Margin of the worst case and of the position; the first part of the requirement is their
   *  difference. */
  worstMargin: Quote
  heldMargin: Quote
  fees: Quote
  entryLosses: Quote
  requirement: Quote
}>

/** What a cross position adds to collateral or withholds from withdrawal, in addition to the
 *  displayed values (MARGIN-3, 7). */
export type Backing = Readonly<{
  market: MarketId
  lots: Lots
  /** Unrealised profit at the guarded price. */
  unrealised: Quote
  notional: Quote
  requirement: Quote
  /** The price of the market cannot be trusted, so the position withholds its notional if that is
   *  more. */
  isStale: boolean
}>

/** The worst-case lots of all accounts of one owner in a market, and their limit (ORDER-13). */
export type OwnerInterest = Readonly<{ reach: Lots; limit: Lots }>

export class Positions {
  private readonly state: State

  constructor(state: State) {
    this.state = state
  }

  /** Positions by rising market id. A market without a position is not listed. */
  of(account: number): readonly PositionNumbers[] {
    const { state } = this
    const rows = rowsOfAccount(state, account)
    const held = rows.filter(({ lots }) => lots !== 0)
    const standings = standingsOf(held, state.accounts.balance[account]! + owedToBalance(rows))
    return held.map((row, at) => positionNumbers(state, row, standings[at]!))
  }

  /** Signed lots; 0 if there is no position. */
  lotsOf(account: number, market: number): Lots {
    return this.state.positions.lots[this.rowOf(account, market)]! as Lots
  }

  /** Null if the account has no position in the market. */
  holdingOf(account: number, market: number): Holding | null {
    const row = this.rowOf(account, market)
    return this.state.positions.lots[row] === 0 ? null : holding(this.state, row)
  }

  /** Recorded positions of all accounts. */
  holdings(): readonly Holding[] {
    const { positions } = this.state
    const found: Holding[] = []
    for (let row = 1; row <= positions.count; row++)
      if (positions.lots[row] !== 0) found.push(holding(this.state, row))
    return found
  }

  /** Leverage that was set; 0 for the default. */
  leverageSet(account: number, market: number): number {
    return this.state.positions.leverage[this.rowOf(account, market)]!
  }

  requirementOf(account: number, market: number): Requirement | null {
    const row = this.rowOf(account, market)
    return row === 0 ? null : requirement(this.state, row)
  }

  /** Cross positions, by rising market id. */
  backingOf(account: number): readonly Backing[] {
    return rowsOfAccount(this.state, account)
      .filter(({ isolated, lots }) => !isolated && lots !== 0)
      .map((row) => backing(this.state, row))
  }

  /** Null for an account of the exchange itself, which has no limit. */
  ownerInterest(account: number, id: number): OwnerInterest | null {
    const { accounts, markets } = this.state
    if (accounts.reserved[account] === 1) return null
    const market = markets[id]!
    const owner = accounts.main[account]!
    const reach = ownerReach(this.state, market, owner, 0)
    return { reach: reach as Lots, limit: ownerLimitOf(market, owner) as Lots }
  }

  /** Rank of a position for deleveraging: the higher, the sooner. */
  deleverageScore(account: number, market: number): number {
    const row = this.rowOf(account, market)
    return row === 0 ? 0 : deleverageScore(this.state, row)
  }

  /** Scores of a market's positions. If there are more than `most`, an even sample. */
  deleverageScores(market: number, most: number): DeleverageScores {
    return deleverageScores(this.state, market, most)
  }

  private rowOf(account: number, market: number): number {
    const found = this.state.markets[market]
    return found === undefined ? 0 : findRow(found, account)
  }
}

export type PositionsView = Readonly<Positions>

function positionNumbers(state: State, row: AccountRow, standing: Standing): PositionNumbers {
  const { positions } = state
  const { market, lots, cost, isolated, wallet, owed } = row
  const unrealised = unrealisedOf(row)
  const fundingPaid = positions.fundingPaid[row.row]! - owed
  const feesPaid = positions.feesPaid[row.row]!
  const initial = divCeil(Math.abs(cost), leverageOf(state, row))
  return {
    market: market.id as MarketId,
    params: market.params,
    lots: lots as Lots,
    cost: cost as Quote,
    isolated,
    wallet: (isolated ? wallet : 0) as Quote,
    unrealised: unrealised as Quote,
    fundingPaid: fundingPaid as Quote,
    feesPaid: feesPaid as Quote,
    margin: (isolated ? wallet : unrealised - fundingPaid - feesPaid) as Quote,
    addedMargin: (isolated ? Math.max(0, wallet - initial) : 0) as Quote,
    liquidationPrice: liquidationPrice(standing),
    openedAt: positions.openedAt[row.row]! as TimeMs,
    updatedAt: positions.updatedAt[row.row]! as TimeMs,
  }
}

function holding({ positions }: State, row: number): Holding {
  const isolated = positions.isolated[row] === 1
  return {
    account: positions.account[row]! as AccountId,
    market: positions.market[row]! as MarketId,
    lots: positions.lots[row]! as Lots,
    cost: positions.cost[row]! as Quote,
    isolated,
    wallet: (isolated ? positions.wallet[row]! : 0) as Quote,
  }
}

function backing(state: State, { row, market, lots, cost }: AccountRow): Backing {
  const value = guardedValue(market, lots)
  return {
    market: market.id as MarketId,
    lots: lots as Lots,
    unrealised: (value - cost) as Quote,
    notional: (Math.abs(lots) * market.lotValue) as Quote,
    requirement: requirement(state, row).requirement,
    isStale: market.health !== LIVE,
  }
}

function requirement(state: State, row: number): Requirement {
  const { positions } = state
  const market = state.markets[positions.market[row]!]!
  const lots = positions.lots[row]!
  const buys = positions.buys[row]!
  const sells = positions.sells[row]!
  const losses = positions.losses[row]!
  const isolated = positions.isolated[row] === 1
  const takerPpm = takerPpmOf(state, positions.account[row]!)
  const leverage = positions.leverage[row]!
  const worstValue = worstLots(lots, buys, sells) * market.lotValue
  const heldValue = isolated ? Math.abs(lots) * market.lotValue : 0
  const openValue = Math.max(buys, sells) * market.lotValue
  const { maxLeverage } = tierOfValue(market, worstValue)
  const setting = leverage === 0 ? maxLeverage : Math.min(leverage, maxLeverage)
  return {
    lots: lots as Lots,
    buys: buys as Lots,
    sells: sells as Lots,
    isolated,
    worstValue: worstValue as Quote,
    heldValue: heldValue as Quote,
    fractionPpm: initialFraction(market, setting) as Ppm,
    takerPpm: takerPpm as Ppm,
    worstMargin: initialMargin(market, leverage, worstValue) as Quote,
    heldMargin: initialMargin(market, leverage, heldValue) as Quote,
    fees: mulPpmCeil(openValue, takerPpm) as Quote,
    entryLosses: (losses * market.unitValue) as Quote,
    requirement: requirementOf(state, market, row, lots, buys, sells, losses, takerPpm) as Quote,
  }
}
