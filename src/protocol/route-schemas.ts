// Request and reply of each route of routes.ts. The gateway validates requests with these and
// documents them; the client derives its types from them.

import type { RouteName } from './routes.ts'
import * as absent from './schemas/absent.ts'
import * as accountHistory from './schemas/account-history.ts'
import * as accountReplies from './schemas/account-replies.ts'
import * as accountRequests from './schemas/account-requests.ts'
import * as agentRequests from './schemas/agent-requests.ts'
import * as algos from './schemas/algos.ts'
import * as explanations from './schemas/explanations.ts'
import { nothing } from './schemas/field-types.ts'
import * as faults from './schemas/lab/faults.ts'
import * as latency from './schemas/lab/latency.ts'
import * as lists from './schemas/lists.ts'
import * as marketReplies from './schemas/market-replies.ts'
import * as candles from './schemas/markets/candles.ts'
import * as marketHistory from './schemas/markets/market-history.ts'
import * as mmp from './schemas/mmp.ts'
import * as orderReplies from './schemas/order-replies.ts'
import * as orderRequests from './schemas/order-requests.ts'
import * as orderRows from './schemas/order-rows.ts'
import * as positionReplies from './schemas/position-replies.ts'
import * as receipts from './schemas/proofs/receipts.ts'
import * as reserves from './schemas/proofs/reserve-replies.ts'
import * as sandbox from './schemas/sandbox.ts'
import { type Static, type TSchema, Type } from './schemas/typebox.ts'

const { accountQuery, asOf, noQuery, pageOf } = lists
const { emptyBody } = accountRequests

/** `request`: the query of a GET, or the body of a POST without the signing fields. */
type Schemas = Readonly<{ request: TSchema; reply: TSchema }>

const positionSchemas = {
  get_positions: { request: accountQuery, reply: Type.Array(positionReplies.position) },
  get_position_history: {
    request: positionReplies.positionHistoryQuery,
    reply: Type.Array(positionReplies.positionRecord),
  },
  set_position_tpsl: { request: orderRequests.tpslBody, reply: orderReplies.successReply },
  add_isolated_margin: { request: accountRequests.isolatedMarginBody, reply: nothing },
} as const

/** Second body form of some routes, with `user`, kept for existing clients. */
export const userBodies: Readonly<Partial<Record<string, TSchema>>> = {
  set_position_tpsl: orderRequests.tpslUserBody,
}

const marketSchemas = {
  get_info: { request: noQuery, reply: Type.Array(marketReplies.market) },
  get_prices: { request: noQuery, reply: Type.Array(marketReplies.marketPrices) },
  get_fees: { request: noQuery, reply: Type.Array(marketReplies.feeLevel) },
  get_risk: { request: marketReplies.riskQuery, reply: marketReplies.riskReply },
  get_venue: { request: noQuery, reply: marketReplies.venueReply },
  get_checkpoints: { request: receipts.checkpointsQuery, reply: receipts.checkpointsReply },
  get_frame_proof: { request: receipts.frameQuery, reply: receipts.frameReply },
  get_receipt: { request: receipts.receiptQuery, reply: receipts.receiptReply },
  get_time: { request: noQuery, reply: marketReplies.exchangeTime },
  get_book: { request: marketReplies.bookQuery, reply: marketReplies.book },
  get_trades: { request: marketReplies.tradesQuery, reply: marketReplies.tape },
  get_candles: { request: candles.candlesQuery, reply: Type.Array(candles.candle) },
  get_mark_candles: { request: candles.candlesQuery, reply: Type.Array(candles.candle) },
  get_funding_rates: { request: candles.fundingRatesQuery, reply: pageOf(candles.fundingRate) },
  get_open_interest_history: {
    request: marketHistory.intervalsQuery,
    reply: pageOf(marketHistory.openInterestRow),
  },
  get_index_price_history: {
    request: marketHistory.intervalsQuery,
    reply: pageOf(marketHistory.indexPriceRow),
  },
  get_liquidations: {
    request: marketHistory.liquidationsQuery,
    reply: pageOf(marketHistory.liquidation),
  },
} as const

