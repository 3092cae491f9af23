// ORDER-10: an order of a kept action that is refused at its release, or removed before, is emitted
// as an order that ended immediately.

import type { KeptAction, Level } from '../../../src/core/commands/commands.ts'
import type { EventOf } from '../../../src/core/events/event-fields.ts'
import type { Side } from '../../../src/words/order-words.ts'
import { accountOf, byId, emit, marketOf, ordersOf, otherSide, refers } from '../core/lookup.ts'
import type { Account, Deferred, Naive, Stop } from '../state.ts'
import { listed } from '../triggers/level-words.ts'
import { seeMark, trailOf } from '../triggers/trailing.ts'
import { asBytes } from '../units/numbers.ts'
import { liveClients } from './order-checks.ts'
import { emitStopPlaced } from './order-events.ts'

type As = Readonly<{ kind: Stop['kind']; side: Side; reduceOnly: boolean; up: boolean | null }>

type Why = Pick<EventOf<'OrderCancelled'>, 'reason' | 'rejection'>

/** Kept actions that never run. */
export function forget(
  naive: Naive,
  reason: Why['reason'],
  gone: (one: Deferred) => boolean,
  rejection = 0,
): void {
  const meant = naive.deferred.filter(gone).sort(byId)
  naive.deferred = naive.deferred.filter((one) => !meant.includes(one))
  for (const { account, action } of meant)
    emitUnplaced(naive, accountOf(naive, account), action, { reason, rejection })
}

export function cancels({ type }: KeptAction): boolean {
  return type === 'CancelOrder' || type === 'CancelStop'
}

export function emitUnplaced(naive: Naive, account: Account, action: KeptAction, why: Why): void {
  const taken = liveClients(naive, account)
  const free = (client: string | null | undefined) =>
    client == null || taken.includes(asBytes(client)) ? null : client
  const stop = (level: Level, as: As) => {
    const refused = stopOf(naive, action, level, as)
    seeMark(refused, marketOf(naive, action.market).mark)
    const { id, ...fields } = refused
    emitStopPlaced(naive, { ...fields, id, client: free(fields.client) })
    end(
      naive,
      action,
      { id, side: as.side, price: level.limitPrice ?? 0, size: level.size ?? 0 },
      why,
    )
  }
  if (action.type === 'PlaceStop') {
    const { side, level, reduceOnly, up = null } = action
    stop(level, { kind: 'stop', side, reduceOnly, up })
  } else if (action.type === 'SetPositionTpsl') {
    const as = { side: otherSide(action.side), reduceOnly: true, up: null }
    for (const level of listed(action.takeProfit)) stop(level, { ...as, kind: 'take_profit' })
    for (const level of listed(action.stopLoss)) stop(level, { ...as, kind: 'stop_loss' })
  } else if (action.type === 'Quote' && action.size !== 0) {
    const { side, clientOrderId } = action
    order(naive, action, { side, reduceOnly: false, parent: 0, client: free(clientOrderId) }, why)
  } else if (action.type === 'EditOrder') {
    const old = ordersOf(naive, account, marketOf(naive, action.market))
      .sort(byId)
      .find((one) => refers(action, one) && (one.origin !== 'algo' || one.isMarket))
    if (!old) return
    const { side, reduceOnly, id: parent } = old
    order(naive, action, { side, reduceOnly, parent, client: null }, why)
  }
}

function nextId(naive: Naive): number {
  naive.nextOrder += 1
  return naive.nextOrder - 1
}

function stopOf(naive: Naive, action: KeptAction, level: Level, as: As): Stop {
  return {
    ...as,
    id: nextId(naive),
    account: action.account,
    agent: null,
    market: action.market,
    stopPrice: BigInt(level.stopPrice),
    trail: trailOf(level),
    limitPrice: BigInt(level.limitPrice ?? 0),
    size: BigInt(level.size ?? 0),
    wanted: BigInt(level.size ?? 0),
    triggerBy: level.triggerBy,
    expireTime: null,
    parent: 0,
    armed: true,
    lastSlip: null,
    slippage: null,
    client: level.clientOrderId ?? null,
  }
}

type Terms = Readonly<{ side: Side; reduceOnly: boolean; parent: number; client: string | null }>
type Priced = Extract<KeptAction, { type: 'Quote' | 'EditOrder' }>

function order(naive: Naive, action: Priced, { client, ...terms }: Terms, why: Why): void {
  const id = nextId(naive)
  const { account, market, price, size } = action
  emit(naive, {
    type: 'OrderPlaced',
    order: id,
    ...{ account, market, price, size, ...terms },
    tif: 'ALO',
    origin: 'user',
    waiting: false,
    orderType: 'limit',
    clientOrderId: client,
  })
  end(naive, action, { id, side: terms.side, price, size }, why)
}

function end(
  naive: Naive,
  { account, market }: KeptAction,
  { id, side, price, size }: Readonly<{ id: number; side: Side; price: number; size: number }>,
  why: Why,
): void {
  const fields = { order: id, account, market, side, price, remaining: size }
  emit(naive, { type: 'OrderCancelled', ...fields, ...why, levelLots: -1 })
}
