// Limits of the exchange, as in `/info/risk`.

import { count, decimal } from '../field-types.ts'
import { Type } from '../typebox.ts'

export const exchangeLimits = Type.Object(
  {
    orders_per_account: count('Maximum of open orders, waiting orders, stops and levels together'),
    stops_per_account: count('Maximum number of stops in all markets, without TP/SL levels'),
    levels_per_kind: count(
      'Maximum number of take-profits, and of stop-losses, per position or order',
    ),
    trailing_per_account: count('Maximum number of trailing stops and levels'),
    trailing_percent_min: decimal('Minimum trailing_percent'),
    trailing_percent_max: decimal('Maximum trailing_percent'),
    price_levels_per_side: count('Maximum number of prices with orders on one side of a book'),
    twaps_per_symbol: count('Maximum number of running TWAP orders of an account in a market'),
    algos_per_symbol: count(
      'Maximum number of running chases of an account in a market, and of icebergs',
    ),
    algo_refusals: count('Number of consecutive refusals after which an algo ends'),
    steps_per_command: count('Maximum number of algo steps that one command runs'),
    chases_per_owner: count(
      'Maximum number of running chases of an owner, in all accounts and markets',
    ),
    chase_step_ms: count('Time between two steps of a chase'),
    chase_ms_max: count('Maximum and default duration of a chase'),
    chase_look: count('Maximum number of orders of a side that a chase checks for the best price'),
    fee_level_volumes: Type.Array(
      decimal('Whole USD traded in 14 days from which a fee level applies'),
      {
        description: 'Volumes from which the fee levels apply, level 0 first',
      },
    ),
    iceberg_parts: count('Maximum number of parts of an iceberg'),
    iceberg_retry_ms: count('Time that an iceberg waits after a refused part'),
    twap_seconds_min: count('Minimum duration of a TWAP order'),
    twap_seconds_max: count('Maximum duration of a TWAP order'),
    mmp_orders: count('Maximum number of open orders with mmp of an account in a market'),
    mmp_ms_min: count('Minimum window of maker protection'),
    mmp_ms_max: count('Maximum window or freeze of maker protection'),
    batch_actions: count('Maximum number of actions in a batch with one signature'),
    batch_actions_each_signed: count(
      'Maximum number of actions in a batch in which each action is signed',
    ),
    subaccounts_per_account: count('Maximum number of subaccounts'),
    agents_per_account: count('Maximum number of agent wallets'),
    ips_per_agent: count('Maximum number of addresses on the allow-list of an agent'),
    symbols_per_policy: count('Maximum number of markets in the policy of an agent'),
    armed_connections_per_account: count(
      "Maximum number of connections that an account's own key may arm with " +
        'cancel_on_disconnect',
    ),
    armed_connections_per_agent: count(
      'Maximum number of connections that one agent may arm with cancel_on_disconnect',
    ),
    api_keys_per_account: count('Maximum number of API keys'),
    signed_texts_per_account: count(
      "Maximum number of unexpired signed texts of an account's own key",
    ),
    signed_texts_per_agent: count('Maximum number of unexpired signed texts of one agent'),
    signed_texts_reserved: count(
      'Number in addition to each of the two, for cancels and revocations only',
    ),
    untimed_texts_per_position: count(
      "Maximum number of signed texts without a timestamp of an account's own key, per " +
        'position',
    ),
    untimed_texts_per_agent: count(
      'Maximum number of signed texts without a timestamp of one agent, per position',
    ),
    slippage_percent_max: decimal('Maximum slippage_percent'),
    schedule_cancel_ahead_ms: count('Minimum time from now to a scheduled cancel'),
    expire_ahead_ms: count('Minimum time from now to the expire_time of an order'),
    expiries_per_command: count('Maximum number of expired orders that one command removes'),
    exposure_max: decimal(
      "Maximum value of an account's positions and open orders at max_tick, in USD",
    ),
    withdrawal_min: decimal('Minimum withdrawal, in USD'),
    withdrawal_daily_max: decimal('Maximum withdrawals of an account in a UTC day, in USD'),
    withdrawals_pending: count('Maximum number of pending withdrawals of an account'),
    requirement_notice_ms: count('Notice given before a margin requirement is raised'),
    immediate_notice_ms: count(
      'Notice given before an immediate change raises the maintenance margin',
    ),
    stale_after_ms: count('Default age of the newest price at which a market becomes stale'),
    cancel_only_after_ms: count('Age of the newest price at which a market becomes cancel-only'),
  },
  { description: 'Limits of the exchange' },
)
