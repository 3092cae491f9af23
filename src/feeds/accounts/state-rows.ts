// The present of an account as rows: positions and balances. Without the time and place, so that
// two of them can be compared; those are added when they are told.

import { accountNumbers } from '../../projections/current/account-numbers.ts'
import { leverageOf, rowsOfAccount } from '../../projections/current/account-rows.ts'
import { type PositionNumbers, positionsOf } from '../../projections/current/positions.ts'
import { divCeil } from '../../units/rounding.ts'
import { averagePriceText, moneyText, priceText, sizeText } from '../market-text.ts'
import type { DeleverageRanks } from './deleverage-ranks.ts'
import type { Owner } from './rows.ts'

type Row = Readonly<Record<string, unknown>>

const none = {
  ae: '0',
  ce: '0',
  as: '0',
  aw: '0',
  b: '0',
  f: 0,
  mu: '0',
  cm: '0',
  pb: '0',
  oc: 0,
  pc: 0,
  sc: 0,
}

/** `account` 0: the address has none yet. */
export function accountRow({ state, address }: Owner, account: number): Row {
  if (account === 0) return { u: address, ...none }
  const numbers = accountNumbers(state, account)
  return {
    u: address,
    ae: moneyText(numbers.equity),
    ce: moneyText(numbers.crossEquity),
    as: moneyText(numbers.spendable),
    aw: moneyText(numbers.withdrawable),
    b: moneyText(numbers.balance),
    f: numbers.feeTier,
    mu: moneyText(numbers.marginUsed),
    cm: moneyText(numbers.crossMaintenance),
    pb: moneyText(numbers.pending),
    oc: numbers.orders,
    pc: numbers.positions,
    sc: numbers.stops,
  }
}

export function positionRows(owner: Owner, account: number, ranks: DeleverageRanks): Row[] {
  if (account === 0) return []
  return positionsOf(owner.state, account).map((position) => {
    const rank = ranks.of(owner.state, account, position.market)
    return positionRow(owner, account, position, rank)
  })
}

function positionRow(owner: Owner, account: number, position: PositionNumbers, rank: number): Row {
  const { params, lots, cost, isolated, liquidationPrice } = position
  return {
    u: owner.address,
    s: params.symbol,
    d: lots > 0 ? 'bid' : 'ask',
    a: sizeText(params, Math.abs(lots)),
    p: averagePriceText(params, cost, lots),
    m: moneyText(marginOf(position)),
    am: isolated ? moneyText(addedMargin(owner, account, position)) : '0',
    f: moneyText(position.fundingPaid),
    i: isolated,
    l: liquidationPrice === null ? null : priceText(params, liquidationPrice),
    lt: liquidationPrice,
    at: rank,
  }
}

/** As GET /positions has it: an isolated position has its own money, a cross one its earnings. */
function marginOf({ isolated, wallet, unrealised, fundingPaid, feesPaid }: PositionNumbers) {
  return isolated ? wallet : unrealised - fundingPaid - feesPaid
}

/** What an isolated position has beyond the initial margin of its cost. */
function addedMargin({ state }: Owner, account: number, position: PositionNumbers): number {
  const row = rowsOfAccount(state, account).find(({ market }) => market.id === position.market)!
  const initial = divCeil(Math.abs(position.cost), leverageOf(state, row))
  return Math.max(0, position.wallet - initial)
}
