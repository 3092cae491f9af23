// Levels that come with an order, or with a stop that will make one (TRIG-5, TRIG-13).

import type { Level } from '../../../src/core/commands/commands.ts'
import { otherSide } from '../core/lookup.ts'
import { emitStopPlaced } from '../orders/order-events.ts'
import type { Naive, Stop } from '../state.ts'
import { slippageOf } from './level-words.ts'
import { trailOf } from './trailing.ts'

type Brought = Readonly<{ takeProfit: readonly Level[]; stopLoss: readonly Level[] }>

type Parent = Pick<Stop, 'id' | 'account' | 'market' | 'side'>

/** The levels of an order or a stop, unarmed. */
export function attach(
  naive: Naive,
  order: Parent,
  agent: string | null,
  { takeProfit, stopLoss }: Brought,
): void {
  for (const level of takeProfit) attachOne(naive, order, agent, 'take_profit', level)
  for (const level of stopLoss) attachOne(naive, order, agent, 'stop_loss', level)
}

function attachOne(
  naive: Naive,
  order: Parent,
  agent: string | null,
  kind: 'take_profit' | 'stop_loss',
  level: Level,
): void {
  const stop: Stop = {
    id: naive.nextOrder,
    account: order.account,
    agent,
    market: order.market,
    side: otherSide(order.side),
    kind,
    stopPrice: BigInt(level.stopPrice),
    trail: trailOf(level),
    up: null,
    limitPrice: BigInt(level.limitPrice ?? 0),
    size: BigInt(level.size ?? 0),
    wanted: BigInt(level.size ?? 0),
    triggerBy: level.triggerBy,
    reduceOnly: true,
    expireTime: null,
    parent: order.id,
    armed: false,
    lastSlip: null,
    slippage: slippageOf(level),
    client: level.clientOrderId ?? null,
  }
  naive.nextOrder += 1
  naive.stops.push(stop)
  emitStopPlaced(naive, stop)
}
