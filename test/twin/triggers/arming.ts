// Attached levels become those of a position (TRIG-5).

import { byId, emit, holdingOf, signOfSide } from '../core/lookup.ts'
import { endStop } from '../orders/endings.ts'
import type { Account, Holding, Market, Naive, Order, Stop } from '../state.ts'
import { abs, min, num, signOf } from '../units/numbers.ts'
import { extremeOf, seeMark } from './trailing.ts'

/** TRIG-5: after a fill of their order its levels become those of the position it made. */
export function armLevels(naive: Naive, account: Account, market: Market, order: Order): void {
  const holding = holdingOf(account, market)
  if (signOf(holding.lots) !== signOfSide(order.side)) return
  for (const kind of ['take_profit', 'stop_loss'] as const) {
    const slot = kind === 'take_profit' ? 'takeProfit' : 'stopLoss'
    const own = naive.stops.filter((stop) => stop.parent === order.id && stop.kind === kind)
    // TRIG-12: the first time, what the position has from elsewhere makes room for all of them.
    if (own.some((level) => !level.armed)) {
      const others = naive.stops.filter((stop) => holding[slot].includes(stop.id))
      for (const stop of others.sort(byId)) {
        if (stop.parent !== order.id) endStop(naive, stop, 'replaced')
      }
    }
    for (const level of own.sort(byId))
      armLevel(naive, { holding, slot, mark: market.mark, filled: order.filled }, level)
  }
}

type Arming = Readonly<{
  holding: Holding
  slot: 'takeProfit' | 'stopLoss'
  mark: bigint
  filled: bigint
}>

function armLevel(naive: Naive, { holding, slot, mark, filled }: Arming, level: Stop): void {
  const size = min(level.wanted, min(filled, abs(holding.lots)))
  if (level.armed) {
    const present = holding[slot].includes(level.id)
    if (!present || level.wanted === 0n || size <= level.size) return
  } else {
    level.armed = true
    holding[slot].push(level.id)
    seeMark(level, mark)
  }
  level.size = size
  emit(naive, {
    type: 'StopArmed',
    order: level.id,
    account: level.account,
    market: level.market,
    size: num(size),
    extreme: num(extremeOf(level)),
  })
}
