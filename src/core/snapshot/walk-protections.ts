// Writes and reads maker protections by account and market, and the queue of rows whose quotes
// must be cancelled.

import { rowOf } from '../margin/position-row.ts'
import { joinProtected } from '../orders/order-life.ts'
import { PROTECTED } from '../pools/order-pool.ts'
import { Protection } from '../state/protection.ts'
import type { State } from '../state/state.ts'
import { list, optionalNumber, type Stream } from './stream.ts'

export function walkProtections(stream: Stream, state: State): void {
  const { positions } = state
  const byPlace = [...state.protections].sort(
    ([one], [other]) =>
      positions.account[one]! - positions.account[other]! ||
      positions.market[one]! - positions.market[other]!,
  )
  list(stream, byPlace, (entry) => {
    const row = walkRow(stream, state, entry?.[0] ?? 0)
    const protection = walkProtection(stream, entry?.[1])
    if (stream.reading) state.protections.set(row, protection)
  })
  list(stream, state.mmpQueue.all(), (known) => {
    const row = walkRow(stream, state, known ?? 0)
    if (stream.reading) state.mmpQueue.add(row)
  })
}

function walkRow(stream: Stream, state: State, row: number): number {
  const { positions } = state
  const account = stream.number(positions.account[row] ?? 0)
  const market = stream.number(positions.market[row] ?? 0)
  return stream.reading ? rowOf(state, state.markets[market]!, account) : row
}

function walkProtection(stream: Stream, known: Protection | undefined): Protection {
  const limits = {
    windowMs: stream.number(known?.limits.windowMs ?? 0),
    frozenMs: stream.number(known?.limits.frozenMs ?? 0),
    maxLots: optionalNumber(stream, known?.limits.maxLots ?? null),
    maxNet: optionalNumber(stream, known?.limits.maxNet ?? null),
  } as Protection['limits']
  const protection = known ?? new Protection(limits)
  protection.until = optionalNumber(stream, protection.until)
  const { numbers, lots, nets } = protection
  for (let at = 0; at < numbers.length; at++) {
    numbers[at] = stream.number(numbers[at]!)
    if (numbers[at] === -1) continue
    lots[at] = stream.number(lots[at]!)
    nets[at] = stream.number(nets[at]!)
  }
  return protection
}

/** Derives the protected orders from their flags. */
export function deriveProtected(state: State): void {
  const { orders } = state
  for (let slot = 1; slot <= orders.used; slot++)
    if (orders.id(slot) !== 0 && (orders.flags(slot) & PROTECTED) !== 0)
      joinProtected(state, orders.position(slot), orders.id(slot))
}
