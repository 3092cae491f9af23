// Executes several actions of one account in one command, in order and without interleaving
// (ORDER-10). Each action is signed separately, or all of them together (ORDER-16).

import { timesInForce } from '../../words/order-words.ts'
import {
  accountRefusal,
  agentRefusal,
  marketRefusal,
  meetAgent,
  unsupportedRefusal,
} from '../admission/admit.ts'
import { isUrgent, type Signed, takeTexts } from '../admission/signed-texts.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type {
  Batch,
  BatchAction,
  CancelOrder,
  CancelStop,
  KeptAction,
  Level,
  Levels,
} from '../commands/commands.ts'
import { levelList } from '../commands/level-ids.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { RUNS_NOW, sideOf } from '../drafts/draft.ts'
import { isTif } from '../drafts/times-in-force.ts'
import type { EventLog } from '../events/event-log.ts'
import { rejected } from '../events/rejected.ts'
import { isTriggerBy } from '../levels/level-checks.ts'
import { setAdmittedTpsl } from '../levels/set-tpsl.ts'
import { WAITING } from '../pools/order-pool.ts'
import { stands } from '../prices/trading.ts'
import type { KeptBatch, State } from '../state/state.ts'
import { hasUnits } from '../timing/command-units.ts'
import { planKept } from '../timing/schedule.ts'
import { placeAdmittedStop } from '../triggers/place-stop.ts'
import { cancelAdmitted, cancelAllAdmitted, notFound } from './cancel-order.ts'
import { editAdmitted } from './edit-order.ts'
import { findAlgo, findFired, findSlot, findTrigger } from './find-order.ts'
import { placeAdmitted, releaseTime } from './place-order.ts'
import { quoteAdmitted } from './quote.ts'

export function runBatch(state: State, log: EventLog, batch: Batch): Rejection | null {
  const refusal = batchRefusal(state, log, batch)
  if (refusal !== null) return refusal
  const bumpEnd = batchRelease(state, batch)
  const firstId = state.nextOrderId
  const kept = { bumpEnd: Math.max(bumpEnd, state.atMs), orders: new Set<number>(), actions: [] }
  actionsOf(batch).forEach((action, index) => {
    log.write({ type: 'BatchActionStarted', index })
    const refused =
      (action.market === null ? null : marketRefusal(state, action.market)) ??
      (bumpEnd === RUNS_NOW && (hasUnits(state) || isFok(action))
        ? runAction(state, log, action)
        : delayAction(state, log, action, kept, firstId))
    if (refused !== null) rejected(log, refused)
  })
  if (kept.actions.length !== 0) keepBatch(state, kept, firstId)
  return null
}

/** A FOK order is never delayed for lack of units; it is rejected instead (CORE-5). */
function isFok(action: BatchAction): boolean {
  return action.type === 'PlaceOrder' && action.tif === 'FOK'
}

/** Keeps the batch: its deferred actions wait for its orders. */
function keepBatch(state: State, kept: KeptBatch, firstId: number): void {
  const { orders } = state
  for (let id = firstId; id < state.nextOrderId; id++) {
    const slot = orders.slotOf(id)
    if (slot === 0 || orders.stage(slot) !== WAITING) continue
    kept.orders.add(id)
    state.keptBatches.set(id, kept)
  }
  if (kept.orders.size === 0) planKept(state, kept)
}

/** The signature of the batch covers each of its actions, so that a deferred action knows its
 *  agent. */
function actionsOf({ actions, proof = null }: Batch): readonly BatchAction[] {
  return proof === null ? actions : actions.map((action) => ({ ...action, proof }))
}

/** The signed requests of a batch. One request that contains only cancels may use the reserved
 *  memory for cancels. */
function signedOf({ account, actions, proof }: Batch): readonly Signed[] {
  if (proof === null) return []
  if (proof === undefined)
    return actions
      .filter((action) => action.proof !== null)
      .map(({ type, market, proof }) => ({ type, account, market, proof }))
  const [first] = actions
  return [{ type: first && actions.every(isUrgent) ? first.type : 'Batch', account, proof }]
}

/** Checks account, agents and signed requests of the whole batch. The requests are remembered if
 *  all agents may act and all requests are new. */
function batchRefusal(state: State, log: EventLog, batch: Batch): Rejection | null {
  const { account, actions } = batch
  const unknown = accountRefusal(state, account)
  if (unknown !== null) return unknown
  const signed = signedOf(batch)
  const agent = signed
    .map(({ proof }) => agentRefusal(state, account, proof!, 'trade'))
    .find((refusal) => refusal !== null)
  const refusal = agent ?? takeTexts(state, signed)
  if (refusal !== null) return refusal
  for (const each of signed) meetAgent(state, log, each)
  const foreign = actions.some((action) => action.account !== account)
  const misused = signed.some((each) => unsupportedRefusal(state, each) !== null)
  const together = batch.proof !== undefined
  const mixed = together && actions.some(({ proof }) => proof !== null)
  if (foreign || misused || mixed || state.accounts.reserved[account] === 1)
    return refuse('UNSUPPORTED_OPERATION')
  const { batchActions, batchActionsEach } = state.rules.limits
  const most = together ? batchActions : batchActionsEach
  return actions.length < 1 || actions.length > most ? refuse('LIMIT_REACHED', most) : null
}

