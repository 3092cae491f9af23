// Markets: specifications, prices, fees, risk, book and trades.

import { gathers, modeWords, priceStateWords, statusWords } from '../words.ts'
import { address, count, decimal, optional, symbol, timeMs, venueId } from './field-types.ts'
import { asOf, cursor, listFormat, listLimit, offset, pageOf } from './lists.ts'
import { exchangeLimits } from './markets/limits.ts'
import { marketChange, showingParameters } from './markets/parameters.ts'
import { Type } from './typebox.ts'

/** The fields are exactly those of the contract. */
export const market = Type.Object({
  symbol,
  tick_size: decimal('Tick size: all prices are multiples of it'),
  min_tick: decimal('Lowest price accepted'),
  max_tick: decimal('Highest price accepted'),
  lot_size: decimal('Lot size: all order sizes are multiples of it'),
  max_leverage: Type.Integer({ description: 'Maximum leverage when opening positions' }),
  isolated_only: Type.Boolean({
    description: 'Whether positions in this market are always isolated',
  }),
  min_order_size: decimal('Minimum order size in USD'),
  max_order_size: decimal('Maximum order size in USD'),
  funding_rate: decimal('Funding rate paid in the past epoch (one hour)'),
  next_funding_rate: decimal('Estimated funding rate of the next epoch (one hour)'),
  created_at: timeMs('Time at which the market was listed, milliseconds'),
  instrument_type: Type.Enum(['perpetual'], { description: 'Kind of instrument' }),
  base_asset: Type.String({ description: 'Base asset' }),
})

export const marketPrices = Type.Object({
  symbol,
  mark: decimal('Mark price'),
  mid: decimal('Middle of best bid and best ask; the mark while a side is empty'),
  oracle: decimal('Index price'),
  funding: decimal('Funding rate paid in the past epoch'),
  next_funding: decimal('Estimated funding rate of the next epoch'),
  open_interest: decimal('Open interest in the base asset'),
  volume_24h: decimal('USD traded in the last 24 hours'),
  yesterday_price: decimal('Index price 24 hours ago'),
  timestamp: timeMs('Engine time of the data'),
})

export const feeLevel = Type.Object({
  level: Type.Integer({ description: 'Fee level, 0 is the lowest' }),
  maker_fee_rate: decimal('Maker fee as a fraction of the value; negative is a rebate'),
  taker_fee_rate: decimal('Taker fee as a fraction of the value'),
})

export const venueReply = Type.Object({
  venue: venueId(
    'Id of this exchange. A signed text that names it is accepted by this exchange only',
  ),
  sandbox: Type.Boolean({
    description: 'Whether the exchange is a sandbox, which uses test money',
  }),
  required: Type.Boolean({ description: 'Whether signed texts without a venue are rejected' }),
})

export const exchangeTime = Type.Object({
  now: timeMs('Time of the machine, which signatures and rate limits use'),
  engine_now: timeMs('Time of the exchange, which orders, funding and history use'),
})

const sourcesApart = Type.Object({
  lowest: decimal('Lowest price in use'),
  highest: decimal('Highest price in use'),
  percent: decimal('Distance between the two, in percent of the lowest'),
  has_price: Type.Boolean({
    description:
      'Whether the sources still yield a combined price; two sources that disagree do not',
  }),
})

const reserve = (description: string) =>
  Type.Object(
    { address: address('Account address'), balance: decimal('Balance in USD') },
    { description },
  )

const tierFields = {
  from_value: decimal('Notional in USD from which the tier applies'),
  max_leverage: Type.Integer({ description: 'Maximum leverage of the part above from_value' }),
  maintenance_fraction: decimal('Maintenance margin of the part above from_value, as a fraction'),
}

export const riskTier = Type.Object({
  ...tierFields,
  initial_fraction: decimal(
    'Current initial margin of the part above from_value at max_leverage, as a fraction',
  ),
})

export const keptTier = Type.Object(tierFields)

const ownerLimit = Type.Object({
  limit: decimal(
    'Limit of this owner: that of the market, or one that the operator set for the ' + 'owner',
  ),
  used: decimal(
    'Maximum position that the positions and open orders of all its accounts could reach',
  ),
  left: decimal(
    'Remaining size under this limit; open_interest_cap applies to all accounts and may ' +
      'be lower',
  ),
})

