// What an account has: its numbers and its positions.

import { accountNumbers } from '../../projections/current/account-numbers.ts'
import { leverageOf, rowsOfAccount } from '../../projections/current/account-rows.ts'
import { type PositionNumbers, positionsOf } from '../../projections/current/positions.ts'
import { declared } from '../../protocol/streams/channels.ts'
import { divCeil } from '../../units/rounding.ts'
import type { Owner, Watch } from '../accounts/watch.ts'
import { averagePriceText, moneyText, priceText, sizeText } from '../market-text.ts'
import { type Row, stateChannel } from './account-channel.ts'

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

export const accountStateChannels = {
  accountData: stateChannel(declared.accountData, accountRow, { stamps: true }),
  positions: stateChannel(declared.positions, positionRows, { stamps: true }),
}

function accountRow(watch: Watch): Row {
  const { account } = watch
  const { state, address } = watch.owner()
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

function positionRows(watch: Watch): Row[] {
  const { account, ranks } = watch
  if (account === 0) return []
  const owner = watch.owner()
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