/** When the speed bump of the batch ends, if one of its orders has to wait. RUNS_NOW: no order
 *  waits. */
function batchRelease(state: State, { actions }: Batch): number {
  let latest = RUNS_NOW
  for (const action of actions) {
    const market = state.markets[action.market ?? 0]
    if (market === undefined) continue
    const takes =
      action.type === 'PlaceMarketOrder' ||
      (action.type === 'PlaceOrder' && isTif(action.tif) && timesInForce[action.tif].takes)
    if (!takes) continue
    latest = Math.max(latest, releaseTime(state, market), stands(market) ? latest : state.atMs)
  }
  return latest
}

/** Runs an action whose account, agent and signed request have been accepted. */
export function runAction(state: State, log: EventLog, action: BatchAction): Rejection | null {
  switch (action.type) {
    case 'PlaceOrder':
    case 'PlaceMarketOrder':
      return placeAdmitted(state, log, action, RUNS_NOW)
    case 'CancelOrder':
    case 'CancelStop':
      return cancelAdmitted(state, log, action)
    case 'EditOrder':
      return editAdmitted(state, log, action)
    case 'SetPositionTpsl':
      return setAdmittedTpsl(state, log, action)
    case 'PlaceStop':
      return placeAdmittedStop(state, log, action)
    case 'CancelAllOrders':
      return cancelAllAdmitted(state, log, action, state.nextOrderId)
    case 'Quote':
      return quoteAdmitted(state, log, action)
    default:
      action satisfies never
      return refuse('UNSUPPORTED_OPERATION')
  }
}

/** The id of the order, algo, stop or level that a cancel names, or 0. */
function liveId(state: State, action: CancelOrder | CancelStop): number {
  const { account, market } = action
  if (action.type === 'CancelOrder') {
    const slot = findSlot(state, account, market, action)
    const id = slot === 0 ? findAlgo(state, account, market, action)?.id : state.orders.id(slot)
    if (id !== undefined) return id
  }
  const fired = findFired(state, account, market, action)
  if (fired !== 0) return state.orders.id(fired)
  return findTrigger(state, account, market, action)?.id ?? 0
}

/** Deferred actions may contain only integers, known words and short texts, because a snapshot must
 *  be able to store them. */
function isKeepable(state: State, action: KeptAction): boolean {
  if (action.type === 'PlaceStop')
    return (
      sideOf(action.side) >= 0 &&
      isKeepableLevel(action.level) &&
      [action.takeProfit, action.stopLoss].every((levels) => areKeepable(state, levels)) &&
      isWhole(action.expireTime ?? null) &&
      (action.up == null || typeof action.up === 'boolean')
    )
  if (action.type === 'SetPositionTpsl')
    return (
      sideOf(action.side) >= 0 &&
      [action.takeProfit, action.stopLoss].every((levels) => areKeepable(state, levels))
    )
  if (action.type === 'Quote')
    return (
      sideOf(action.side) >= 0 &&
      Number.isSafeInteger(action.price) &&
      Number.isSafeInteger(action.size) &&
      action.clientOrderId !== null &&
      textRefusal(action.clientOrderId) === null
    )
  const edits = action.type === 'EditOrder'
  return (
    (!edits || (Number.isSafeInteger(action.price) && Number.isSafeInteger(action.size))) &&
    isWhole(action.order) &&
    textRefusal(action.clientOrderId) === null
  )
}

function areKeepable({ rules }: State, levels: Levels | undefined): boolean {
  const list = levelList(levels)
  return list.length <= rules.limits.levelsPerKind && list.every(isKeepableLevel)
}

function isKeepableLevel(level: Level): boolean {
  return (
    Number.isSafeInteger(level.stopPrice) &&
    isWhole(level.limitPrice) &&
    isWhole(level.size) &&
    isWhole(level.slippagePpm ?? null) &&
    isTriggerBy(level.triggerBy) &&
    Object.values(level.trail ?? {}).every(isWhole) &&
    textRefusal(level.clientOrderId) === null
  )
}

function isWhole(number: number | null): boolean {
  return number === null || Number.isSafeInteger(number)
}

/** Cancels of existing orders run now, orders wait, and all other actions are deferred until the
 *  release. */
function delayAction(
  state: State,
  log: EventLog,
  action: BatchAction,
  batch: KeptBatch,
  firstId: number,
): Rejection | null {
  if (action.type === 'PlaceOrder' || action.type === 'PlaceMarketOrder')
    return placeAdmitted(state, log, action, batch.bumpEnd)
  if (action.type === 'CancelAllOrders') return cancelAllAdmitted(state, log, action, firstId)
  if (action.type === 'CancelOrder' || action.type === 'CancelStop') {
    const id = liveId(state, action)
    if (id === 0) return notFound(action.order)
    if (id < firstId) return cancelAdmitted(state, log, action)
  }
  if (!isKeepable(state, action)) return refuse('INVALID_PARAMETER', 0)
  const id = state.nextOrderId++
  state.deferred.set(id, { action, batch, dueAt: null })
  batch.actions.push(id)
  log.write({ type: 'ActionDeferred', action: id, account: action.account })
  return null
}