const risk = Type.Object({
  symbol,
  status: Type.Enum([...statusWords], {
    description:
      'The strictest status. live and catching_up: normal trading; reduce_only: orders ' +
      'that take must reduce; stale and post_only: nothing matches; others: no orders are ' +
      'accepted',
  }),
  mode: Type.Enum([...modeWords], {
    description:
      'Mode set by the operator, for the market or the exchange: the stricter of the two',
  }),
  price_state: Type.Enum([...priceStateWords], {
    description: 'Status of the price feed alone; while it is stale, nothing matches',
  }),
  price_age_ms: count('Age of the newest price'),
  sources_apart: Type.Union([sourcesApart, Type.Null()], {
    description: 'Set if prices of the sources differ by more than 1 %; otherwise null',
  }),
  guarded_price: Type.Object(
    {
      long: decimal('For a long: the lowest of these prices'),
      short: decimal('For a short: the highest of these prices'),
    },
    {
      description:
        'Price at which a position backs orders, withdrawals and transfers: the worst for ' +
        'its owner of up to three prices. They are the mark; the newest price, while the ' +
        'mark is catching up with it; and a price as far from the mark as the average ' +
        'price at which impact_notional could be bought (for a long) or sold (for a short) ' +
        'was within the last minute or two',
    },
  ),
  stale_after_ms: count(
    'Maximum age of a price for orders to match; after that the market is stale',
  ),
  observed_within_ms: count('Maximum age of an observed price that releases waiting orders'),
  min_sources: count('Minimum number of fresh sources for a price'),
  max_leverage: Type.Integer({ description: 'Maximum leverage' }),
  risk_tiers: Type.Array(riskTier, {
    description: 'Tiers by position value; larger positions have less leverage',
  }),
  kept_tiers: Type.Array(
    Type.Object({
      until: Type.Integer({ description: 'Time at which they expire, in ms' }),
      tiers: Type.Array(keptTier, { description: 'The tiers that were replaced' }),
    }),
    {
      description:
        'Tiers that an immediate change replaced. Until they expire, maintenance is the minimum ' +
        'of risk_tiers and all of these, and so is funding_rate_clamp',
    },
  ),
  pending_changes: Type.Array(
    Type.Object({
      change_id: Type.Integer({ description: 'Number of the change in this market' }),
      effective_at: Type.Integer({ description: 'Time at which the change takes effect, in ms' }),
      change: Type.Object(marketChange.properties, { description: 'Parameters that change' }),
    }),
    {
      description:
        'Announced changes, in the order of announcement. A change that may raise a margin ' +
        'requirement is announced a day ahead. The operator may cancel it',
    },
  ),
  maintenance_tiers: Type.Array(
    Type.Object({
      from_notional: decimal('Notional in USD from which the tier applies'),
      maintenance_fraction: decimal('Maintenance margin = fraction × notional − deduction'),
      deduction: decimal('Deduction in USD, which makes the margin continuous between tiers'),
    }),
    {
      description:
        'Maintenance tiers in force, ascending by from_notional. At each notional it is ' +
        'the tier of risk_tiers or kept_tiers that requires less',
    },
  ),
  band: Type.Object(
    {
      near: decimal('A bid at most this fraction above the mark, an ask below'),
      far: decimal('A bid at most this fraction below the mark, an ask above'),
    },
    { description: 'Range of valid limit prices' },
  ),
  stop_slippage_percent: decimal(
    'Default slippage of the order that a market stop places, in percent of the mark',
  ),
  speedbump_ms: Type.Integer({ description: 'Speed bump: delay of orders that may take, in ms' }),
  open_interest: decimal('Open interest in the base asset'),
  open_interest_cap: decimal('Maximum open interest; fills that would exceed it are refused'),
  owner_interest_cap: decimal(
    'Maximum of the positions and open orders of one owner, in the base asset',
  ),
  owner_limit: Type.Union([ownerLimit, Type.Null()], {
    description:
      'Limit of the owner of `account` (its main account with all subaccounts), in the ' +
      'base asset; null without `account`',
  }),
  open_interest_scaling: Type.Object(
    {
      lower: decimal('Open interest in USD above which the initial margin grows'),
      upper: decimal(
        'Open interest in USD at which the initial margin is the full notional. If both are 0, ' +
          'it does not grow',
      ),
    },
    { description: 'How the initial margin grows with open interest' },
  ),
  impact_notional: decimal(
    'Order size in USD for which impact prices are computed; they are used by funding, mid-price ' +
      'stops and guarded prices',
  ),
  funding_samples_min: count(
    'Minimum premium samples in an hour, one every 5 seconds; with fewer, its funding rate is 0',
  ),
  funding_rate_clamp: decimal('Maximum of the hourly funding rate, in either direction'),
  backstop: reserve('Takes over positions that could not be closed in the book'),
  backstop_notional_cap: decimal('Maximum position of the backstop, in USD'),
  backstop_daily_loss_cap: decimal('Maximum loss of the backstop in a UTC day, in USD'),
  liquidation: Type.Object(
    {
      fee_part: decimal("A liquidated side's fee, as a fraction of its maintenance fraction"),
      fee_max: decimal('Maximum of that fee, as a fraction of the value of the position'),
      concession: decimal(
        'Fraction of its maintenance margin that a liquidation may cost a position: ' +
          'distance of a step from the mark, and margin included in a takeover',
      ),
      dry_max: count('Steps in a row without a fill before the backstop takes over'),
      step_max: decimal(
        'Maximum USD that one step closes, or a fifth of the position if that is more',
      ),
    },
    { description: 'How positions are liquidated' },
  ),
})

