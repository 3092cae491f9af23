// Channels of account states: figures and positions.

import type { PositionNumbers } from '../../core/index.ts'
import { averagePriceText, moneyText, priceText, sizeText } from '../../projections/market-text.ts'
import type { Sight } from '../../projections/sight.ts'
import { declared } from '../../protocol/streams/channels.ts'
import { mmpRows } from '../accounts/mmp-rows.ts'
import { numbersSeen } from '../accounts/numbers-seen.ts'
import type { Owner, Watch } from '../accounts/watch.ts'
import { QueueAllowance } from '../queue-text.ts'
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

/** Of this process, whose thread it protects. */
const queueAllowance = new QueueAllowance()
/** Maximum number of orders in a frame of places. */
const queueRowsMax = 200

export const accountStateChannels = {
  accountData: stateChannel(declared.accountData, accountRow, { stamps: true }),
  positions: stateChannel(declared.positions, positionRows, { stamps: true }),
  accountMmp: stateChannel(declared.accountMmp, protectionRows, { stamps: true }),
  accountQueue: stateChannel(declared.accountQueue, queueRows, {
    stamps: true,
    everyMs: 1_000,
    isOpen: (nowMs) => queueAllowance.isOpen(nowMs),
  }),
}

function accountRow(watch: Watch, sight: Sight): Row {
  const { account } = watch
  const { view, address } = watch.owner()
  if (account === 0) return { u: address, ...none }
  const numbers = numbersSeen(view, account, sight)
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
  return owner.view.positions.of(account).map((position) => {
    const rank = ranks.of(owner.view, account, position.market)
    return positionRow(owner, position, rank)
  })
}

function protectionRows(watch: Watch): Row[] {
  const { view, address } = watch.owner()
  return mmpRows(view, watch.account).map((row) => ({ u: address, ...row }))
}

function queueRows(watch: Watch): Row[] {
  const { account } = watch
  if (account === 0) return []
  const { view, address } = watch.owner()
  const queues = view.orders.queues()
  const { stepsLeft } = queues
  const rows: Row[] = []
  for (const { order, market } of view.orders.openOf(account)) {
    const position = queues.of(order)
    if (position === undefined) continue
    const params = view.markets.paramsOf(market)
    rows.push({
      u: address,
      i: order,
      s: params.symbol,
      a: position === null ? null : sizeText(params, position.ahead),
      b: position === null ? null : sizeText(params, position.behind),
      n: position?.ordersAhead ?? null,
    })
    if (rows.length === queueRowsMax) break
  }
  queueAllowance.spend(stepsLeft - queues.stepsLeft)
  return rows
}

function positionRow(owner: Owner, position: PositionNumbers, rank: number): Row {
  const { params, lots, cost, isolated, liquidationPrice } = position
  return {
    u: owner.address,
    s: params.symbol,
    d: lots > 0 ? 'bid' : 'ask',
    a: sizeText(params, Math.abs(lots)),
    p: averagePriceText(params, cost, lots),
    m: isolated ? moneyText(position.margin) : '0',
    am: moneyText(position.addedMargin),
    f: moneyText(position.fundingPaid),
    i: isolated,
    l: liquidationPrice === null ? null : priceText(params, liquidationPrice),
    lt: liquidationPrice,
    at: rank,
  }
}
