// Every operation that only reads, in the order the reference shows them.

import type { Operation } from '../operation.ts'
import { getAccount } from './account/get-account.ts'
import { getAccountSettings } from './account/get-account-settings.ts'
import { getBalanceHistory } from './account/get-balance-history.ts'
import { getFundingHistory } from './account/get-funding-history.ts'
import { getLeaderboard } from './account/get-leaderboard.ts'
import { getPortfolio } from './account/get-portfolio.ts'
import { getTradeHistory } from './account/get-trade-history.ts'
import { getMmp } from './account/mmp.ts'
import { getReserves } from './account/reserve-proofs.ts'
import { getAlgoHistory, getAlgos } from './algos/get-algos.ts'
import { getInfo } from './contract/get-info.ts'
import { getPositionHistory } from './contract/get-position-history.ts'
import { getPositions } from './contract/get-positions.ts'
import { getBook } from './markets/get-book.ts'
import { getCandles, getMarkCandles } from './markets/get-candles.ts'
import { getFees } from './markets/get-fees.ts'
import { getFundingRates } from './markets/get-funding-rates.ts'
import { getLiquidations } from './markets/get-liquidations.ts'
import { getIndexPriceHistory, getOpenInterestHistory } from './markets/get-market-history.ts'
import { getPrices } from './markets/get-prices.ts'
import { getRisk } from './markets/get-risk.ts'
import { getTime } from './markets/get-time.ts'
import { getTrades } from './markets/get-trades.ts'
import { getVenue } from './markets/get-venue.ts'
import { getOpenOrders } from './orders/get-open-orders.ts'
import { getOrderEvents } from './orders/get-order-events.ts'
import { getOrderHistory } from './orders/get-order-history.ts'
import { previewOrder } from './previews/preview-order.ts'
import { getTwapHistory, getTwapSteps, getTwaps } from './twaps/get-twaps.ts'

export const readOperations: readonly Operation[] = [
  getPositions,
  getPositionHistory,
  getInfo,
  getPrices,
  getFees,
  getRisk,
  getVenue,
  getTime,
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
]