export const marketRisk = showingParameters(risk)

export const riskReply = Type.Object({
  markets: Type.Array(marketRisk, { description: 'Oldest first' }),
  insurance: reserve('Insurance fund, which pays losses that liquidated accounts cannot'),
  fees: reserve('Fee account, which receives trading fees'),
  deficit: reserve('Deficit: uncovered debts; zero or negative'),
  limits: exchangeLimits,
})

export const riskQuery = Type.Object({
  symbol: optional(symbol),
  account: optional(address("Account whose owner's limits are included")),
})

const bookLevel = Type.Object({
  p: decimal('Price'),
  a: decimal('Size'),
  n: Type.Integer({ description: 'Number of orders' }),
})

export const bookQuery = Type.Object({
  symbol,
  agg_level: optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      enum: [...gathers],
      default: 1,
      description: 'Ticks gathered in one level: 1, 2, 5, 10, 100, 1000 or 10000',
    }),
  ),
  depth: optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 10, description: 'Levels of a side' }),
  ),
})

export const book = Type.Object({
  s: symbol,
  l: Type.Tuple(
    [
      Type.Array(bookLevel, { description: 'Bids' }),
      Type.Array(bookLevel, { description: 'Asks' }),
    ],
    { description: 'Bids, then asks; best first' },
  ),
  t: timeMs('Engine time'),
  li: Type.Integer({ description: 'Engine sequence number' }),
})

export const tradesQuery = Type.Object({
  symbol,
  start_time: optional(timeMs('Only trades of this time or later, milliseconds')),
  end_time: optional(timeMs('Only trades of this time or earlier, milliseconds')),
  limit: listLimit,
  cursor,
  offset,
  format: listFormat,
})

export const tradeSides = ['open_long', 'open_short', 'close_long', 'close_short'] as const

export const tradeSide = Type.Enum([...tradeSides], {
  description: 'Effect on the position: opened or closed a long or a short',
})

export const tradeCause = Type.Enum(
  ['normal', 'market_liquidation', 'backstop_liquidation', 'deleverage', 'settlement'],
  { description: 'Cause of the trade' },
)

export const trade = Type.Object({
  history_id: Type.Integer({ description: 'History id of the taker' }),
  event_type: Type.Enum(['fulfill_taker'], {
    description: 'Event from the perspective of the taker',
  }),
  price: decimal('Price'),
  amount: decimal('Size'),
  side: tradeSide,
  cause: tradeCause,
  created_at: timeMs('Time of the event'),
})

/** A page of the public tape, with the sequence number of its data. */
export const tape = Type.Object({
  ...pageOf(trade).properties,
  ...asOf(trade).properties,
  rows: Type.Array(trade, { description: 'Newest first' }),
})
