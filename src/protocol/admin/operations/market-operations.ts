// Markets: list, change, halt, resume, settle.

import { count, decimal, orNull, symbol, text } from '../../schemas/field-types.ts'
import { marketChange } from '../../schemas/markets/parameters.ts'
import { Type } from '../../schemas/typebox.ts'
import { marketStatuses } from '../../words.ts'
import type { AdminRows } from '../admin-row.ts'
import { marketRequests } from './market-requests.ts'

const { list_market, change_market, preview_market_change } = marketRequests(() => ({}))

const marketReply = Type.Object({ symbol: text(), market_id: count() })

const standingReply = Type.Object({
  ...marketReply.properties,
  status: text('Current status, as in GET /markets'),
  mode: text('Mode of the market or of the exchange: the stricter of the two'),
})

const setMode = <V extends string>(verb: V, summary: string) => ({
  http: `POST /markets/${verb}` as const,
  scope: 'markets' as const,
  summary,
  request: Type.Object({ symbol }),
  reply: standingReply,
})

/** Maximum rows of each list of a preview; the counts include all. */
export const previewRowsMax = 1_000

export const marketOperations = {
  get_markets: {
    http: 'GET /markets',
    scope: 'read',
    summary: 'List all markets with status, parameters and announced changes',
    request: Type.Object({}),
    reply: Type.Array(
      Type.Object({
        symbol: text(),
        market_id: count(),
        base_asset: text(),
        status: text(Object.keys(marketStatuses).join(', ')),
        mode: text('Mode of the market or of the exchange: the stricter of the two'),
        price_state: text('State of the price feed: live, catching_up, stale, cancel_only'),
        price_age_ms: count('Age of the newest price at the newest entry of the journal'),
        mark: text(),
        oracle: text(),
        open_interest: text('Open interest, in base units'),
        open_interest_value: text('Open interest at mark, in USD'),
        funding_rate: text('Funding rate of the last full hour'),
        tick_size: text(),
        lot_size: text(),
        isolated_only: Type.Boolean(),
        backstop_address: text(),
        params: { ...marketChange, description: 'Parameters in the form of /markets/change' },
        pending_changes: Type.Array(
          Type.Object({
            change_id: count(),
            effective_at: count(),
            change: marketChange,
          }),
        ),
      }),
    ),
  },
  get_market_templates: {
    http: 'GET /markets/templates',
    scope: 'read',
    summary: 'List the catalogue of market templates, with the reason for each value',
    request: Type.Object({}),
    reply: Type.Array(
      Type.Object({
        template: text(),
        group: text(),
        about: text(),
        listing: Type.Record(text(), Type.Any(), {
          description: 'Market in the form of POST /markets/list',
        }),
        reasons: Type.Record(text(), text(), { description: 'Reason for each field' }),
        sources: Type.Record(text(), text(), {
          description: 'Symbol of the market at each source',
        }),
      }),
    ),
  },
  list_market: {
    http: 'POST /markets/list',
    scope: 'markets',
    summary: 'List a market: with every field, or from a template of the catalogue with overrides',
    request: list_market,
    reply: marketReply,
  },
  preview_market_change: {
    http: 'POST /markets/preview_change',
    scope: 'read',
    summary:
      'Preview which accounts a change would affect once it is in full effect, at current ' +
      'positions and marks; nothing is changed',
    request: preview_market_change,
    reply: Type.Object({
      holders: count('Number of accounts with a position or an order in the market'),
      below_maintenance: count(
        'Number of accounts that are above their maintenance margin and would be below it',
      ),
      below_initial: count(
        'Number of accounts that would keep their positions, but could not open more',
      ),
      orders_cancelled: count('Number of orders that the triggered liquidations would cancel'),
      liquidated: Type.Array(
        Type.Object({
          account: text(),
          scope: text('cross, or the isolated market'),
          equity: text(),
          maintenance: text('Current maintenance margin'),
          maintenance_then: text(),
          fate: Type.Enum(['step', 'backstop', 'waits'], {
            description:
              'Effect at the next price: a step into the book, a takeover by the backstop up to ' +
              'its limits, or nothing until the market trades',
          }),
          orders_cancelled: count(),
        }),
        { description: `Accounts to be liquidated, lowest ratio first; at most ${previewRowsMax}` },
      ),
      short_of_margin: Type.Array(
        Type.Object({
          account: text(),
          equity: text('Equity of the cross account'),
          requirement: text('Current requirement'),
          requirement_then: text(),
        }),
        { description: `Accounts that could not increase a position; at most ${previewRowsMax}` },
      ),
    }),
  },
  change_market: {
    http: 'POST /markets/change',
    scope: 'markets',
    summary:
      'Change parameters; a change that raises a requirement takes effect a day later, or with ' +
      'immediate now (maintenance: an hour later)',
    request: change_market,
    reply: Type.Object({
      effective_at: count('Time at which the change takes effect, in ms'),
      maintenance_at: count('Time at which it takes effect for the maintenance margin, in ms'),
      change_id: orNull(
        count(),
        'Number of the change while it is pending, for /markets/cancel_change; null if it is not ' +
          'pending',
      ),
    }),
  },
  cancel_market_change: {
    http: 'POST /markets/cancel_change',
    scope: 'markets',
    summary:
      'Cancel an announced change before it takes effect; a replacement needs a full day of ' +
      'notice',
    request: Type.Object({
      symbol,
      change_id: Type.Integer({
        minimum: 1,
        description:
          'Number of the change, from the reply of /markets/change or pending_changes of GET ' +
          '/info/risk',
      }),
    }),
    reply: Type.Object({
      symbol: text(),
      change_id: count(),
      effective_at: count('Time at which it would have taken effect, in ms'),
    }),
  },
  halt_market: setMode('halt', 'Stop all trading in a market; cancels are served'),
  resume_market: setMode('resume', 'Open a market again'),
  reduce_only_market: setMode(
    'reduce_only',
    'An order that would take has to reduce a position; quotes rest, liquidations go on',
  ),
  post_only_market: setMode('post_only', 'Nothing matches; quotes and cancels are served'),
  cancel_only_market: setMode('cancel_only', 'Take no new orders in a market'),
  settle_market: {
    http: 'POST /markets/settle',
    scope: 'markets',
    summary: 'Delist a market: close all its positions at a price',
    request: Type.Object({ symbol, price: decimal('Settlement price') }),
    reply: standingReply,
  },
  set_exchange_mode: {
    http: 'POST /exchange/mode',
    scope: 'operate',
    summary: 'Open, restrict or halt the whole exchange; for each market the stricter mode applies',
    request: Type.Object({
      mode: Type.Enum(['open', 'reduce_only', 'post_only', 'cancel_only', 'halted']),
    }),
    reply: Type.Object({ mode: text() }),
  },
} as const satisfies AdminRows
