// Queries of operators: markets with all parameters, accounts as their owners see them, fees, and
// token holders.

import type { AccountId, MarketView } from '../../core/index.ts'
import {
  microPriceText,
  moneyText,
  ppbText,
  ppmText,
  priceText,
  sizeText,
} from '../../projections/market-text.ts'
import { ACCOUNTS_LIMIT } from '../../protocol/admin/operations/account-operations.ts'
import { formatGrid } from '../../units/decimal.ts'
import type { Exchange } from '../exchange.ts'
import { accountWire } from '../operations/account/get-account.ts'
import { positionWire } from '../operations/contract/get-positions.ts'
import { openOrderWire } from '../operations/orders/get-open-orders.ts'
import { changeWire } from '../parameters/market-fields.ts'
import { priceAgeOf } from '../price-health.ts'
import type { AdminAnswers } from './admin-operation.ts'
import { accountIn, noteOn } from './venue-operations.ts'

const stepText = ({ value, scale }: { value: number; scale: number }) =>
  formatGrid(1, { stepValue: value, stepScale: scale })

function marketWire(exchange: Exchange, market: MarketView) {
  const { params } = market
  return {
    symbol: params.symbol,
    market_id: market.id,
    base_asset: params.baseAsset,
    status: market.status,
    mode: market.mode,
    price_state: market.priceState,
    price_age_ms: priceAgeOf(exchange, market),
    mark: priceText(params, market.mark),
    oracle: microPriceText(params, market.oracle),
    open_interest: sizeText(params, market.openInterest),
    open_interest_value: moneyText(market.openInterest * market.lotValue),
    funding_rate: ppbText(market.fundingRate),
    tick_size: stepText(params.tickSize),
    lot_size: stepText(params.lotSize),
    isolated_only: params.isolatedOnly,
    backstop_address: params.backstopAddress,
    params: changeWire(params, params),
    pending_changes: market.announcedChanges.map(({ id, at, change }) => ({
      change_id: id,
      effective_at: at,
      change: changeWire(change, params),
    })),
  }
}

function standingWire({ view }: Exchange, account: number) {
  const { balance, equity, positions, orders } = view.accounts.numbersOf(account)
  const nearest = view.accounts.nearestOf(account)
  const scope = nearest?.scope ? view.markets.paramsOf(nearest.scope).symbol : 'cross'
  return {
    account: view.accounts.addressOf(account),
    frozen: view.accounts.isFrozen(account),
    balance: moneyText(balance),
    equity: moneyText(equity),
    positions,
    orders,
    margin_ratio: nearest === null ? null : ppbText(nearest.ratio),
    margin_scope: nearest === null ? null : scope,
  }
}

/** Searches accounts. The exchange's own accounts are not included; they are listed as reserves. */
function foundIn({ view: { accounts } }: Exchange, part: string): readonly number[] {
  const found: number[] = []
  for (let account = 1; account <= accounts.count; account++)
    if (!accounts.isReserved(account) && accounts.addressOf(account).includes(part))
      found.push(account)
  return found
}

function byRatio({ view: { accounts } }: Exchange, found: readonly number[]): readonly number[] {
  const near = found.flatMap((account) => {
    const ratio = accounts.nearestOf(account)?.ratio
    return ratio === undefined ? [] : { account, ratio }
  })
  near.sort((one, other) => one.ratio - other.ratio || one.account - other.account)
  return near.map(({ account }) => account)
}

export const lookAnswers = {
  get_markets: ({ exchange }) =>
    exchange.view.markets.all().map((market) => marketWire(exchange, market)),
  find_accounts({ request: { query, order, limit }, exchange }) {
    const found = foundIn(exchange, query ?? '')
    const wanted = order === 'margin_ratio' ? byRatio(exchange, found) : found
    const shown = wanted.slice(0, limit ?? ACCOUNTS_LIMIT)
    return {
      found: wanted.length,
      accounts: shown.map((account) => standingWire(exchange, account)),
    }
  },
  show_account({ request, exchange }) {
    const { view } = exchange
    const account = accountIn(exchange, request.account)
    const { accounts, money, positions, orders, markets } = view
    return {
      ...standingWire(exchange, account),
      money: { ...accountWire(accounts.numbersOf(account)), updated_at: view.atMs },
      positions_held: positions.of(account).map(positionWire),
      open_orders: orders
        .openOf(account)
        .map((row) => openOrderWire(markets.paramsOf(row.market), row)),
      withdrawals: money
        .withdrawals()
        .filter((each) => each.account === (account as AccountId))
        .map(({ withdrawal, amount }) => ({
          withdrawal_id: withdrawal,
          amount: moneyText(amount),
        })),
      note: noteOn(view.notes, request.account),
      subaccounts: accounts
        .subaccountsOf(account)
        .map(({ account: sub }) => accounts.addressOf(sub)),
      agents: accounts.agentsOf(account).map(({ address: agent }) => agent),
    }
  },
  get_fee_tiers: ({ exchange: { view } }) => ({
    tiers: view.money.feeTiers.map(({ volumeDollars, makerPpm, takerPpm }) => ({
      volume: volumeDollars,
      maker_fee_rate: ppmText(makerPpm),
      taker_fee_rate: ppmText(takerPpm),
    })),
  }),
  get_tokens: ({ tokens, by }) =>
    tokens.map(({ name, scopes }) => ({ name, scopes: [...scopes], yours: name === by.who })),
} satisfies Partial<AdminAnswers>
