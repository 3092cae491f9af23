// The newest trades of the selected market. This is not a signal, because a busy market changes
// more often than the screen. It is read once per frame.

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
  /** Trades, newest first. */
  rows: TapeRow[] = []
  last: TapeRow | null = null
  private readonly listeners = new Set<() => void>()

  clear(): void {
    this.rows = []
    this.last = null
    this.changed()
  }

  /** Adds rows, oldest first. Known rows are skipped. */
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
