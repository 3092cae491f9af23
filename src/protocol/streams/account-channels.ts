// The channels of an account, except those of its orders: subscriptions and frames.

import type { Declarations } from './declaration.ts'
import type { Fields } from './fields.ts'

export const accountChannels = {
  positions: {
    sources: ['positions', 'account_positions'],
    of: 'account',
    sends: 'state',
    summary: 'All open positions, whenever one changed; with the marks at most every second',
    data: (is: Fields) =>
      is.rows({
        u: is.user,
        s: is.symbol,
        d: is.side('bid is long, ask is short'),
        a: is.decimal('Size'),
        p: is.decimal('Average entry price'),
        m: is.decimal('Margin of an isolated position, as GET /positions has it; cross: "0"'),
        am: is.decimal('Isolated: margin beyond the initial one; cross: 0'),
        f: is.decimal('Funding paid since it was opened; negative was received'),
        i: is.flag('Whether the position has isolated margin'),
        l: is.decimalOrNull('Liquidation price; null: no price liquidates it'),
        lt: is.integerOrNull('The same in ticks'),
        at: is.integer('Rank in deleveraging, 4 is first', { minimum: 0, maximum: 4 }),
        t: is.at,
        li: is.li,
      }),
  },

  accountMmp: {
    sources: ['account_mmp'],
    of: 'account',
    sends: 'state',
    summary: 'Protection of quotes, as in GET /account/mmp: set, tripped, reset or removed',
    data: (is: Fields) =>
      is.rows({
        u: is.user,
        ...is.mmp,
        t: is.at,
        li: is.li,
      }),
  },

  accountQueue: {
    sources: ['account_queue'],
    of: 'account',
    sends: 'state',
    ownersOnly: true,
    summary:
      'Places of the resting orders in the queues of their prices, at most once a second; the ' +
      'newest 200 orders',
    data: (is: Fields) =>
      is.rows({
        u: is.user,
        i: is.orderId,
        s: is.symbol,
        a: is.decimalOrNull('Size at the same price that executes before it; null: not counted'),
        b: is.decimalOrNull('Size at the same price that executes after it; null: not counted'),
        n: is.integerOrNull('Number of orders ahead of it; null: not counted'),
        t: is.at,
        li: is.li,
      }),
  },

  userTradeHistory: {
    sources: ['user_trade_history', 'userTrades', 'account_trades'],
    of: 'account',
    sends: 'events',
    since: true,
    summary: 'Fills of the account',
    data: (is: Fields) =>
      is.rows({
        h: is.integer('History id'),
        i: is.integerOrNull('Order that was filled; null if forced without an order'),
        I: is.clientId,
        u: is.user,
        c: is.address('Address of the other account'),
        s: is.symbol,
        a: is.decimal('Size'),
        p: is.decimal('Price'),
        o: is.decimal('Entry price, as in the history of positions'),
        f: is.decimal('Fee; negative is a rebate'),
        n: is.decimal('Profit, net of the fee'),
        e: is.kind('Effect on the position, force_close_* if forced'),
        te: is.word(['fulfill_maker', 'fulfill_taker'], 'Role of the account'),
        ts: is.closing('What it did to the position'),
        tc: is.cause('Cause of the trade'),
        t: is.at,
        li: is.li,
      }),
  },

  accountData: {
    sources: ['account_data', 'account_info', 'accountBalance'],
    of: 'account',
    sends: 'state',
    summary: 'Balance, equity and margin; with the marks at most every second',
    data: (is: Fields) =>
      is.object({
        u: is.user,
        ae: is.decimal('Equity, with that of isolated positions'),
        ce: is.decimal('Equity of the cross account: balance and the profit of cross positions'),
        as: is.decimal('Spendable'),
        aw: is.decimal('Withdrawable'),
        b: is.decimal('Balance'),
        f: is.integer('Fee tier'),
        mu: is.decimal('Margin used'),
        cm: is.decimal('Maintenance margin of the cross positions'),
        pb: is.decimal('Pending withdrawals'),
        oc: is.integer('Open orders'),
        pc: is.integer('Number of open positions'),
        sc: is.integer('Stops and levels'),
        t: is.at,
        li: is.li,
      }),
  },

  accountMargin: {
    sources: ['account_margin', 'accountMargin'],
    of: 'account',
    sends: 'events',
    summary: 'Changes of the margin mode',
    data: (is: Fields) =>
      is.object({
        u: is.user,
        s: is.symbol,
        i: is.flag('Whether new positions have isolated margin'),
        t: is.at,
      }),
  },

  accountLeverage: {
    sources: ['account_leverage', 'accountLeverage'],
    of: 'account',
    sends: 'events',
    summary: 'Changes of the leverage',
    data: (is: Fields) =>
      is.object({
        u: is.user,
        s: is.symbol,
        l: is.text('Leverage'),
        t: is.at,
      }),
  },

  accountLiquidations: {
    sources: ['account_liquidations'],
    of: 'account',
    sends: 'events',
    summary: 'Liquidation, takeover and deleveraging of the account',
    data: (is: Fields) =>
      is.rows({
        account: is.user,
        event_type: is.word(
          [
            'liquidation_started',
            'market_liquidation',
            'backstop_liquidation',
            'adl_liquidation',
            'insurance_paid',
          ],
          'Event',
        ),
        symbol: is.textOrNull('Market; null: the cross account'),
        amount: is.decimalOrNull('Size; of insurance_paid the money'),
        price: is.decimalOrNull('Price'),
        equity: is.decimalOrNull('At the start: equity …'),
        maintenance_margin: is.decimalOrNull('… below this maintenance margin'),
        created_at: is.at,
        li: is.li,
      }),
  },

  accountTransfers: {
    sources: ['account_transfers'],
    of: 'account',
    sends: 'events',
    summary: 'Deposits, withdrawals and transfers',
    data: (is: Fields) =>
      is.rows({
        account: is.user,
        amount: is.decimal('Negative: it left'),
        balance: is.decimal('Balance after it'),
        pending_balance: is.decimal('Pending withdrawals'),
        event_type: is.word(
          [
            ...['deposit', 'withdraw', 'withdraw_completed', 'withdraw_failed'],
            ...['subaccount_transfer', 'reserve_transfer'],
          ],
          'Event; reserve_transfer: an operator moved money of the exchange',
        ),
        created_at: is.at,
        li: is.li,
      }),
  },
} as const satisfies Declarations
