// Account replies: figures, settings and fills.

import { address, decimal, optional, symbol, timeMs } from './field-types.ts'
import { limitOf } from './lists.ts'
import { tradeCause, tradeSide } from './market-replies.ts'
import { Type } from './typebox.ts'

export const account = Type.Object({
  balance: decimal('Cash of the account in USD, without unrealised profit and loss'),
  fee_level: Type.Integer({ description: 'Fee level today' }),
  maker_fee: decimal('Maker fee rate today'),
  taker_fee: decimal('Taker fee rate today'),
  volume_14d: decimal('Whole USD traded in the 14 full UTC days before today, owner-wide'),
  account_equity: decimal('Balance, isolated margin and all open profit and loss'),
  cross_account_equity: decimal('Balance and the open profit and loss of cross positions'),
  available_to_spend: decimal('Cross equity not used as margin'),
  available_to_withdraw: decimal('Withdrawable amount'),
  pending_balance: decimal('Pending withdrawals'),
  total_margin_used: decimal('Initial margin of positions and orders, and isolated margin'),
  cross_mmr: decimal('Maintenance margin of the cross positions'),
  positions_count: Type.Integer({ description: 'Number of open positions' }),
  orders_count: Type.Integer({
    description: 'Number of open orders, including those not yet released to the book',
  }),
  stop_orders_count: Type.Integer({
    description: 'Number of stops, take-profit and stop-loss levels',
  }),
  spot_balances: Type.Array(Type.Object({}), {
    maxItems: 0,
    description: 'Always empty: there are only perpetuals and USD',
  }),
  spot_collateral: Type.Literal('0', { description: 'Always 0: there are no spot balances' }),
  spot_market_value: Type.Literal('0', { description: 'Always 0: there are no spot balances' }),
  pending_interest: Type.Literal('0', { description: 'Always 0: there is no lending' }),
  use_ltp_for_stop_orders: Type.Literal(false, {
    description: 'Always false: without trigger_price_type, stops are triggered by the mark price',
  }),
  updated_at: timeMs('Engine time of the data'),
})

export const settingsQuery = Type.Object({
  account: address('Account address'),
  chosen: optional(
    Type.Boolean({
      description: 'Also markets whose leverage was set to the default, with `leverage_set`',
    }),
  ),
})

export const accountSetting = Type.Object({
  symbol,
  isolated: Type.Boolean({ description: 'Whether new positions have isolated margin' }),
  leverage: Type.Integer({ description: 'Leverage in force' }),
  leverage_set: Type.Optional(
    Type.Boolean({ description: 'With `chosen`: whether the account has set its leverage' }),
  ),
  created_at: timeMs('Time at which this setting was made'),
  updated_at: timeMs('Time at which this setting was made'),
})

export const accountTrade = Type.Object({
  history_id: Type.Integer({ description: 'History id; increases over all accounts' }),
  order_id: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Order that was filled; null if taken over, deleveraged or settled without an order',
  }),
  client_order_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Your own id of the order',
  }),
  symbol,
  amount: decimal('Size'),
  price: decimal('Price'),
  entry_price: decimal('Entry price, as in the history of positions'),
  fee: decimal('Fee charged; negative is a rebate'),
  pnl: decimal('Profit, net of the fee'),
  event_type: Type.Enum(['fulfill_taker', 'fulfill_maker'], { description: 'Role of the account' }),
  side: tradeSide,
  cause: tradeCause,
  created_at: timeMs('Time of the event'),
})

export const LEADERS_MAX = 100

export const leaderboardQuery = Type.Object({
  limit: limitOf({ maximum: LEADERS_MAX, default: LEADERS_MAX, rows: 'rows' }),
})

/** An account of the leaderboard. */
export const leaderboardRow = Type.Object({
  address: Type.String({ description: 'Account address' }),
  username: Type.Null({ description: 'Always null: accounts have no names' }),
  pnl_1d: decimal('Profit of the last 24 hours, with open positions at mark'),
  pnl_7d: decimal('Profit of the last 7 days'),
  pnl_30d: decimal('Profit of the last 30 days'),
  pnl_all_time: decimal('Profit since the account was opened'),
  equity_current: decimal('Current equity, in USD'),
  oi_current: decimal('Value of the open positions at mark, in USD'),
  volume_14d: decimal('Whole USD traded in the 14 full UTC days before today, owner-wide'),
})
