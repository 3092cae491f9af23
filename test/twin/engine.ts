// The naive second engine: one command after the other, as docs/rules/core.md says, and nothing
// faster than it has to be. The fast core is compared with it, event by event.

import type {
  Command,
  CommandOf,
  CommandType,
  Sequenced,
} from '../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../src/core/commands/rejections.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import type { Genesis } from '../../src/core/state/genesis.ts'
import * as accounts from './accounts/accounts.ts'
import * as agents from './accounts/agents.ts'
import * as approvals from './accounts/approvals.ts'
import * as brake from './accounts/brake.ts'
import * as credits from './accounts/credits.ts'
import * as policies from './accounts/policies.ts'
import * as chase from './algos/chase.ts'
import * as iceberg from './algos/iceberg.ts'
import * as twap from './algos/twap.ts'
import { runDue, runKept } from './core/due.ts'
import { emitRejected, findAccount, marketOf } from './core/lookup.ts'
import { react, readyAccount } from './core/reactions.ts'
import { admit, type Signed } from './core/texts.ts'
import { settleFunding } from './funding/funding.ts'
import { moneyIsConserved } from './invariants/money.ts'
import * as settings from './margin/settings.ts'
import * as markets from './markets/markets.ts'
import * as modes from './markets/modes.ts'
import * as reserves from './markets/reserves.ts'
import { runBatch } from './orders/batch.ts'
import * as cancels from './orders/cancels.ts'
import { placeOrder } from './orders/orders.ts'
import * as owners from './orders/owner-limit.ts'
import * as protection from './orders/protection.ts'
import * as prices from './prices/prices.ts'
import { type Account, type Naive, newNaive } from './state.ts'
import * as levels from './triggers/levels.ts'
import { placeOco } from './triggers/oco.ts'
import * as triggers from './triggers/triggers.ts'
import { BrokenNaive, given } from './units/numbers.ts'

export { moneyIsConserved } from './invariants/money.ts'
export type { Naive } from './state.ts'

export function createNaive(genesis: Genesis): Naive {
  return newNaive(genesis)
}

/** CORE-2 */
export function applyNaive(naive: Naive, sequenced: Sequenced): Event[] {
  const { seq, atMs, stampMs, command } = sequenced
  if (seq !== naive.seq + 1) throw new BrokenNaive(`seq ${seq} after ${naive.seq}`)
  if (!Number.isSafeInteger(atMs) || atMs < naive.lastAtMs) {
    throw new BrokenNaive(`time ${atMs} after ${naive.lastAtMs}`)
  }
  naive.events = []
  naive.stamp = Math.max(naive.stamp, stampMs ?? 0)
  const stands = command.type === 'EngineStarted' && command.pricesStand === true
  if (stands) {
    naive.seq = seq
    execute(naive, command)
    const emitted = naive.events
    naive.events = []
    return emitted
  }
  naive.commandAt = atMs
  naive.released = 0
  naive.units = 0
  naive.ownRiskUnits = 0
  runDue(naive, atMs)
  naive.seq = seq
  naive.lastAtMs = atMs
  brake.passTo(naive, atMs)
  react(naive)
  readyNamed(naive, command)
  const refusal = execute(naive, command)
  if (refusal) emitRejected(naive, refusal)
  const ticks = command.type === 'OracleTick' && !refusal
  react(naive, ticks ? { market: marketOf(naive, command.market), runKept } : null)
  if (!moneyIsConserved(naive)) throw new BrokenNaive(`money is not conserved at ${seq}`)
  const { events } = naive
  naive.events = []
  return events
}

/** CORE-2 step 3 */
function readyNamed(naive: Naive, command: Command): void {
  const moves = command.type === 'ApproveCredit' ? credits.movedBy(naive, command) : command
  if (moves?.type === 'MoveReserve') {
    for (const id of [moves.from, moves.to]) {
      const account = findAccount(naive, id)
      if (account) settleFunding(naive, account)
    }
  }
  const named = 'account' in command ? findAccount(naive, command.account) : undefined
  if (!named) return
  readyAccount(naive, named)
  const to = command.type === 'Transfer' ? findAccount(naive, command.to) : undefined
  if (to) settleFunding(naive, to)
}

