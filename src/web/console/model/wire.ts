// The replies of the admin plane that the console shows, as far as it shows them.

import type { AdminScope } from '../../../protocol/admin-scopes.ts'

export type Holder = Readonly<{ name: string; scopes: readonly AdminScope[] }>
export type TokenRow = Holder & Readonly<{ yours: boolean }>

export type MarketReadiness = Readonly<{
  symbol: string
  status: string
  required: boolean
  ready: boolean
  reason: string | null
}>

export type Standing = Readonly<{
  kind: string
  version: string
  mode: string
  missing: string | null
  markets: readonly MarketReadiness[]
  warnings: readonly string[]
  now: number
  seq: number
  history_seq: number
  requests_under_way: number
  requests_waiting: number
  commands_waiting: number
  disk_free_bytes: number
  accounts: number
  withdrawals: number
  withdrawals_waiting: number
  withdrawals_value: string
  announced_changes: number
}>

export type Params = Readonly<Record<string, unknown>>
export type PendingChange = Readonly<{ change_id: number; effective_at: number; change: Params }>

export type MarketRow = Readonly<{
  symbol: string
  base_asset: string
  status: string
  mode: string
  price_state: string
  price_age_ms: number
  mark: string
  oracle: string
  open_interest: string
  open_interest_value: string
  funding_rate: string
  tick_size: string
  lot_size: string
  isolated_only: boolean
  backstop_address: string
  params: Params
  pending_changes: readonly PendingChange[]
}>

/** The lists end at a thousand; the counts do not. */
export type ChangePreview = Readonly<{
  holders: number
  below_maintenance: number
  below_initial: number
  liquidated: readonly Readonly<{
    account: string
    scope: string
    equity: string
    maintenance: string
    maintenance_then: string
    fate: string
  }>[]
  short_of_margin: readonly Readonly<{
    account: string
    equity: string
    requirement: string
    requirement_then: string
  }>[]
}>

export type SourceRow = Readonly<{
  source: string
  kind: string
  state: string
  weight: number
  message_age_ms: number | null
  price_age_ms: number | null
  accepted: number
  refused: number
  garbage: number
  clock_off: number
  reconnects: number
  fault: string | null
  refusals: readonly Readonly<{ markets: readonly string[]; reason: string }>[]
  unlisted: readonly string[]
}>

export type SourceWord = Readonly<{
  source: string
  weight: number
  price: string
  age_ms: number
  observed_age_ms: number
  timed: boolean
  fresh: boolean
}>

export type PricesReply = Readonly<{
  sources: readonly SourceRow[]
  markets: readonly Readonly<{
    symbol: string
    price: string | null
    min_sources: number
    fresh_sources: number
    apart_percent: string | null
    sources: readonly SourceWord[]
  }>[]
}>

export type AccountRow = Readonly<{
  account: string
  frozen: boolean
  balance: string
  equity: string
  positions: number
  orders: number
  margin_ratio: string | null
  margin_scope: string | null
}>

export type AccountsReply = Readonly<{ found: number; accounts: readonly AccountRow[] }>

export type AccountReply = AccountRow &
  Readonly<{
    note: string | null
    money: Readonly<{
      available_to_spend: string
      available_to_withdraw: string
      pending_balance: string
      total_margin_used: string
      cross_mmr: string
      fee_level: number
      maker_fee: string
      taker_fee: string
      volume_14d: string
    }>
    positions_held: readonly Readonly<{
      symbol: string
      side: 'bid' | 'ask'
      amount: string
      entryPrice: string
      isolated: boolean
      margin: string
    }>[]
    open_orders: readonly Readonly<{
      order_id: number
      symbol: string
      side: 'bid' | 'ask'
      price: string
      initial_amount: string
      order_type: string
      created_at: number
    }>[]
    withdrawals: readonly Readonly<{ withdrawal_id: number; amount: string }>[]
    subaccounts: readonly string[]
    agents: readonly string[]
  }>

export type WithdrawalRow = Readonly<{
  withdrawal_id: number
  account: string
  amount: string
  requested_at: number
  state: 'waiting' | 'payable' | 'return_requested'
  approvals_needed: number
  approved_by: readonly string[]
  held_by_brake: boolean
  return_requested_by: string | null
}>

/** A credit by hand that waits for a second token. */
export type CreditRow = Readonly<{
  credit_id: number
  account: string
  amount: string
  reference: string | null
  from: string | null
  withdrawal_id: number | null
  requested_by: string
  requested_at: number
}>

export type WithdrawalBrake = Readonly<{
  enabled: boolean
  fund_part: string
  profit_above: string
  minutes: number
  pulled: Readonly<{
    since: number
    last: number
    until: number
    markets: readonly string[]
    owners: readonly BrakedOwner[]
    owners_count: number
  }> | null
}>
export type BrakedOwner = Readonly<{ account: string; until: number; won: string }>

export type WithdrawalLimits = Readonly<{
  approval_above: string | null
  daily_max: string | null
  payable_today: string
  credit_approval_above: string | null
  warnings: readonly string[]
}>

export type Reserves = Readonly<{
  fees: string
  insurance: string
  deficit: string
  fees_address: string
  insurance_address: string
  deficit_address: string
  insurance_share: string
  insurance_daily_max: string
  insurance_daily_limit: string
  insurance_paid_today: string
  deposits: string
  withdrawn: string
  backstops: readonly Readonly<{ symbol: string; account: string; balance: string }>[]
}>

export type ReserveProof = Readonly<{
  seq: number
  at: number
  root: string
  accounts: number
  liabilities: string
  own: string
  debts: string
  funding: string
  total: string
}>

export type GivenUpRow = Readonly<{ id: string; type: string; at: number; fault: string }>

export type WebhookRow = Readonly<{
  name: string
  host: string
  seq: number
  delivered: number
  failed: number
  failing_since: number | null
  waiting_since: number | null
  fault: string | null
  given_up: readonly GivenUpRow[]
}>

export type RefusedReport = Readonly<{
  name: string
  report: string
  says: string
  refused_at: number
}>

export type Treasury = Readonly<{
  kind: 'files' | 'http'
  where: string
  orders_given: number
  orders_fault: string | null
  orders_waiting_since: number | null
  reports_applied: number
  reports_known: number
  reports_refused: number
  fault: string | null
  failing_since: number | null
  refused: readonly RefusedReport[]
}>

export type FeeTier = Readonly<{
  volume: number
  maker_fee_rate: string
  taker_fee_rate: string
}>

export type JournalRow = Readonly<{
  seq: number
  at: number
  who: string
  why: string
  what: string
  outcome: 'done' | 'refused'
  /** Null: it was done. */
  rejection: string | null
  details: string
  command: string
}>
