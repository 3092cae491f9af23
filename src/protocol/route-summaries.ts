// A summary of each route of routes.ts, for the documents and the command line.

import type { RouteName } from './routes.ts'

export const routeSummaries: Readonly<Record<RouteName, string>> = {
  get_positions: 'Current positions of an account; an address never seen has none',
  get_position_history: 'Changes of positions, newest first, of one account or of all',
  get_info: 'Specifications of all markets, oldest first',
  get_prices: 'Prices of all markets, oldest first',
  get_fees: 'Fee levels',
  get_risk: 'Status and risk parameters of markets, reserves of the exchange, and its limits',
  get_reserves: 'The newest proof of reserves: root, sums and its journal entry',
  get_venue: 'Id of this exchange, for signed texts',
  get_time: 'Time of the machine and of the exchange',
  get_book: 'Best levels of a book, optionally aggregated on a coarser grid',
  get_trades: 'Trades of a market by time, newest first, one row per match',
  get_candles: 'Candles of trades, oldest first, without a gap; the present interval is the last',
  get_mark_candles: 'Candles of the mark price, oldest first, without a gap',
  get_funding_rates: 'Funding rates of a market hour by hour, newest first',
  get_open_interest_history:
    'Open interest of a market interval by interval, newest first, without a gap',
  get_index_price_history:
    'Index price of a market interval by interval, newest first, without a gap',
  get_liquidations:
    'Positions closed by force, newest first, of one market or of all; accounts are not named',
  get_account: 'Balance, equity, margin and fees of an account',
  get_account_settings: 'Margin mode and leverage where they differ from the defaults',
  get_mmp:
    'Protection of the quotes of an account by market, and whether they are frozen; on other ' +
    'markets orders with mmp are not protected',
  get_trade_history: 'Fills of an account, newest first',
  get_funding_history: 'Funding payments of an account, newest first',
  get_balance_history:
    'Every change of an account’s balance, newest first; the amounts add up to it',
  get_portfolio:
    'Equity of an account over time, oldest first, evenly spaced; the last point is now',
  get_open_orders:
    'Open orders, waiting ones, stops and take-profit or stop-loss levels, newest first',
  get_order_history: 'Orders of an account as they are now or as they ended, newest first',
  get_order_events:
    'All events of one order, newest first; for a chase or an iceberg its placement, fills ' +
    'and end',
  get_twap_orders: 'Running TWAPs of an account, newest first',
  get_twap_history: 'TWAPs of an account as they are now or as they ended, newest first',
  get_twap_events: 'All events of one TWAP, newest first',
  get_algo_orders: 'Running chases and icebergs of an account, newest first',
  get_algo_history:
    'Chases and icebergs of an account as they are now or as they ended, newest first',
  get_leaderboard: 'The accounts with the highest equity, with their profit; at most a second old',
  get_spot_assets: 'Spot assets: always empty',
  get_spot_bridges: 'Bridges of spot assets: always empty',
  get_spot_balance_history: 'Changes of spot balances: always empty',
  get_spot_deposits: 'Deposits of spot assets: always empty',
  get_spot_withdrawals: 'Withdrawals of spot assets: always empty',
  get_pending_spot_withdrawals: 'Withdrawals of spot assets that are under way: always empty',
  get_loan_pools: 'Loan pools: always empty',
  get_account_loans: 'Loans of an account: always empty',
  get_vaults: 'Vaults: always empty',
  preview_order:
    'Preview an order: whether it would be accepted, cost, margin, and the maximum size',
  batch_orders:
    'Run up to fifty order actions in one request, under one signature, or ten with one each',
  create_subaccount: 'Make an address a subaccount; both keys sign',
  sandbox_faucet: 'Credit test money; opens a new account',
  sandbox_get_clock: 'Read the clock of the exchange',
  sandbox_set_clock: 'Advance, freeze or resume the clock; everything due in between happens now',
  sandbox_set_oracle: 'Set the index price, play a path of prices, or resume the simulation',
  sandbox_snapshot: 'Save a snapshot of the whole exchange',
  sandbox_list_snapshots: 'List the snapshots',
  sandbox_revert: 'Revert the whole exchange to a snapshot, including ids and time',
  sandbox_get_bots: 'Whether the bots trade',
  sandbox_bots: 'Start the bots, or stop them and cancel their orders',
  sandbox_scenario: 'Play a named price path on a market',
  sandbox_reset: 'Return to the state after the first start; sockets stay open',
  sandbox_get_hash: 'Hashes of the state: equal histories have equal hashes',
  sandbox_settle: 'Wait until every reply and frame so far has been sent',
  sandbox_drop_connections: 'Cut open connections, as a lost network does',
  create_order: 'Place a limit order',
  create_market_order: 'Place a market order, bounded by slippage_percent around mark',
  create_stop_order: 'Place a stop order, optionally with take-profit and stop-loss',
  create_oco_order:
    'Place two linked orders, two stops or a resting order and a stop: when one executes, the ' +
    'other is cancelled',
  cancel_stop_order: 'Cancel a stop or a TP/SL level',
  edit_order: 'Replace an open order by one at a new price and size; it becomes post-only',
  cancel_order: 'Cancel an order, stop or TP/SL level; never delayed',
  cancel_all_orders: 'Cancel all orders of the account, on one market or on all',
  schedule_cancel: "Dead man's switch: cancel all orders at a time, unless it is moved or removed",
  set_mmp: 'Set or remove the protection of quotes on a market that are filled too fast',
  reset_mmp: 'End a freeze of the protection in a market, and reset its counts',
  create_twap_order: 'Place a TWAP: equal slices, one market order every 30 seconds',
  cancel_twap_order: 'Cancel a TWAP; its fills stay',
  create_chase_order:
    'Place a chase: an order that stays at the best price as a maker, up to a price limit',
  create_iceberg_order: 'Place an iceberg: a part of the size is shown, the next when it is filled',
  set_position_tpsl: 'Set, replace or remove the take-profit and stop-loss levels of a position',
  add_isolated_margin: 'Add margin to an isolated position, or remove free margin',
  update_leverage: 'Choose the leverage of a market; an open position must have the margin',
  update_margin_mode:
    'Choose cross or isolated margin for a market; fixed while anything is open there',
  withdraw: 'Request a withdrawal; the operator completes or fails it',
  list_reserve_proof: 'Proof that the account is included in the newest proof of reserves',
  list_subaccounts: 'List the subaccounts of the account',
  transfer_funds: 'Move money between a main account and its own subaccount',
  bind_agent_wallet: 'Allow another key to trade for the account',
  get_agent_policy: 'Policy of an agent, for its account and for the agent itself',
  set_agent_policy: 'Set or remove the policy of an agent',
  revoke_agent_wallet: 'Revoke an agent; its resting orders stay',
  revoke_all_agent_wallets: 'Revoke every agent of the account',
  list_agent_wallets: 'List the agents of the account',
  list_agent_ip_whitelist: 'List the IP addresses that an agent may be used from',
  add_agent_whitelisted_ip: 'Allow an agent to be used from an IP address',
  remove_agent_whitelisted_ip: 'Remove an IP address from the list of an agent',
  set_agent_ip_whitelist_enabled: 'Enable or disable the IP address list of an agent',
  create_api_key: 'Create an API config key; at most five an account',
  revoke_api_key: 'Revoke an API config key',
  list_api_keys: 'List the API config keys of the account',
}
