// The newest trades of the selected market. Not a signal: a busy market has more changes than a
// screen has frames, so it is read once a frame.

import type { Trade } from '../wire.ts'

const keptMax = 100

export type TapeRow = Readonly<{
  id: number
  price: string
  size: string
  buys: boolean
  at: number
  forced: boolean
}>

export class Tape {
  /** Newest first. */
  rows: TapeRow[] = []
  last: TapeRow | null = null
  private readonly listeners = new Set<() => void>()

  clear(): void {
    this.rows = []
    this.last = null
    this.changed()
  }

  /** Rows oldest first, as they arrive; known ones are skipped. */
  add(rows: readonly TapeRow[]): void {
    const newest = this.rows[0]?.id ?? 0
    const fresh = rows.filter(({ id }) => id > newest)
    if (fresh.length === 0) return
    this.rows = [...fresh.toReversed(), ...this.rows].slice(0, keptMax)
    this.last = this.rows[0]!
    this.changed()
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private changed(): void {
    for (const listener of this.listeners) listener()
  }
}

export function tapeRow({ h, p, a, side, tc, t }: Trade): TapeRow {
  return { id: h, price: p, size: a, buys: side === 'bid', at: t, forced: tc !== 'normal' }
}
