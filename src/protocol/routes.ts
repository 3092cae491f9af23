// Every route of the API, declared once. The gateway serves this table, and the client has a method
// for each row. The table has names and paths only, so that a browser loads no schemas;
// route-schemas.ts has the schemas under the same names.

import type { SigningType } from './signing-types.ts'

/** Path of the websocket. */
export const wsPath = '/ws'

/** How the reply is wrapped. The contract's own endpoints are bare; others use the envelope. Lists
 *  with a cursor, and lists with the sequence number of their data, add fields to the envelope. */
export type Wrapping = 'bare' | 'envelope' | 'page' | 'as_of'

type Row = Readonly<{
  /** Method and path, relative to the mount (`/api/v1`). A field of the request that is part of the
   *  path is its last segment, in braces. */
  http: `${'GET' | 'POST'} /${string}`
  /** Default: an envelope. */
  wraps?: Wrapping
  /** The request must name an account. */
  ofAccount?: true
  /** Its pages are also available as CSV. */
  csv?: true
  /** Also available over the websocket, by the same name. */
  ws?: true
  /** An agent may not sign it. */
  ownerOnly?: true
  /** TP/SL only: the body may omit the timestamp, and may name its account as `user`. */
  untimed?: true
  /** Served in this mode only (default: in all modes). */
  only?: 'sandbox'
}>

