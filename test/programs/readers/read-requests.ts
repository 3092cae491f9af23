// Requests of every read of the API, each in the forms that clients use: with and without filters,
// page by page, as a table. A read that is added to the API has to be named here.

import { type RouteName, routes } from '../../../src/protocol/routes.ts'
import type { Random } from '../differential/random.ts'
import type { RawRequest } from './raw-reply.ts'

export type Known = Readonly<{
  symbols: readonly string[]
  accounts: readonly string[]
  /** Ids of orders that were placed, of TWAP orders, and pages that replies named. */
  orders: readonly number[]
  twaps: readonly number[]
  pages: readonly string[]
  /** Of the machine, before anybody traded. */
  startMs: number
}>

type Drawn = Readonly<{ random: Random; known: Known; symbol: string; account: string }>
type Form = (drawn: Drawn) => string

const limit: Form = ({ random }) => `limit=${random.pick([1, 3, 20, 100])}`
const ofAccount: Form = ({ account }) => `account=${account}`
const ofSymbol: Form = ({ symbol }) => `symbol=${symbol}`
const all =
  (...forms: readonly Form[]): Form =>
  (drawn) =>
    forms.map((form) => form(drawn)).join('&')
const nothing: Form = () => ''
const intervals = ['1m', '5m', '1h', '1d']
const ofInterval: Form = ({ random }) => `interval=${random.pick(intervals)}`
const candles: Form = ({ random, symbol, known }) =>
  `symbol=${symbol}&interval=${random.pick(intervals)}&start_time=${known.startMs - 3_600_000}`
const listForms = [ofAccount, all(ofAccount, limit), all(ofAccount, ofSymbol, limit)]
const pageForms = [ofAccount, all(ofAccount, limit)]
const orderId: Form = ({ random, known }) => `order_id=${random.any(known.orders) ?? 1}`
const twapId: Form = ({ random, known }) => `order_id=${random.any(known.twaps) ?? 1}`

const forms: Partial<Record<RouteName, readonly Form[]>> = {
  get_positions: [ofAccount],
  get_position_history: [nothing, ...listForms],
  get_info: [nothing],
  get_venue: [nothing],
  get_prices: [nothing],
  get_fees: [nothing],
  get_risk: [nothing],
  get_reserves: [nothing],
  get_time: [nothing],
  get_book: [ofSymbol, all(ofSymbol, () => 'agg_level=10'), all(ofSymbol, () => 'depth=100')],
  get_trades: [ofSymbol, all(ofSymbol, limit)],
  get_candles: [candles],
  get_mark_candles: [candles],
  get_funding_rates: [ofSymbol, all(ofSymbol, limit)],
  get_open_interest_history: [ofSymbol, all(ofSymbol, limit, ofInterval)],
  get_index_price_history: [ofSymbol, all(ofSymbol, limit, ofInterval)],
  get_liquidations: [nothing, limit, all(ofSymbol, limit)],
  get_account: [ofAccount],
  get_account_settings: [ofAccount],
  get_trade_history: listForms,
  get_funding_history: pageForms,
  get_balance_history: pageForms,
  get_portfolio: [all(ofAccount, () => 'time_range=1d'), all(ofAccount, () => 'time_range=all')],
  get_open_orders: [ofAccount],
  get_order_history: listForms,
  get_order_events: [orderId],
  get_twap_orders: [ofAccount],
  get_mmp: [ofAccount],
  get_twap_history: pageForms,
  get_twap_events: [twapId],
  get_algo_orders: [ofAccount],
  get_algo_history: pageForms,
  get_leaderboard: [nothing, limit],
  get_spot_assets: [nothing],
  get_spot_bridges: [nothing],
  get_spot_balance_history: [ofAccount],
  get_spot_deposits: [ofAccount],
  get_spot_withdrawals: [ofAccount],
  get_pending_spot_withdrawals: [ofAccount],
  get_loan_pools: [nothing],
  get_account_loans: [ofAccount],
  get_vaults: [nothing],
}

/** All that only read; previews are posted. */
export const readNames: readonly RouteName[] = Object.values(routes)
  .filter(({ http, only, name }) => isRead(http, name) && only === null && !isProof(name))
  .map(({ name }) => name)

/** Signed statements and what only an owner reads have tests of their own. */
function isProof(name: RouteName): boolean {
  const own: readonly RouteName[] = ['get_checkpoints', 'get_frame_proof', 'get_receipt']
  return own.includes(name) || name === 'get_agent_policy' || name.startsWith('explain_')
}

const ofState: ReadonlySet<RouteName> = new Set<RouteName>([
  ...(['get_positions', 'get_info', 'get_prices', 'get_fees', 'get_risk', 'get_time'] as const),
  ...(['get_book', 'get_account', 'get_account_settings', 'get_open_orders'] as const),
  ...(['get_twap_orders', 'get_algo_orders', 'get_mmp', 'preview_order'] as const),
])

/** Whether it reads recorded rows, and not the present state. */
export function isOfHistory(name: RouteName): boolean {
  return !ofState.has(name)
}

function isRead(http: string, name: RouteName): boolean {
  return http.startsWith('GET') || name === 'preview_order'
}

export type ReadRequest = RawRequest & Readonly<{ name: RouteName }>

export function drawnRead(name: RouteName, random: Random, known: Known): ReadRequest {
  const [symbol, account] = [random.pick(known.symbols), random.pick(known.accounts)]
  const { http, csv } = routes[name]
  const [, path] = http.split(' ') as [string, string]
  if (name === 'preview_order') return { name, path, body: preview(random, symbol, account) }
  const own = forms[name]
  if (own === undefined) throw new Error(`no request of ${name} is known here`)
  const page = random.any(known.pages.filter((each) => each.startsWith(`${path}?`)))
  if (page !== undefined && random.chance(0.3)) return { name, path: page }
  const query = random.pick(own)({ random, known, symbol, account })
  const table = csv && random.chance(0.3) ? `${query === '' ? '' : '&'}format=csv` : ''
  return { name, path: `${path}?${query}${table}` }
}

function preview(random: Random, symbol: string, account: string): string {
  const [side, amount] = [random.pick(['bid', 'ask']), random.pick(['0.1', '1', '7', '100000'])]
  const leg = { side, amount, reduce_only: false }
  const wish = random.pick<object>([
    { side, amount, slippage_percent: '1' },
    { side, amount, price: '100', chase: true },
    { side, amount, price: '100', display_amount: amount },
    { side, stop_order: { stop_price: '100', amount } },
    {
      legs: [
        { ...leg, price: '100' },
        { ...leg, stop_price: '100' },
      ],
    },
  ])
  return JSON.stringify({ account, symbol, ...wish })
}
