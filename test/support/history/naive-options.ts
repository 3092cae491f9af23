// Options that few orders have, which events report ahead of the order: expiry, protection, trail.

import type { Event, EventOf } from '../../../src/core/events/event-fields.ts'
import type { OrderRow } from '../../../src/projections/history/history.ts'

/** Events of an order that come between it and the order it replaces. */
export const aheadOfOrder: ReadonlySet<string> = new Set(['ExpirySet', 'OrderProtected'])

export class NaiveOptions {
  private readonly expiries = new Map<number, number>()
  private readonly protectedOrders = new Set<number>()
  private readonly trails = new Map<number, EventOf<'TrailSet'>>()

  take(event: Event): void {
    if (event.type === 'ExpirySet') this.expiries.set(event.order, event.time)
    if (event.type === 'OrderProtected') this.protectedOrders.add(event.order)
    if (event.type === 'TrailSet') this.trails.set(event.order, event)
  }

  of(order: number) {
    const { distance = 0, ppm = 0, activation = 0 } = this.trails.get(order) ?? {}
    const given = (ticks: number) => (ticks === 0 ? null : ticks)
    return {
      expireTime: this.expiries.get(order) ?? null,
      mmp: this.protectedOrders.has(order),
      trailDistance: given(distance),
      trailPpm: given(ppm),
      trailActivation: given(activation),
    }
  }
}

type Options =
  | 'expireTime'
  | 'mmp'
  | 'trailDistance'
  | 'trailPpm'
  | 'trailActivation'
  | 'oco'
  | 'source'
  | 'turned'

/** A step does not repeat them. */
export function withoutOptions<T extends Pick<OrderRow, Options>>(row: T): Omit<T, Options> {
  const {
    expireTime: _,
    mmp: __,
    trailDistance: ___,
    trailPpm: ____,
    trailActivation: _____,
    oco: ______,
    source: _______,
    turned: ________,
    ...step
  } = row
  return step
}
