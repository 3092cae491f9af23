// All operations that only read, in the order of the reference.

import type { Operation } from '../operation.ts'
import { getAccount } from '../operations/account/get-account.ts'
import { getAccountSettings } from '../operations/account/get-account-settings.ts'
import { getBalanceHistory } from '../operations/account/get-balance-history.ts'
import { getFundingHistory } from '../operations/account/get-funding-history.ts'
import { getLeaderboard } from '../operations/account/get-leaderboard.ts'
import { getPortfolio } from '../operations/account/get-portfolio.ts'
import { getTradeHistory } from '../operations/account/get-trade-history.ts'
import { getMmp } from '../operations/account/mmp.ts'
import { getReserves } from '../operations/account/reserve-proofs.ts'
import { getAlgoHistory, getAlgos } from '../operations/algos/get-algos.ts'
import { getInfo } from '../operations/contract/get-info.ts'
import { getPositionHistory } from '../operations/contract/get-position-history.ts'
import { getPositions } from '../operations/contract/get-positions.ts'
import { explanationOperations } from '../operations/explanations/explanations.ts'
import { getBook } from '../operations/markets/get-book.ts'
import { getCandles, getMarkCandles } from '../operations/markets/get-candles.ts'
import { getFundingRates } from '../operations/markets/get-funding-rates.ts'
import { getLiquidations } from '../operations/markets/get-liquidations.ts'
import {
  getIndexPriceHistory,
  getOpenInterestHistory,
} from '../operations/markets/get-market-history.ts'
import { getRisk } from '../operations/markets/get-risk.ts'
import { getTrades } from '../operations/markets/get-trades.ts'
import { getFees, getPrices, getTime, getVenue } from '../operations/markets/venue-reads.ts'
import { getOpenOrders } from '../operations/orders/get-open-orders.ts'
import { getOrderEvents } from '../operations/orders/get-order-events.ts'
import { getOrderHistory } from '../operations/orders/get-order-history.ts'
import { previewOrder } from '../operations/previews/preview-order.ts'
import { getCheckpoints, getFrameProof, getReceipt } from '../operations/receipts/receipts.ts'
import { getTwapHistory, getTwapSteps, getTwaps } from '../operations/twaps/get-twaps.ts'

export const readOperations: readonly Operation[] = [
  getPositions,
  getPositionHistory,
  getInfo,
  getPrices,
  getFees,
  getRisk,
  getVenue,
  getTime,
  getCheckpoints,
  getFrameProof,
  getReceipt,
  getBook,
  getTrades,
  getCandles,
  getMarkCandles,
  getFundingRates,
  getOpenInterestHistory,
  getIndexPriceHistory,
  getLiquidations,
  getAccount,
  getAccountSettings,
  getMmp,
  getTradeHistory,
  getFundingHistory,
  getBalanceHistory,
  getPortfolio,
  getLeaderboard,
  getReserves,
  getOpenOrders,
  getOrderHistory,
  getOrderEvents,
  getTwaps,
  getTwapHistory,
  getTwapSteps,
  getAlgos,
  getAlgoHistory,
  previewOrder,
  ...explanationOperations,
]