const unsignedRows = {
  get_positions: { http: 'GET /positions', wraps: 'bare', ofAccount: true },
  get_position_history: { http: 'GET /positions/history', wraps: 'bare' },
  get_info: { http: 'GET /info' },
  get_prices: { http: 'GET /info/prices' },
  get_fees: { http: 'GET /info/fees' },
  get_risk: { http: 'GET /info/risk' },
  get_reserves: { http: 'GET /info/reserves' },
  get_venue: { http: 'GET /info/venue' },
  get_time: { http: 'GET /time' },
  get_checkpoints: { http: 'GET /checkpoints' },
  get_frame_proof: { http: 'GET /checkpoints/frame' },
  get_receipt: { http: 'GET /receipts', ofAccount: true },
  get_book: { http: 'GET /book' },
  get_trades: { http: 'GET /trades', wraps: 'page', csv: true },
  get_candles: { http: 'GET /kline' },
  get_mark_candles: { http: 'GET /kline/mark' },
  get_funding_rates: { http: 'GET /funding_rate/history', wraps: 'page', csv: true },
  get_open_interest_history: { http: 'GET /open_interest/history', wraps: 'page', csv: true },
  get_index_price_history: { http: 'GET /index_price/history', wraps: 'page', csv: true },
  get_liquidations: { http: 'GET /liquidations', wraps: 'page', csv: true },
  get_account: { http: 'GET /account', ofAccount: true },
  get_account_settings: { http: 'GET /account/settings', ofAccount: true },
  get_mmp: { http: 'GET /account/mmp', ofAccount: true },
  get_trade_history: { http: 'GET /trades/history', wraps: 'page', ofAccount: true, csv: true },
  get_funding_history: { http: 'GET /funding/history', wraps: 'page', ofAccount: true, csv: true },
  get_balance_history: {
    http: 'GET /account/balance/history',
    wraps: 'page',
    ofAccount: true,
    csv: true,
  },
  get_portfolio: { http: 'GET /portfolio', ofAccount: true },
  get_open_orders: { http: 'GET /orders', wraps: 'as_of', ofAccount: true },
  get_order_history: { http: 'GET /orders/history', wraps: 'page', ofAccount: true, csv: true },
  get_order_events: { http: 'GET /orders/history_by_id' },
  get_twap_orders: { http: 'GET /orders/twap', ofAccount: true },
  get_twap_history: { http: 'GET /orders/twap/history', wraps: 'page', ofAccount: true, csv: true },
  get_twap_events: { http: 'GET /orders/twap/history_by_id' },
  get_algo_orders: { http: 'GET /orders/algo', ofAccount: true },
  get_algo_history: { http: 'GET /orders/algo/history', wraps: 'page', ofAccount: true, csv: true },
  explain_order: { http: 'GET /explain/order/{order_id}', ofAccount: true },
  explain_fill: { http: 'GET /explain/fill/{history_id}', ofAccount: true },
  explain_refusal: { http: 'GET /explain/refusal/{seq}', ofAccount: true },
  explain_liquidation: { http: 'GET /explain/liquidation/{seq}', ofAccount: true },
  explain_funding: { http: 'GET /explain/funding/{history_id}', ofAccount: true },
  explain_position: { http: 'GET /explain/position/{symbol}', ofAccount: true },
  get_leaderboard: { http: 'GET /leaderboard' },
  get_spot_assets: { http: 'GET /spot_assets' },
  get_spot_bridges: { http: 'GET /spot_assets/bridge/info' },
  get_spot_balance_history: { http: 'GET /account/spot_balance/history', wraps: 'page' },
  get_spot_deposits: { http: 'GET /account/spot_asset/deposit/history', wraps: 'page' },
  get_spot_withdrawals: { http: 'GET /account/spot_asset/withdraw/history', wraps: 'page' },
  get_pending_spot_withdrawals: { http: 'GET /account/spot_asset/withdraw/pending' },
  get_loan_pools: { http: 'GET /loan_pool' },
  get_account_loans: { http: 'GET /account/loan' },
  get_vaults: { http: 'GET /lake/list' },
  get_agent_policy: { http: 'GET /agent/policy', ofAccount: true },
  preview_order: { http: 'POST /orders/preview', ofAccount: true },
  /** Has one signature for the batch, or one for each action. */
  batch_orders: { http: 'POST /orders/batch', ws: true },
  /** Has two signatures. */
  create_subaccount: { http: 'POST /account/subaccount/create' },
  sandbox_faucet: { http: 'POST /sandbox/faucet', ofAccount: true, only: 'sandbox' },
  sandbox_get_clock: { http: 'GET /sandbox/clock', only: 'sandbox' },
  sandbox_set_clock: { http: 'POST /sandbox/clock', only: 'sandbox' },
  sandbox_set_oracle: { http: 'POST /sandbox/oracle', only: 'sandbox' },
  sandbox_snapshot: { http: 'POST /sandbox/snapshot', only: 'sandbox' },
  sandbox_list_snapshots: { http: 'GET /sandbox/snapshots', only: 'sandbox' },
  sandbox_revert: { http: 'POST /sandbox/revert', only: 'sandbox' },
  sandbox_get_bots: { http: 'GET /sandbox/bots', only: 'sandbox' },
  sandbox_bots: { http: 'POST /sandbox/bots', only: 'sandbox' },
  sandbox_scenario: { http: 'POST /sandbox/scenario', only: 'sandbox' },
  sandbox_reset: { http: 'POST /sandbox/reset', only: 'sandbox' },
  sandbox_get_hash: { http: 'GET /sandbox/hash', only: 'sandbox' },
  sandbox_settle: { http: 'POST /sandbox/settle', only: 'sandbox' },
  sandbox_get_latency: { http: 'GET /sandbox/latency', only: 'sandbox' },
  sandbox_latency: { http: 'POST /sandbox/latency', only: 'sandbox' },
  sandbox_get_faults: { http: 'GET /sandbox/faults', only: 'sandbox' },
  sandbox_faults: { http: 'POST /sandbox/faults', only: 'sandbox' },
  sandbox_drop_connections: { http: 'POST /sandbox/connections/drop', only: 'sandbox' },
  sandbox_fork: { http: 'POST /sandbox/fork', only: 'sandbox' },
  sandbox_end_fork: { http: 'POST /sandbox/fork/end', only: 'sandbox' },
} as const satisfies Readonly<Record<string, Row>>

