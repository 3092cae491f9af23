// Everything that changes something for an account.

import type { Operation } from '../operation.ts'
import { addIsolatedMargin } from './account/add-isolated-margin.ts'
import { resetMmp, setMmp } from './account/mmp.ts'
import { listReserveProof } from './account/reserve-proofs.ts'
import { setLeverage } from './account/set-leverage.ts'
import { setMarginMode } from './account/set-margin-mode.ts'
import { createSubaccount, listSubaccounts } from './account/subaccounts.ts'
import { transferFunds } from './account/transfer-funds.ts'
import { withdraw } from './account/withdraw.ts'
import {
  allowAgentIp,
  disallowAgentIp,
  listAgentIps,
  setAgentIpFilter,
} from './agents/agent-ips.ts'
import { setAgentPolicy } from './agents/agent-policy.ts'
import { bindAgent, listAgents, revokeAgent, revokeAllAgents } from './agents/agents.ts'
import { createChase } from './algos/create-chase.ts'
import { createIceberg } from './algos/create-iceberg.ts'
import { cancelOrder } from './contract/cancel-order.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './contract/key-operations.ts'
import { setPositionTpsl } from './contract/set-position-tpsl.ts'
import { batchOrders } from './orders/batch-orders.ts'
import { cancelAllOrders } from './orders/cancel-all-orders.ts'
import { cancelStop } from './orders/cancel-stop.ts'
import { createMarketOrder } from './orders/create-market-order.ts'
import { createOco } from './orders/create-oco.ts'
import { createOrder } from './orders/create-order.ts'
import { createStop } from './orders/create-stop.ts'
import { editOrder } from './orders/edit-order.ts'
import { scheduleCancel } from './orders/schedule-cancel.ts'
import { cancelTwap } from './twaps/cancel-twap.ts'
import { createTwap } from './twaps/create-twap.ts'

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
