// Names for parts of the admin plane's replies, as used by the console.

import type { AdminReply } from '../../../protocol/admin/admin-api.ts'

export type Holder = AdminReply<'get_token'>
export type TokenRow = AdminReply<'get_tokens'>[number]
export type Standing = AdminReply<'get_standing'>
export type MarketReadiness = Standing['markets'][number]
export type MarketRow = AdminReply<'get_markets'>[number]
export type PendingChange = MarketRow['pending_changes'][number]
export type PricesReply = AdminReply<'get_prices'>
export type SourceRow = PricesReply['sources'][number]
export type SourceWord = PricesReply['markets'][number]['sources'][number]
export type AccountReply = AdminReply<'show_account'>
export type AccountRow = AdminReply<'find_accounts'>['accounts'][number]
export type WithdrawalRow = AdminReply<'list_withdrawals'>[number]
export type WithdrawalLimits = AdminReply<'get_withdrawal_limits'>
export type WithdrawalBrake = AdminReply<'get_withdrawal_brake'>
export type BrakedOwner = NonNullable<WithdrawalBrake['pulled']>['owners'][number]
export type CreditRow = AdminReply<'list_waiting_credits'>[number]
export type Reserves = AdminReply<'get_reserves'>
export type ReserveProof = NonNullable<AdminReply<'get_reserve_proof'>['newest']>
export type FeeTier = AdminReply<'get_fee_tiers'>['tiers'][number]
export type WebhookRow = AdminReply<'list_webhooks'>[number]
export type GivenUpRow = WebhookRow['given_up'][number]
export type Treasury = NonNullable<AdminReply<'get_treasury'>>
export type RefusedReport = Treasury['refused'][number]
export type JournalRow = AdminReply<'get_operator_actions'>[number]