/** Commands that no account gives. */
const ofVenue: {
  [T in CommandType]?: (naive: Naive, command: CommandOf<T>) => Rejection | null
} = {
  Deposit: accounts.deposit,
  CreditDeposit: credits.creditDeposit,
  ApproveCredit: credits.approveCredit,
  DropCredit: credits.dropCredit,
  ApproveWithdrawal: approvals.approveWithdrawal,
  CompleteWithdrawal: accounts.completeWithdrawal,
  FailWithdrawal: credits.failWithdrawal,
  UnbindAgent: agents.unbindAgent,
  SetApiKeyCredits: agents.setApiKeyCredits,
  ListMarket: markets.listMarket,
  ChangeMarket: markets.changeMarket,
  CancelMarketChange: markets.cancelMarketChange,
  SetMarketMode: modes.setMarketMode,
  SettleMarket: markets.settleMarket,
  SetFeeTiers: markets.setFeeTiers,
  SetExchangeMode: modes.setExchangeMode,
  MoveReserve: credits.moveByHand,
  SetOwnerLimit: owners.setOwnerLimit,
  SetInsuranceShare: reserves.setInsuranceShare,
  SetFundDailyMax: reserves.setFundDailyMax,
  SetWithdrawalLimits: approvals.setWithdrawalLimits,
  SetWithdrawalBrake: brake.setWithdrawalBrake,
  Breach: modes.breach,
  SetRulesVersion: modes.setRulesVersion,
  SetClockFrozen: modes.setClockFrozen,
  EngineStarted: prices.engineStarted,
  KeepNote: modes.keepNote,
  TellPast: modes.publishPast,
  OracleTick: prices.oracleTick,
  Tick: () => null,
}

const ofAccount: {
  [T in CommandType]?: (naive: Naive, command: CommandOf<T>, account: Account) => Rejection | null
} = {
  PlaceOrder: (naive, command, account) => placeOrder(naive, command, account),
  PlaceMarketOrder: (naive, command, account) => placeOrder(naive, command, account),
  PlaceStop: triggers.placeStop,
  SetPositionTpsl: levels.setPositionTpsl,
  EditOrder: cancels.editOrder,
  CancelOrder: cancels.cancelOrder,
  CancelStop: cancels.cancelOrder,
  CancelAllOrders: cancels.cancelAllOrders,
  Batch: runBatch,
  ScheduleCancel: cancels.scheduleCancel,
  ArmConnection: cancels.armConnection,
  DisarmConnection: cancels.disarmConnection,
  EndConnection: cancels.disarmConnection,
  PlaceTwap: twap.placeTwap,
  PlaceIceberg: iceberg.placeIceberg,
  PlaceChase: chase.placeChase,
  CancelTwap: twap.cancelTwap,
  PlaceOco: placeOco,
  SetMmp: protection.setMmp,
  ResetMmp: protection.resetMmp,
  Withdraw: accounts.withdraw,
  CreateSubaccount: accounts.createSubaccount,
  Transfer: accounts.transfer,
  SetLeverage: settings.setLeverage,
  SetMarginMode: settings.setMarginMode,
  MoveIsolatedMargin: settings.moveIsolatedMargin,
  BindAgent: agents.bindAgent,
  SetAgentPolicy: policies.setAgentPolicy,
  RevokeAgent: agents.revokeAgent,
  RevokeAllAgents: agents.revokeAllAgents,
  AllowAgentIp: agents.allowAgentIp,
  DisallowAgentIp: agents.disallowAgentIp,
  SetAgentIpFilter: agents.setAgentIpFilter,
  CreateApiKey: agents.createApiKey,
  RevokeApiKey: agents.revokeApiKey,
  FreezeAccount: accounts.freezeAccount,
}

type Run = (naive: Naive, command: Command, account?: Account) => Rejection | null

/** CORE-2 step 4, with the checks that come first for every account (CORE-4). */
function execute(naive: Naive, command: Command): Rejection | null {
  const venue = ofVenue[command.type] as Run | undefined
  if (venue) return venue(naive, command)
  const run = ofAccount[command.type] as Run | undefined
  if (!run || !('account' in command)) return refuse('UNSUPPORTED_OPERATION')
  const account = findAccount(naive, command.account)
  if (!account) return refuse('ACCOUNT_NOT_FOUND', given(command.account))
  // A batch looks at the texts of its actions itself.
  const refusal = command.type === 'Batch' ? null : admit(naive, account, [command as Signed])
  if (command.type === 'Transfer' && !findAccount(naive, command.to)) {
    return refuse('ACCOUNT_NOT_FOUND', given(command.to))
  }
  return refusal ?? run(naive, command, account)
}
