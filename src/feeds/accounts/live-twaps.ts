// The running TWAPs of one account, updated event by event.

import { type EventOf, type ExchangeView, twapEnd } from '../../core/index.ts'

export type LiveTwap = {
  readonly id: number
  readonly clientOrderId: string | null
  readonly market: number
  readonly side: 'bid' | 'ask'
  readonly lots: number
  readonly slices: number
  readonly reduceOnly: boolean
  readonly slippagePpm: number
  readonly createdAt: number
  done: number
  filled: number
  /** Value of its fills, in micro-dollars. */
  value: number
  updatedAt: number
}

type Step = (twap: LiveTwap, event: string, status: string) => void

const endings = {
  owner: 'cancel',
  liquidation: 'force_cancel',
  market_closed: 'force_cancel',
  refused: 'force_cancel',
  expired: 'expired',
  finished: 'expired',
} as const

export class LiveTwaps {
  private readonly twaps = new Map<number, LiveTwap>()
  private readonly step: Step

  constructor({ orders }: ExchangeView, account: number, step: Step) {
    this.step = step
    for (const twap of [...orders.twapsOf(account)].reverse())
      this.twaps.set(twap.order, {
        id: twap.order,
        clientOrderId: twap.clientOrderId,
        market: twap.market,
        side: twap.side,
        lots: twap.initialLots,
        slices: twap.slices,
        reduceOnly: twap.reduceOnly,
        slippagePpm: twap.slippagePpm,
        createdAt: twap.createdAt,
        done: twap.past,
        filled: twap.filledLots,
        value: twap.filledValue,
        updatedAt: twap.updatedAt,
      })
  }

  all(): LiveTwap[] {
    return [...this.twaps.values()]
  }

  placed(event: EventOf<'AlgoPlaced'>, atMs: number): void {
    if (event.kind !== 'twap') return
    const { order: id, size: lots, clientOrderId, market, side } = event
    const { slices, reduceOnly, slippagePpm } = event
    const terms = { id, clientOrderId, market, side, lots, slices, reduceOnly, slippagePpm }
    const twap = { ...terms, createdAt: atMs, done: 0, filled: 0, value: 0, updatedAt: atMs }
    this.twaps.set(id, twap)
    this.step(twap, 'twap_created', 'open')
  }

  sliced(id: number, slice: number, atMs: number): void {
    const twap = this.twaps.get(id)
    if (twap === undefined) return
    twap.done = slice
    twap.updatedAt = atMs
    this.step(twap, 'twap_triggered', statusOf(twap))
  }

  filled({ algo: id, filled, filledValue }: EventOf<'AlgoFilled'>, atMs: number): void {
    const twap = this.twaps.get(id)
    if (twap === undefined) return
    twap.filled = filled
    twap.value = filledValue
    twap.updatedAt = atMs
    this.step(twap, 'fulfill_market', statusOf(twap))
  }

  ended({ algo: id, reason }: EventOf<'AlgoEnded'>, atMs: number): void {
    const twap = this.twaps.get(id)
    if (twap === undefined) return
    this.twaps.delete(id)
    twap.updatedAt = atMs
    // A TWAP that finished because it is filled was already reported with its last fill.
    if (reason !== 'finished' || twap.filled < twap.lots)
      this.step(twap, endings[reason], 'cancelled')
  }
}

function statusOf({ filled, lots }: LiveTwap): string {
  if (filled === 0) return 'open'
  return filled < lots ? 'partially_filled' : 'filled'
}

/** Time of the last slice. */
export function expirationOf({ createdAt, slices }: LiveTwap): number {
  return twapEnd(createdAt, slices)
}