/** The operation type of a signed route is its name. */
const signedRows = {
  create_order: { http: 'POST /orders/create', ws: true },
  create_market_order: { http: 'POST /orders/create_market', ws: true },
  create_stop_order: { http: 'POST /orders/stop/create', ws: true },
  create_oco_order: { http: 'POST /orders/oco/create', ws: true },
  cancel_stop_order: { http: 'POST /orders/stop/cancel', ws: true },
  edit_order: { http: 'POST /orders/edit', ws: true },
  cancel_order: { http: 'POST /orders/cancel', wraps: 'bare', ws: true },
  cancel_all_orders: { http: 'POST /orders/cancel_all', ws: true },
  schedule_cancel: { http: 'POST /orders/schedule_cancel', ws: true },
  set_mmp: { http: 'POST /account/mmp/set', ws: true },
  reset_mmp: { http: 'POST /account/mmp/reset', ws: true },
  create_twap_order: { http: 'POST /orders/twap/create' },
  cancel_twap_order: { http: 'POST /orders/twap/cancel' },
  create_chase_order: { http: 'POST /orders/chase/create', ws: true },
  create_iceberg_order: { http: 'POST /orders/iceberg/create', ws: true },
  set_position_tpsl: { http: 'POST /positions/tpsl', wraps: 'bare', ws: true, untimed: true },
  add_isolated_margin: { http: 'POST /positions/add_isolated_margin' },
  update_leverage: { http: 'POST /account/leverage' },
  update_margin_mode: { http: 'POST /account/margin' },
  withdraw: { http: 'POST /account/withdraw', ownerOnly: true },
  list_reserve_proof: { http: 'POST /account/reserves', ownerOnly: true },
  list_subaccounts: { http: 'POST /account/subaccount/list', ownerOnly: true },
  transfer_funds: { http: 'POST /account/subaccount/transfer', ownerOnly: true },
  bind_agent_wallet: { http: 'POST /agent/bind', ownerOnly: true },
  set_agent_policy: { http: 'POST /agent/policy', ownerOnly: true },
  revoke_agent_wallet: { http: 'POST /agent/revoke', ownerOnly: true },
  revoke_all_agent_wallets: { http: 'POST /agent/revoke_all', ownerOnly: true },
  list_agent_wallets: { http: 'POST /agent/list', ownerOnly: true },
  list_agent_ip_whitelist: { http: 'POST /agent/ip_whitelist/list', ownerOnly: true },
  add_agent_whitelisted_ip: { http: 'POST /agent/ip_whitelist/add', ownerOnly: true },
  remove_agent_whitelisted_ip: { http: 'POST /agent/ip_whitelist/remove', ownerOnly: true },
  set_agent_ip_whitelist_enabled: { http: 'POST /agent/ip_whitelist/toggle', ownerOnly: true },
  create_api_key: { http: 'POST /account/api_keys/create', wraps: 'bare' },
  revoke_api_key: { http: 'POST /account/api_keys/revoke' },
  list_api_keys: { http: 'POST /account/api_keys' },
} as const satisfies Readonly<Partial<Record<SigningType, Row>>>

export type UnsignedName = keyof typeof unsignedRows
export type SignedName = keyof typeof signedRows
export type RouteName = UnsignedName | SignedName

const rows = { ...unsignedRows, ...signedRows }
type Rows = typeof rows
type NamesWith<Mark> = { [N in RouteName]: Rows[N] extends Mark ? N : never }[RouteName]

/** Routes whose request names an account. */
export type AccountName = NamesWith<{ ofAccount: true }>
/** Routes whose reply has a cursor. */
export type PageName = NamesWith<{ wraps: 'page' }>
export type CsvName = NamesWith<{ csv: true }>
/** Routes that the websocket serves too. */
export type WsName = NamesWith<{ ws: true }>

export type Route = Readonly<{
  name: RouteName
  http: Row['http']
  wraps: Wrapping
  signs: SigningType | null
  ws: string | null
  ofAccount: boolean
  ownerOnly: boolean
  csv: boolean
  untimed: boolean
  only: 'sandbox' | null
}>

function routeOf(name: RouteName): Route {
  const row: Row = rows[name]
  return {
    name,
    http: row.http,
    wraps: row.wraps ?? 'envelope',
    signs: name in signedRows ? (name as SignedName) : null,
    ws: row.ws === true ? name : null,
    ofAccount: row.ofAccount === true,
    ownerOnly: row.ownerOnly === true,
    csv: row.csv === true,
    untimed: row.untimed === true,
    only: row.only ?? null,
  }
}

/** The field of the request that is the last segment of the path; `null` if there is none. */
export function pathField(path: string): string | null {
  return /\{(\w+)\}$/.exec(path)?.[1] ?? null
}

/** The path of a request, and the fields that are not part of it. */
export function addressed<Fields extends Readonly<Record<string, unknown>>>(
  path: string,
  fields: Fields,
): Readonly<{ path: string; others: Readonly<Record<string, unknown>> }> {
  const name = pathField(path)
  if (name === null) return { path, others: fields }
  const { [name]: value, ...others } = fields
  return { path: path.replace(`{${name}}`, encodeURIComponent(String(value))), others }
}

export const routeNames = Object.keys(rows) as readonly RouteName[]
export const signedNames = Object.keys(signedRows) as readonly SignedName[]

export const routes = Object.fromEntries(
  routeNames.map((name) => [name, routeOf(name)]),
) as unknown as Readonly<Record<RouteName, Route>>
