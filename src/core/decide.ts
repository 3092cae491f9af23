// Maps each command to its handler. The map is exhaustive: a new command does not compile until it
// is added here.

import {
  allowAgentIp,
  bindAgent,
  disallowAgentIp,
  revokeAgent,
  revokeAllAgents,
  setAgentIpFilter,
  unbindAgent,
} from './accounts/agents.ts'
import { createApiKey, revokeApiKey, setApiKeyCredits } from './accounts/api-keys.ts'
import { deposit } from './accounts/deposit.ts'
import {
  freezeAccount,
  moveIsolatedMargin,
  setLeverage,
  setMarginMode,
} from './accounts/settings.ts'
import { createSubaccount, transfer } from './accounts/subaccounts.ts'
import { completeWithdrawal, withdraw } from './accounts/withdraw.ts'
import { placeChase } from './algos/chase.ts'
import { placeIceberg } from './algos/iceberg.ts'
import { cancelTwap, placeTwap } from './algos/twap.ts'
import { approveWithdrawal, setWithdrawalLimits } from './approvals/approve-withdrawal.ts'
import {
  approveCredit,
  creditDeposit,
  dropCredit,
  failWithdrawal,
  moveReserveBy,
} from './approvals/credits.ts'
import type { AccountCommand, Command, VenueCommand } from './commands/commands.ts'
import { type Rejection, refuse } from './commands/rejections.ts'
import type { EventLog } from './events/event-log.ts'
import { setPositionTpsl } from './levels/set-tpsl.ts'
import { resetMmp, setMmp } from './makers/set-mmp.ts'
import { cancelMarketChange, changeMarket } from './markets/change-market.ts'
import { listMarket } from './markets/list-market.ts'
import { oracleTick } from './markets/oracle-tick.ts'
import { setFundDailyMax, setInsuranceShare } from './markets/reserves.ts'
import { keepNote, keepPast } from './markets/sandbox-notes.ts'
import { engineStarted, reportBreach, setExchangeMode, setMarketMode } from './markets/set-mode.ts'
import { setRulesVersion } from './markets/set-rules-version.ts'
import { settleMarket } from './markets/settle-market.ts'
import { setClockFrozen, setFeeTiers } from './markets/venue.ts'
import { placeOco } from './oco/place-oco.ts'
import { runBatch } from './orders/batch.ts'
import { cancelAllOrders, cancelOrder } from './orders/cancel-order.ts'
import { editOrder } from './orders/edit-order.ts'
import { setOwnerLimit } from './orders/owner-limit.ts'
import { placeMarketOrder, placeOrder } from './orders/place-order.ts'
import { scheduleCancel } from './orders/schedule-cancel.ts'
import { setAgentPolicy } from './policies/set-policy.ts'
import { setWithdrawalBrake } from './solvency/brake.ts'
import type { State } from './state/state.ts'
import { armConnection, disarmConnection, endConnection } from './triggers/armed-connection.ts'
import { placeStop } from './triggers/place-stop.ts'

/** Runs the command or returns its rejection. A rejected command changes nothing but the memory of
 *  signed requests. */
export function decide(state: State, log: EventLog, command: Command): Rejection | null {
  switch (command.type) {
    case 'PlaceOrder':
      return placeOrder(state, log, command)
    case 'CancelOrder':
    case 'CancelStop':
      return cancelOrder(state, log, command)
    case 'PlaceMarketOrder':
      return placeMarketOrder(state, log, command)
    case 'EditOrder':
      return editOrder(state, log, command)
    case 'Batch':
      return runBatch(state, log, command)
    case 'OracleTick':
      return oracleTick(state, log, command)
    case 'Tick':
      return null
    case 'PlaceStop':
      return placeStop(state, log, command)
    case 'SetPositionTpsl':
      return setPositionTpsl(state, log, command)
    case 'CancelAllOrders':
      return cancelAllOrders(state, log, command)
    case 'ScheduleCancel':
      return scheduleCancel(state, log, command)
    case 'ArmConnection':
      return armConnection(state, log, command)
    case 'DisarmConnection':
      return disarmConnection(state, log, command)
    case 'EndConnection':
      return endConnection(state, log, command)
    case 'PlaceTwap':
      return placeTwap(state, log, command)
    case 'PlaceIceberg':
      return placeIceberg(state, log, command)
    case 'PlaceChase':
      return placeChase(state, log, command)
    case 'CancelTwap':
      return cancelTwap(state, log, command)
    case 'PlaceOco':
      return placeOco(state, log, command)
    case 'SetMmp':
      return setMmp(state, log, command)
    case 'ResetMmp':
      return resetMmp(state, log, command)
    default:
      return decideCold(state, log, command)
  }
}

