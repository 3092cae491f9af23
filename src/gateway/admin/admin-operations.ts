// Everything the admin plane serves.

import type { AdminOperation } from './admin-operation.ts'
import {
  announceIncident,
  listIncidents,
  resolveIncident,
  updateIncident,
} from './incident-operations.ts'
import { getOperatorActions } from './journal/journal-operation.ts'
import { getMarketTemplates } from './listing.ts'
import { findAccounts, getFeeTiers, getMarkets, getTokens, showAccount } from './look-operations.ts'
import {
  cancelMarketChange,
  cancelOnlyMarket,
  changeMarket,
  haltMarket,
  listMarket,
  postOnlyMarket,
  reduceOnlyMarket,
  resumeMarket,
  setExchangeMode,
  settleMarket,
} from './market-operations.ts'
import { getWithdrawalBrake, setWithdrawalBrake } from './money/brake-operations.ts'
import { approveCredit, creditDeposit, dropCredit, listCredits } from './money/credit-operations.ts'
import { getStatement } from './money/statement-operation.ts'
import { getTreasury } from './money/treasury-operation.ts'
import {
  approveWithdrawal,
  completeWithdrawal,
  failWithdrawal,
  getWithdrawalLimits,
  listWithdrawals,
  setWithdrawalLimits,
} from './money/withdrawal-operations.ts'
import { setFeeTiers } from './money-operations.ts'
import { previewMarketChange } from './preview-operation.ts'
import { getPrices, pushPrices } from './price-operations.ts'
import {
  getReserveProof,
  getReserves,
  moveReserve,
  proveReserves,
  setInsuranceDailyMax,
  setInsuranceShare,
} from './reserve-operations.ts'
import { getStanding, getToken } from './standing-operations.ts'
import {
  backUp,
  cancelOrders,
  drain,
  freezeAccount,
  getHashes,
  noteAccount,
  setKeyCredits,
  setOwnerLimit,
  unbindAgent,
} from './venue-operations.ts'
import { listWebhooks, tellAgain } from './webhook-operations.ts'

export const adminOperations: readonly AdminOperation[] = [
  getStanding,
  getMarkets,
  getMarketTemplates,
  listMarket,
  previewMarketChange,
  changeMarket,
  cancelMarketChange,
  haltMarket,
  resumeMarket,
  reduceOnlyMarket,
  postOnlyMarket,
  cancelOnlyMarket,
  settleMarket,
  setExchangeMode,
  creditDeposit,
  listCredits,
  approveCredit,
  dropCredit,
  listWithdrawals,
  approveWithdrawal,
  completeWithdrawal,
  failWithdrawal,
  getWithdrawalLimits,
  setWithdrawalLimits,
  getWithdrawalBrake,
  setWithdrawalBrake,
  listWebhooks,
  tellAgain,
  getTreasury,
  getReserves,
  getReserveProof,
  proveReserves,
  moveReserve,
  getFeeTiers,
  setFeeTiers,
  setInsuranceShare,
  setInsuranceDailyMax,
  findAccounts,
  showAccount,
  getStatement,
  freezeAccount,
  noteAccount,
  setOwnerLimit,
  cancelOrders,
  unbindAgent,
  setKeyCredits,
  pushPrices,
  getPrices,
  announceIncident,
  updateIncident,
  resolveIncident,
  listIncidents,
  getHashes,
  backUp,
  drain,
  getToken,
  getTokens,
  getOperatorActions,
]
