// Batches (ORDER-10, ORDER-16): several actions of one account in one command, immediately or after
// the bump, signed one by one or all together.

import type {
  BatchAction,
  CommandOf,
  KeptAction,
  Level,
  Proof,
} from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { emit, emitRejected, findMarket, stands } from '../core/lookup.ts'
import { admit, hasBadUntimed, type Signed } from '../core/texts.ts'
import { unitsAreUsed } from '../core/units.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Naive } from '../state.ts'
import { listed } from '../triggers/level-words.ts'
import { setPositionTpsl } from '../triggers/levels.ts'
import { placeStop } from '../triggers/triggers.ts'
import { given, isInt } from '../units/numbers.ts'
import { cancelAllOrders, cancelOrder, editOrder, findCancelled } from './cancels.ts'
import { bumpOf, type InBatch, placeOrder } from './orders.ts'
import { quote } from './quotes.ts'
import { mayTake, mustFill } from './times-in-force.ts'

const allowed: readonly string[] = [
  'PlaceOrder',
  'PlaceMarketOrder',
  'CancelOrder',
  'CancelStop',
  'EditOrder',
  'SetPositionTpsl',
  'PlaceStop',
  'CancelAllOrders',
  'Quote',
]

export function runBatch(
  naive: Naive,
  command: CommandOf<'Batch'>,
  account: Account,
): Rejection | null {
  const actions = Array.isArray(command.actions) ? (command.actions as BatchAction[]) : []
  const whole = actions.filter((action) => typeof action === 'object' && action !== null)
  const together = command.proof !== undefined
  const signed = together ? [asOne(whole, command.proof ?? null)] : (whole as Signed[])
  const refusal = admit(naive, account, signed)
  if (refusal) return refusal
  const foreign =
    whole.length < actions.length ||
    whole.some((one) => one.account !== account.id || !allowed.includes(one.type))
  const untimed = together ? command.proof?.expiresAtMs === null : hasBadUntimed(whole)
  const mixed = together && whole.some((one) => one.proof)
  if (account.reserved || foreign || untimed || mixed) return refuse('UNSUPPORTED_OPERATION')
  const { batchActions, batchActionsEach } = bookOf(naive).limits
  const most = together ? batchActions : batchActionsEach
  if (actions.length < 1 || actions.length > most) return refuse('LIMIT_REACHED', most)
  const releaseAt = releaseOf(naive, actions)
  const firstId = naive.nextOrder
  for (const [index, one] of actions.entries()) {
    // The signer of all is the signer of each.
    const action = command.proof ? { ...one, proof: command.proof } : one
    emit(naive, { type: 'BatchActionStarted', index })
    const refused = runInBatch(naive, action, account, { releaseAt, firstId })
    if (refused) emitRejected(naive, refused)
  }
  return null
}

/** `batch`: as it began. Once the units of the command are used the rest of it is delayed. */
function runInBatch(
  naive: Naive,
  action: BatchAction,
  account: Account,
  batch: InBatch,
): Rejection | null {
  const mustRun = action.type === 'PlaceOrder' && mustFill(action.tif)
  const isRest = unitsAreUsed(naive) && !mustRun
  const releaseAt = batch.releaseAt ?? (isRest ? naive.now : null)
  if (releaseAt === null) return runAction(naive, action, account, batch)
  return delayAction(naive, action, account, { ...batch, releaseAt })
}

/** ORDER-16: the text of all actions. That of cancels alone has the room that is kept for them. */
function asOne(actions: readonly BatchAction[], proof: Proof | null): Signed {
  const cancels = actions.length > 0 && actions.every(({ type }) => type.startsWith('Cancel'))
  return { type: cancels ? 'CancelOrder' : 'Batch', proof }
}

/** When the speed bump of a delayed batch is over; null: nothing in it has to wait. */
function releaseOf(naive: Naive, actions: readonly BatchAction[]): number | null {
  let longest: number | null = null
  for (const action of actions) {
    const takes =
      action.type === 'PlaceMarketOrder' || (action.type === 'PlaceOrder' && mayTake(action.tif))
    const market = findMarket(naive, action.market)
    if (!takes || !market) continue
    const bump = bumpOf(naive, market)
    if (bump > 0 || !stands(market)) longest = Math.max(longest ?? 0, bump)
  }
  return longest === null ? null : naive.now + longest
}