function decideCold(
  state: State,
  log: EventLog,
  command: AccountCommand | VenueCommand,
): Rejection | null {
  switch (command.type) {
    case 'Deposit':
      return deposit(state, log, command)
    case 'CreditDeposit':
      return creditDeposit(state, log, command)
    case 'ApproveCredit':
      return approveCredit(state, log, command)
    case 'DropCredit':
      return dropCredit(state, log, command)
    case 'Withdraw':
      return withdraw(state, log, command)
    case 'ApproveWithdrawal':
      return approveWithdrawal(state, log, command)
    case 'CompleteWithdrawal':
      return completeWithdrawal(state, log, command)
    case 'FailWithdrawal':
      return failWithdrawal(state, log, command)
    case 'CreateSubaccount':
      return createSubaccount(state, log, command)
    case 'Transfer':
      return transfer(state, log, command)
    case 'SetLeverage':
      return setLeverage(state, log, command)
    case 'SetMarginMode':
      return setMarginMode(state, log, command)
    case 'MoveIsolatedMargin':
      return moveIsolatedMargin(state, log, command)
    case 'BindAgent':
      return bindAgent(state, log, command)
    case 'SetAgentPolicy':
      return setAgentPolicy(state, log, command)
    case 'RevokeAgent':
      return revokeAgent(state, log, command)
    case 'RevokeAllAgents':
      return revokeAllAgents(state, log, command)
    case 'UnbindAgent':
      return unbindAgent(state, log, command)
    case 'AllowAgentIp':
      return allowAgentIp(state, log, command)
    case 'DisallowAgentIp':
      return disallowAgentIp(state, log, command)
    case 'SetAgentIpFilter':
      return setAgentIpFilter(state, log, command)
    case 'CreateApiKey':
      return createApiKey(state, log, command)
    case 'RevokeApiKey':
      return revokeApiKey(state, log, command)
    case 'SetApiKeyCredits':
      return setApiKeyCredits(state, log, command)
    case 'FreezeAccount':
      return freezeAccount(state, log, command)
    default:
      return decideVenue(state, log, command)
  }
}

function decideVenue(state: State, log: EventLog, command: VenueCommand): Rejection | null {
  switch (command.type) {
    case 'ListMarket':
      return listMarket(state, log, command)
    case 'ChangeMarket':
      return changeMarket(state, log, command)
    case 'CancelMarketChange':
      return cancelMarketChange(state, log, command)
    case 'SetMarketMode':
      return setMarketMode(state, log, command)
    case 'SettleMarket':
      return settleMarket(state, log, command)
    case 'SetFeeTiers':
      return setFeeTiers(state, log, command)
    case 'SetExchangeMode':
      return setExchangeMode(state, log, command)
    case 'MoveReserve':
      return moveReserveBy(state, log, command)
    case 'SetOwnerLimit':
      return setOwnerLimit(state, log, command)
    case 'SetInsuranceShare':
      return setInsuranceShare(state, log, command)
    case 'SetFundDailyMax':
      return setFundDailyMax(state, log, command)
    case 'SetWithdrawalLimits':
      return setWithdrawalLimits(state, log, command)
    case 'SetWithdrawalBrake':
      return setWithdrawalBrake(state, log, command)
    case 'Breach':
      return reportBreach(state, log, command)
    case 'SetRulesVersion':
      return setRulesVersion(state, log, command)
    case 'SetClockFrozen':
      return setClockFrozen(state, log, command)
    case 'EngineStarted':
      return engineStarted(state, log, command)
    case 'KeepNote':
      return keepNote(state, log, command)
    case 'TellPast':
      return keepPast(state, log, command)
    default:
      command satisfies never
      return refuse('UNSUPPORTED_OPERATION')
  }
}
