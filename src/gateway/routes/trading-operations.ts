// All operations that change something for an account.

import type { Operation } from '../operation.ts'
import { addIsolatedMargin } from '../operations/account/add-isolated-margin.ts'
import { resetMmp, setMmp } from '../operations/account/mmp.ts'
import { listReserveProof } from '../operations/account/reserve-proofs.ts'
import { setLeverage } from '../operations/account/set-leverage.ts'
import { setMarginMode } from '../operations/account/set-margin-mode.ts'
import { createSubaccount, listSubaccounts } from '../operations/account/subaccounts.ts'
import { transferFunds } from '../operations/account/transfer-funds.ts'
import { withdraw } from '../operations/account/withdraw.ts'
import {
  allowAgentIp,
  disallowAgentIp,
  listAgentIps,
  setAgentIpFilter,
} from '../operations/agents/agent-ips.ts'
import { setAgentPolicy } from '../operations/agents/agent-policy.ts'
import {
  bindAgent,
  getAgentPolicy,
  listAgents,
  revokeAgent,
  revokeAllAgents,
} from '../operations/agents/agents.ts'
import { createChase, createIceberg } from '../operations/algos/create-algos.ts'
import { cancelOrder } from '../operations/contract/cancel-order.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../operations/contract/key-operations.ts'
import { setPositionTpsl } from '../operations/contract/set-position-tpsl.ts'
import { batchOrders } from '../operations/orders/batch-orders.ts'
import { cancelAllOrders } from '../operations/orders/cancel-all-orders.ts'
import { cancelStop } from '../operations/orders/cancel-stop.ts'
import { createMarketOrder } from '../operations/orders/create-market-order.ts'
import { createOco } from '../operations/orders/create-oco.ts'
import { createOrder } from '../operations/orders/create-order.ts'
import { createStop } from '../operations/orders/create-stop.ts'
import { editOrder } from '../operations/orders/edit-order.ts'
import { scheduleCancel } from '../operations/orders/schedule-cancel.ts'
import { cancelTwap } from '../operations/twaps/cancel-twap.ts'
import { createTwap } from '../operations/twaps/create-twap.ts'

export const tradingOperations: readonly Operation[] = [
  createOrder,
  createMarketOrder,
  createStop,
  createOco,
  cancelStop,
  editOrder,
  cancelOrder,
  cancelAllOrders,
  batchOrders,
  scheduleCancel,
  createTwap,
  cancelTwap,
  createChase,
  createIceberg,
  setPositionTpsl,
  setMmp,
  resetMmp,
  addIsolatedMargin,
  setLeverage,
  setMarginMode,
  withdraw,
  createSubaccount,
  listSubaccounts,
  listReserveProof,
  transferFunds,
  bindAgent,
  getAgentPolicy,
  setAgentPolicy,
  revokeAgent,
  revokeAllAgents,
  listAgents,
  listAgentIps,
  allowAgentIp,
  disallowAgentIp,
  setAgentIpFilter,
  createApiKey,
  revokeApiKey,
  listApiKeys,
]
