// What an operator looks at: markets as they were written, accounts as their owners see them, fees,
// and who holds tokens.

import type { AccountId, MarketView } from '../../core/index.ts'
import { adminScopes } from '../../protocol/admin-scopes.ts'
import { routeSchemas } from '../../protocol/route-schemas.ts'
import { address, optional } from '../../protocol/schemas/field-types.ts'
import { limitOf } from '../../protocol/schemas/lists.ts'
import { marketChange } from '../../protocol/schemas/markets/parameters.ts'
import { type TSchema, Type } from '../../protocol/schemas/typebox.ts'
import { marketStatuses } from '../../protocol/words.ts'
import { formatGrid } from '../../units/decimal.ts'
import type { Exchange } from '../exchange.ts'
import { microPriceText, moneyText, ppbText, ppmText, priceText, sizeText } from '../market-text.ts'
import { accountWire } from '../operations/account/get-account.ts'
import { positionWire } from '../operations/contract/get-positions.ts'
import { openOrderWire } from '../operations/orders/get-open-orders.ts'
import { priceAgeOf } from '../price-health.ts'
import { admin } from './admin-operation.ts'
import { changeWire } from './market-fields.ts'
import { accountIn, noteOn } from './venue-operations.ts'

const word = (description: string) => Type.String({ description })

export const getMarkets = admin({
  name: 'get_markets',
  http: 'GET /markets',
  scope: 'read',
  summary: 'List all markets with status, parameters and announced changes',
  request: Type.Object({}),
  reply: Type.Array(
    Type.Object({
      symbol: Type.String(),
      market_id: Type.Integer(),
      base_asset: Type.String(),
      status: word(Object.keys(marketStatuses).join(', ')),
      mode: word('The stricter of its own mode and that of the exchange'),
      price_state: word('What its price allows: live, catching_up, stale, cancel_only'),
      price_age_ms: Type.Integer({
        description: 'Age of its newest price at the newest entry of the journal',
      }),
      mark: Type.String(),
      oracle: Type.String(),
      open_interest: word('Base units'),
      open_interest_value: word('USD at mark'),
      funding_rate: word('Of the last full hour'),
      tick_size: Type.String(),
      lot_size: Type.String(),
      isolated_only: Type.Boolean(),
      backstop_address: Type.String(),
      params: { ...marketChange, description: 'In the form of /markets/change' },
      pending_changes: Type.Array(
        Type.Object({
          change_id: Type.Integer(),
          effective_at: Type.Integer(),
          change: marketChange,
        }),
      ),
    }),
  ),
  handle: ({ exchange }) =>
    exchange.view.markets.all().map((market) => marketWire(exchange, market)),
})

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

const standing = Type.Object({
  account: Type.String(),
  frozen: Type.Boolean(),
  balance: Type.String(),
  equity: word('Cross and isolated together'),
  positions: Type.Integer(),
  orders: Type.Integer(),
  margin_ratio: Type.Union([
    word('Lowest equity over maintenance; below 1: liquidated'),
    Type.Null(),
  ]),
  margin_scope: Type.Union([word('Of what: cross, or an isolated market'), Type.Null()]),
})

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

const ACCOUNTS_LIMIT = 50

export const findAccounts = admin({
  name: 'find_accounts',
  http: 'GET /accounts',
  scope: 'read',
  summary:
    'Search accounts by a part of the address, oldest first, or list those nearest to ' +
    'liquidation',
  request: Type.Object({
    query: optional(Type.String({ maxLength: 64, description: 'Part of an address' })),
    order: optional(Type.Enum(['opened', 'margin_ratio'], { description: '(default: opened)' })),
    limit: limitOf({ maximum: 500, default: ACCOUNTS_LIMIT, rows: 'accounts' }),
  }),
  reply: Type.Object({
    found: Type.Integer({ description: 'Number of accounts, including those beyond limit' }),
    accounts: Type.Array(standing),
  }),
  handle({ request: { query, order, limit }, exchange }) {
    const found = foundIn(exchange, query ?? '')
    const wanted = order === 'margin_ratio' ? byRatio(exchange, found) : found
    const shown = wanted.slice(0, limit ?? ACCOUNTS_LIMIT)
    return {
      found: wanted.length,
      accounts: shown.map((account) => standingWire(exchange, account)),
    }
  },
})

/** Those of the exchange itself are among its reserves. */
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

const { get_account, get_positions, get_open_orders } = routeSchemas
const rowsIn = (schema: TSchema) =>
  (schema as unknown as { properties: { rows: TSchema } }).properties.rows

export const showAccount = admin({
  name: 'show_account',
  http: 'GET /accounts/show',
  scope: 'read',
  summary:
    'Show an account as its owner sees it: money, margin, positions, open orders, pending ' +
    'withdrawals',
  request: Type.Object({ account: address('Whose') }),
  reply: Type.Object({
    ...standing.properties,
    money: get_account.reply,
    positions_held: get_positions.reply,
    open_orders: rowsIn(get_open_orders.reply),
    withdrawals: Type.Array(Type.Object({ withdrawal_id: Type.Integer(), amount: Type.String() }), {
      description: 'Pending ones',
    }),
    note: Type.Union([Type.String(), Type.Null()], { description: 'Note of an operator' }),
    subaccounts: Type.Array(Type.String()),
    agents: Type.Array(Type.String()),
  }),
  handle({ request, exchange }) {
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
})

export const getFeeTiers = admin({
  name: 'get_fee_tiers',
  http: 'GET /fees',
  scope: 'read',
  summary: 'Show the fee tiers in force, in the form of POST /fees',
  request: Type.Object({}),
  reply: Type.Object({
    tiers: Type.Array(
      Type.Object({
        volume: Type.Integer({ description: 'Whole USD in 14 days' }),
        maker_fee_rate: Type.String(),
        taker_fee_rate: Type.String(),
      }),
    ),
  }),
  handle: ({ exchange: { view } }) => ({
    tiers: view.money.feeTiers.map(({ volumeDollars, makerPpm, takerPpm }) => ({
      volume: volumeDollars,
      maker_fee_rate: ppmText(makerPpm),
      taker_fee_rate: ppmText(takerPpm),
    })),
  }),
})

export const getTokens = admin({
  name: 'get_tokens',
  http: 'GET /tokens',
  scope: 'read',
  summary: 'List the holders of admin tokens and their scopes, without the tokens',
  request: Type.Object({}),
  reply: Type.Array(
    Type.Object({
      name: Type.String(),
      scopes: Type.Array(Type.Enum([...adminScopes])),
      yours: Type.Boolean({ description: 'The token of this request' }),
    }),
  ),
  handle: ({ tokens, by }) =>
    tokens.map(({ name, scopes }) => ({ name, scopes: [...scopes], yours: name === by.who })),
})