const accountSchemas = {
  get_account: { request: accountQuery, reply: accountReplies.account },
  get_account_settings: {
    request: accountReplies.settingsQuery,
    reply: Type.Array(accountReplies.accountSetting),
  },
  get_trade_history: {
    request: lists.accountPageQuery,
    reply: pageOf(accountReplies.accountTrade),
  },
  get_funding_history: {
    request: accountHistory.moneyQuery,
    reply: pageOf(accountHistory.fundingPayment),
  },
  get_balance_history: {
    request: accountHistory.moneyQuery,
    reply: pageOf(accountHistory.balanceChange),
  },
  get_portfolio: {
    request: accountHistory.portfolioQuery,
    reply: Type.Array(accountHistory.portfolioPoint),
  },
  get_reserves: { request: Type.Object({}), reply: reserves.reservesReply },
  get_leaderboard: {
    request: accountReplies.leaderboardQuery,
    reply: Type.Array(accountReplies.leaderboardRow),
  },
  get_mmp: { request: accountQuery, reply: Type.Array(mmp.mmpRow) },
  set_mmp: { request: mmp.setMmpBody, reply: nothing },
  reset_mmp: { request: mmp.resetMmpBody, reply: nothing },
  update_leverage: { request: accountRequests.leverageBody, reply: nothing },
  update_margin_mode: { request: accountRequests.marginModeBody, reply: nothing },
  withdraw: { request: accountRequests.withdrawBody, reply: accountRequests.withdrawReply },
  create_subaccount: { request: accountRequests.subaccountBody, reply: nothing },
  list_reserve_proof: { request: emptyBody, reply: reserves.inclusionReply },
  list_subaccounts: { request: emptyBody, reply: accountRequests.subaccountsReply },
  transfer_funds: { request: accountRequests.transferBody, reply: accountRequests.transferReply },
} as const

const orderSchemas = {
  get_open_orders: { request: accountQuery, reply: asOf(orderRows.openOrder) },
  get_order_history: {
    request: lists.accountPageQuery,
    reply: pageOf(orderRows.orderHistoryRow),
  },
  get_order_events: {
    request: orderRows.orderEventsQuery,
    reply: Type.Array(orderRows.orderEvent),
  },
  preview_order: { request: orderRows.previewRequest, reply: orderRows.previewReply },
  create_order: { request: orderRequests.createOrderBody, reply: orderReplies.placedReply },
  create_market_order: {
    request: orderRequests.createMarketOrderBody,
    reply: orderReplies.placedReply,
  },
  create_oco_order: { request: orderRequests.createOcoBody, reply: orderReplies.ocoReply },
  create_stop_order: { request: orderRequests.createStopBody, reply: orderReplies.orderIdReply },
  cancel_stop_order: { request: orderRequests.orderRefBody, reply: nothing },
  edit_order: { request: orderRequests.editOrderBody, reply: orderReplies.orderIdReply },
  cancel_order: { request: orderRequests.orderRefBody, reply: orderReplies.successReply },
  cancel_all_orders: { request: orderRequests.cancelAllBody, reply: orderReplies.cancelledReply },
  batch_orders: { request: orderRequests.batchBody, reply: orderReplies.batchReply },
  schedule_cancel: {
    request: orderRequests.scheduleCancelBody,
    reply: orderReplies.scheduleReply,
  },
  get_twap_orders: { request: accountQuery, reply: Type.Array(algos.openTwap) },
  get_twap_history: { request: algos.twapHistoryQuery, reply: pageOf(algos.twapStep) },
  get_twap_events: { request: algos.twapStepsQuery, reply: Type.Array(algos.twapStep) },
  create_twap_order: { request: algos.createTwapBody, reply: orderReplies.orderIdReply },
  cancel_twap_order: { request: orderRequests.orderRefBody, reply: nothing },
  get_algo_orders: { request: accountQuery, reply: Type.Array(algos.openAlgo) },
  get_algo_history: { request: algos.twapHistoryQuery, reply: pageOf(algos.pastAlgo) },
  create_chase_order: { request: algos.createChaseBody, reply: orderReplies.orderIdReply },
  create_iceberg_order: { request: algos.createIcebergBody, reply: orderReplies.orderIdReply },
} as const

const explanationSchemas = {
  explain_order: { request: explanations.orderQuestion, reply: explanations.explanation },
  explain_fill: { request: explanations.historyQuestion, reply: explanations.explanation },
  explain_refusal: { request: explanations.refusalQuestion, reply: explanations.explanation },
  explain_liquidation: {
    request: explanations.liquidationQuestion,
    reply: explanations.explanation,
  },
  explain_funding: { request: explanations.historyQuestion, reply: explanations.explanation },
  explain_position: { request: explanations.positionQuestion, reply: explanations.explanation },
} as const

