// A drafted order filled in full, on paper: what crosses now at the prices of the book with the
// taker's fee, what would rest at its own price with the maker's, and what lies behind the last
// order that is looked at (ORDER-2) at its own price with the taker's. Crossing and the rest count
// as one fill each, so that a fee may differ by a micro-dollar per match from what several matches
// charge.

import { feeOf } from '../../units/fee.ts'
import { mulPpmCeil, shareTrunc } from '../../units/rounding.ts'
import type { Ppm, Quote } from '../../units/units.ts'
import { makerPpmOf, takerPpmOf } from '../accounts/fee-tier.ts'
import { initialFraction, requirementOf } from '../accounts/margin.ts'
import { walletShare } from '../accounts/margin-checks.ts'
import { ALO, type Draft, FOK, IOC, TOB } from '../orders/draft.ts'
import { entryLoss } from '../orders/order-life.ts'
import type { State } from '../state/state.ts'
import { dryRun, Taking } from './dry-run.ts'

/** The account in the order's market afterwards. */
export type Afterwards = Readonly<{
  /** Value of the order: at its limit, a market order's at mark. */
  value: number
  fee: number
  /** How much more margin is bound when it has arrived; 0 for an order that only reduces. */
  margin: number
  lots: number
  cost: number
  isolated: boolean
  balance: number
  /** Of an isolated position. */
  wallet: number
}>

/** A position and its money while fills are tried on it. */
type Trial = {
  readonly sign: number
  /** Initial fraction of an isolated position; 0: cross. */
  readonly fraction: number
  lots: number
  cost: number
  wallet: number
  balance: number
  fee: number
}
type Part = Readonly<{ lots: number; value: number; feePpm: number }>

const taking = new Taking()

export function expectedOutcome(state: State, draft: Draft): Afterwards {
  const { accounts, positions } = state
  const { market, account, row, side, sign, price, size, tif } = draft
  if (tif === ALO || tif === TOB) taking.clear()
  else dryRun(state, market, row, side, price, size, taking)
  const rest = tif === FOK || (tif === IOC && !taking.cut) ? 0 : size - taking.lots
  const isolated = positions.isolated[row] === 1
  const trial: Trial = {
    sign,
    fraction: isolated ? initialFraction(market, positions.leverage[row]!) : 0,
    lots: positions.lots[row]!,
    cost: positions.cost[row]!,
    wallet: positions.wallet[row]!,
    balance: accounts.balance[account]!,
    fee: 0,
  }
  const { lots, value, openLots, openValue } = taking
  const takerPpm = takerPpmOf(state, account)
  close(trial, { lots: lots - openLots, value: value - openValue, feePpm: takerPpm })
  open(trial, { lots: openLots, value: openValue, feePpm: takerPpm })
  const moved = isolated ? mulPpmCeil(openValue, trial.fraction) : 0
  const bound = moved + boundMore(state, draft, lots, rest)
  const closing = Math.min(rest, Math.max(0, -trial.lots * sign))
  const limit = price * market.unitValue
  const feePpm = taking.cut ? takerPpm : makerPpmOf(state, account)
  close(trial, { lots: closing, value: closing * limit, feePpm })
  open(trial, { lots: rest - closing, value: (rest - closing) * limit, feePpm })
  return {
    value: size * (draft.isMarket ? market.mark : price) * market.unitValue,
    fee: trial.fee,
    margin: Math.max(0, bound),
    lots: trial.lots,
    cost: trial.cost,
    isolated,
    balance: trial.balance,
    wallet: trial.wallet,
  }
}

/** How far the market's requirement grows when `taken` lots have filled and `rest` are open. */
function boundMore(state: State, draft: Draft, taken: number, rest: number): number {
  const { positions } = state
  const { market, row, side, sign } = draft
  const takerPpm = takerPpmOf(state, draft.account)
  const lots = positions.lots[row]!
  const buys = positions.buys[row]!
  const sells = positions.sells[row]!
  const losses = positions.losses[row]!
  // What is reduce-only reserves nothing (MARGIN-2).
  const open = draft.reduceOnly ? 0 : rest
  const before = requirementOf(state, market, row, lots, buys, sells, losses, takerPpm)
  const after = requirementOf(
    state,
    market,
    row,
    lots + sign * taken,
    buys + (side === 0 ? open : 0),
    sells + (side === 0 ? 0 : open),
    losses + open * entryLoss(market, side, draft.price),
    takerPpm,
  )
  return after - before
}

/** UNITS-2 and MARGIN-6, on the trial. */
function close(trial: Trial, { lots, value, feePpm }: Part): void {
  if (lots === 0) return
  const held = Math.abs(trial.lots)
  const fee = feeOf(value as Quote, feePpm as Ppm)
  const share = shareTrunc(trial.cost, lots, held)
  const gained = -trial.sign * value - share - fee
  trial.cost -= share
  trial.lots += trial.sign * lots
  trial.fee += fee
  if (trial.fraction === 0) {
    trial.balance += gained
    return
  }
  const part = walletShare(trial.wallet, lots, held)
  trial.balance += Math.max(0, part + gained)
  trial.wallet -= part - Math.min(0, part + gained)
}

function open(trial: Trial, { lots, value, feePpm }: Part): void {
  if (lots === 0) return
  const fee = feeOf(value as Quote, feePpm as Ppm)
  const margin = mulPpmCeil(value, trial.fraction)
  trial.lots += trial.sign * lots
  trial.cost += trial.sign * value
  trial.fee += fee
  trial.balance -= margin + fee
  trial.wallet += margin
}