/** As its own command would run (CORE-2 step 4), without a look at accounts and texts. */
export function runAction(
  naive: Naive,
  action: BatchAction,
  account: Account,
  batch: InBatch | null = null,
): Rejection | null {
  switch (action.type) {
    case 'PlaceOrder':
    case 'PlaceMarketOrder':
      return placeOrder(naive, action, account, batch)
    case 'CancelOrder':
    case 'CancelStop':
      return cancelOrder(naive, action, account)
    case 'EditOrder':
      return editOrder(naive, action, account)
    case 'SetPositionTpsl':
      return setPositionTpsl(naive, action, account)
    case 'PlaceStop':
      return placeStop(naive, action, account)
    case 'CancelAllOrders':
      return cancelAllOrders(naive, action, account)
    case 'Quote':
      return quote(naive, action, account)
  }
}

function delayAction(
  naive: Naive,
  action: BatchAction,
  account: Account,
  batch: InBatch & { releaseAt: number },
): Rejection | null {
  if (action.type === 'PlaceOrder' || action.type === 'PlaceMarketOrder') {
    return placeOrder(naive, action, account, batch)
  }
  if (action.type === 'CancelAllOrders') {
    return cancelAllOrders(naive, action, account, batch.firstId)
  }
  if (action.type === 'CancelOrder' || action.type === 'CancelStop') {
    const found = findCancelled(naive, action, account)
    // No cancel waits, but of what this batch has placed itself.
    if (!found || found.id < batch.firstId) return cancelOrder(naive, action, account)
  }
  if (!findMarket(naive, action.market)) return refuse('BOOK_NOT_FOUND', given(action.market))
  if (!canBeKept(naive, action)) return refuse('INVALID_PARAMETER', 0)
  const id = naive.nextOrder
  naive.nextOrder += 1
  const kept = structuredClone(action)
  const { releaseAt, firstId } = batch
  naive.deferred.push({ id, account: account.id, batch: firstId, releaseAt, action: kept })
  emit(naive, { type: 'ActionDeferred', action: id, account: account.id })
  return null
}

/** ORDER-10: what waits in the state must be whole numbers, words and short texts. */
function canBeKept(naive: Naive, action: KeptAction): boolean {
  const isWhole = (value: unknown) => value == null || isInt(value)
  const isWord = (side: string) => ['bid', 'ask'].includes(side)
  const isShort = (text: unknown) =>
    text == null ||
    (typeof text === 'string' && text.length >= 1 && text.length <= limits.textLength)
  const isGood = (level: Level) => {
    const { stopPrice, limitPrice, size, triggerBy, clientOrderId, trail, slippagePpm } = level
    const word = ['mark', 'last', 'mid'].includes(triggerBy)
    return (
      word &&
      isInt(stopPrice) &&
      isWhole(limitPrice) &&
      isWhole(size) &&
      isWhole(slippagePpm) &&
      isShort(clientOrderId) &&
      Object.values(trail ?? {}).every(isWhole)
    )
  }
  if (action.type === 'SetPositionTpsl' || action.type === 'PlaceStop') {
    const kinds = [listed(action.takeProfit), listed(action.stopLoss)]
    const few = kinds.every(({ length }) => length <= bookOf(naive).limits.levelsPerKind)
    if (!isWord(action.side) || !few || !kinds.flat().every(isGood)) return false
    if (action.type === 'SetPositionTpsl') return true
    const directed = [undefined, null, true, false].includes(action.up)
    return isGood(action.level) && isWhole(action.expireTime) && directed
  }
  if (action.type === 'Quote') {
    const { side, price, size, clientOrderId } = action
    const named = clientOrderId != null && isShort(clientOrderId)
    return isWord(side) && isInt(price) && isInt(size) && named
  }
  const numbers = action.type === 'EditOrder' ? [action.price, action.size] : []
  return numbers.every(isInt) && isWhole(action.order) && isShort(action.clientOrderId)
}