const agentSchemas = {
  bind_agent_wallet: { request: agentRequests.bindBody, reply: nothing },
  get_agent_policy: { request: agentRequests.agentQuery, reply: agentRequests.agentRow },
  set_agent_policy: { request: agentRequests.policyBody, reply: nothing },
  revoke_agent_wallet: { request: agentRequests.agentBody, reply: nothing },
  revoke_all_agent_wallets: { request: emptyBody, reply: nothing },
  list_agent_wallets: { request: emptyBody, reply: agentRequests.agentsReply },
  list_agent_ip_whitelist: {
    request: agentRequests.agentKeyBody,
    reply: agentRequests.agentIpsReply,
  },
  add_agent_whitelisted_ip: { request: agentRequests.agentIpBody, reply: nothing },
  remove_agent_whitelisted_ip: { request: agentRequests.agentIpBody, reply: nothing },
  set_agent_ip_whitelist_enabled: { request: agentRequests.agentIpFilterBody, reply: nothing },
  create_api_key: { request: emptyBody, reply: accountRequests.apiKeyReply },
  revoke_api_key: { request: accountRequests.apiKeyBody, reply: nothing },
  list_api_keys: { request: emptyBody, reply: accountRequests.apiKeysReply },
} as const

const noneSchemas = { request: absent.absentQuery, reply: absent.absentList } as const
const nonePage = { request: absent.absentPageQuery, reply: pageOf(absent.absentRow) } as const

/** Lists of features that the public API has and this exchange lacks. */
const absentSchemas = {
  get_spot_assets: noneSchemas,
  get_spot_bridges: noneSchemas,
  get_spot_balance_history: nonePage,
  get_spot_deposits: nonePage,
  get_spot_withdrawals: nonePage,
  get_pending_spot_withdrawals: noneSchemas,
  get_loan_pools: noneSchemas,
  get_account_loans: noneSchemas,
  get_vaults: { request: absent.absentQuery, reply: absent.absentVaults },
} as const

const sandboxSchemas = {
  sandbox_faucet: { request: sandbox.faucetBody, reply: sandbox.faucetReply },
  sandbox_get_clock: { request: noQuery, reply: sandbox.clockReply },
  sandbox_set_clock: { request: sandbox.clockBody, reply: sandbox.clockReply },
  sandbox_set_oracle: { request: sandbox.oracleBody, reply: sandbox.oracleReply },
  sandbox_snapshot: { request: emptyBody, reply: sandbox.savedReply },
  sandbox_list_snapshots: { request: noQuery, reply: Type.Array(sandbox.savedReply) },
  sandbox_revert: { request: sandbox.revertBody, reply: sandbox.revertReply },
  sandbox_get_bots: { request: noQuery, reply: sandbox.botsReply },
  sandbox_bots: { request: sandbox.botsBody, reply: sandbox.botsReply },
  sandbox_scenario: { request: sandbox.scenarioBody, reply: sandbox.scenarioReply },
  sandbox_reset: { request: emptyBody, reply: sandbox.resetReply },
  sandbox_get_hash: { request: noQuery, reply: sandbox.hashReply },
  sandbox_settle: { request: emptyBody, reply: sandbox.settleReply },
  sandbox_get_latency: { request: noQuery, reply: latency.latencyReply },
  sandbox_latency: { request: latency.latencyBody, reply: latency.latencyReply },
  sandbox_get_faults: { request: noQuery, reply: faults.faultsReply },
  sandbox_faults: { request: faults.faultsBody, reply: faults.faultsReply },
  sandbox_drop_connections: { request: sandbox.dropBody, reply: sandbox.dropReply },
  sandbox_fork: { request: sandbox.forkBody, reply: sandbox.forkReply },
  sandbox_end_fork: { request: sandbox.endForkBody, reply: sandbox.endForkReply },
} as const

export const routeSchemas = {
  ...positionSchemas,
  ...marketSchemas,
  ...accountSchemas,
  ...orderSchemas,
  ...explanationSchemas,
  ...agentSchemas,
  ...absentSchemas,
  ...sandboxSchemas,
} as const satisfies Readonly<Record<RouteName, Schemas>>

export type RequestOf<N extends RouteName> = Static<(typeof routeSchemas)[N]['request']>
export type ReplyOf<N extends RouteName> = Static<(typeof routeSchemas)[N]['reply']>
