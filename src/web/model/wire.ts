// Types of the API's rows, with the names that the terminal uses for them.

import type { balanceChange, fundingPayment } from '../../protocol/schemas/account-history.ts'
import type {
  accountSetting,
  accountTrade,
  leaderboardRow,
} from '../../protocol/schemas/account-replies.ts'
import type {
  createChaseBody,
  createIcebergBody,
  createTwapBody,
  pastAlgo,
  twapStep,
} from '../../protocol/schemas/algos.ts'
import type {
  feeLevel,
  market,
  marketPrices,
  marketRisk,
  riskReply,
} from '../../protocol/schemas/market-replies.ts'
import type {
  createMarketOrderBody,
  createOcoBody,
  createOrderBody,
  createStopBody,
  LevelBody,
  TpslBody,
} from '../../protocol/schemas/order-requests.ts'
import type {
  orderHistoryRow,
  previewReply,
  previewRequest,
} from '../../protocol/schemas/order-rows.ts'
import type { Static } from '../../protocol/schemas/typebox.ts'
import type { DataOf } from '../../protocol/streams/channel-schemas.ts'

export type Market = Static<typeof market>
export type FeeLevel = Static<typeof feeLevel>
export type Prices = Static<typeof marketPrices>
export type MarketRisk = Static<typeof marketRisk>
export type Limits = Static<typeof riskReply>['limits']
export type Candle = DataOf<'candle'>
export type Trade = DataOf<'trades'>[number]

export type Position = DataOf<'positions'>[number]
export type OpenOrder = DataOf<'accountOrders'>[number]
export type OrderUpdate = DataOf<'accountOrderUpdates'>[number]
export type Fill = DataOf<'userTradeHistory'>[number]
export type OpenTwap = DataOf<'accountTwapOrders'>[number]
export type OpenAlgo = DataOf<'accountAlgoOrders'>[number]
export type AccountNumbers = DataOf<'accountData'>
export type LiquidationEvent = DataOf<'accountLiquidations'>[number]

export type AccountSetting = Static<typeof accountSetting>
export type AccountTrade = Static<typeof accountTrade>
export type FundingPayment = Static<typeof fundingPayment>
export type BalanceChange = Static<typeof balanceChange>
export type LeaderboardRow = Static<typeof leaderboardRow>
export type OrderRow = Static<typeof orderHistoryRow>
export type TwapRow = Static<typeof twapStep>
export type AlgoRow = Static<typeof pastAlgo>

export type Preview = Static<typeof previewReply>
export type PreviewRequest = Static<typeof previewRequest>
export type { LevelBody, TpslBody }
export type LimitBody = Static<typeof createOrderBody>
export type MarketBody = Static<typeof createMarketOrderBody>
export type StopBody = Static<typeof createStopBody>
export type TwapBody = Static<typeof createTwapBody>
export type ChaseBody = Static<typeof createChaseBody>
export type IcebergBody = Static<typeof createIcebergBody>
export type OcoBody = Static<typeof createOcoBody>
