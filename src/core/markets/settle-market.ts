// Settles a market at a price and closes it permanently (MARKET-4).

import { broken } from '../../units/invariant.ts'
import { marketRefusal } from '../admission/admit.ts'
import { stopAlgo } from '../algos/stop-algo.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { settlePool } from '../funding/settle-funding.ts'
import { Fill, SHARE_LEAVES } from '../margin/fill.ts'
import { logFills } from '../matching/log-fills.ts'
import { settleFill } from '../matching/settle-fill.ts'
import { cancelLive } from '../oco/end-leg.ts'
import { followPosition } from '../orders/follow-position.ts'
import { endKept } from '../orders/kept-actions.ts'
import { MARKET_CLOSED } from '../orders/order-life.ts'
import { INSURANCE } from '../pools/account-pool.ts'
import { coverBalance, coverWallet } from '../solvency/insurance.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { overburdened } from './grid.ts'

export function settleMarket(
  state: State,
  log: EventLog,
  command: CommandOf<'SettleMarket'>,
): Rejection | null {
  const refusal = marketRefusal(state, command.market)
  if (refusal !== null) return refusal
  const market = state.markets[command.market]!
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const invalid = settlementRefusal(state, market, command.price)
  if (invalid !== null) return invalid
  market.settled = true
  log.write({ type: 'MarketSettled', market: market.id, price: command.price })
  settlePool(state, log, market)
  endOrders(state, log, market)
  for (const account of market.rowOf.keys()) {
    const row = market.rowOf[account]!
    if (row !== 0 && state.positions.lots[row] !== 0)
      closePosition(state, log, market, row, command.price)
  }
  const { openInterest, bids, asks } = market
  if (openInterest !== 0) broken('a settled market has open interest', openInterest)
  if (bids.count + asks.count !== 0)
    broken('a settled market has price levels', bids.count + asks.count)
  return null
}

/** Any whole tick is valid, so that a market whose price has left its grid can be settled. */
function settlementRefusal(state: State, market: Market, price: number): Rejection | null {
  if (!Number.isSafeInteger(price)) return refuse('INVALID_TICK_SIZE', 0)
  const { tickMaxMost } = state.rules.limits
  if (price < 1 || price > tickMaxMost) return refuse('INVALID_TICK_LEVEL', price, 1, tickMaxMost)
  const burdened = overburdened(state, market, price)
  return burdened === 0 ? null : refuse('INVALID_PARAMETER', burdened)
}

function endOrders(state: State, log: EventLog, market: Market): void {
  const { orders } = state
  const ids: number[] = []
  for (let slot = 1; slot <= orders.used; slot++)
    if (orders.id(slot) !== 0 && orders.market(slot) === market.id) ids.push(orders.id(slot))
  for (const trigger of state.triggers.values())
    if (trigger.market === market.id) ids.push(trigger.id)
  for (const id of ids.sort((one, other) => one - other))
    if (orders.slotOf(id) !== 0 || state.triggers.has(id)) cancelLive(state, log, id, MARKET_CLOSED)
  for (const algo of [...state.algos.values()])
    if (algo.market === market.id) stopAlgo(state, log, algo, 'market_closed')
  endKept(state, log, 'market_closed', (action) => action.market === market.id)
  market.changes = []
  market.setParams(market.params)
}

const fill = new Fill()

function closePosition(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  price: number,
): void {
  const { positions } = state
  const lots = positions.lots[row]!
  fill.lots = Math.abs(lots)
  fill.price = price
  fill.value = fill.lots * price * market.unitValue
  fill.feePpm = 0
  fill.feeToFund = false
  fill.wallets = SHARE_LEAVES
  const sign = lots > 0 ? -1 : 1
  settleFill(state, log, market, row, sign, fill)
  const side = {
    counterparty: INSURANCE,
    role: 'taker',
    cause: 'settlement',
    forced: false,
  } as const
  logFills(state, log, market, row, sign, fill, side)
  followPosition(state, log, row, lots)
  if (positions.isolated[row] === 1) coverWallet(state, log, row)
  else coverBalance(state, log, positions.account[row]!)
}
