// An order book rebuilt from its changes. Each change names the previous one and has a checksum of
// the best levels. If the book becomes inconsistent, it is requested again, and `isWhole` is false
// until it arrives.

import { crc32 } from '../../protocol/streams/crc32.ts'
import type { DataOf, Frame, Gap, GapReason } from './frames.ts'
import type { Timers } from './timers.ts'

/** A price level of a book. */
export type Level = Readonly<{
  /** Price. */
  p: string
  /** Total size of the orders at this price. */
  a: string
  /** Number of orders. */
  n: number
}>

/** Callbacks of a book. */
export type BookHandlers = Readonly<{
  /** Called after each change that passed the checks. */
  changed?(book: Book): void
  /** Called when a change is missing or wrong. The book is then requested again. */
  gap?(gap: Gap): void
  /** Called when the exchange refused the subscription, which ends it. */
  refused?(error: Error): void
}>

type Side = Level[]
type Delta = DataOf<'book_delta'>

/** Number of levels per side that the checksum covers. */
const checkedLevels = 25
const repairMostMs = 10_000

export type BookParts = Readonly<{
  symbol: string
  handlers: BookHandlers
  timers: Timers
  /** Requests the whole book. */
  renew(gap: Gap): void
  end(): void
}>

/** The complete book of a market, kept up to date. */
export class Book {
  /** Symbol of the market. */
  readonly symbol: string
  /** Bids, best first. */
  readonly bids: readonly Level[] = []
  /** Asks, best first. */
  readonly asks: readonly Level[] = []
  /** Sequence number of the last change. */
  li = 0
  /** Engine time of the last change. */
  t = 0
  /** False until the book has arrived, and while a change is missing. */
  isWhole = false
  private readonly parts: BookParts
  private repairs = 0
  private callOffRepair: () => void = () => undefined

  constructor(parts: BookParts) {
    this.parts = parts
    this.symbol = parts.symbol
  }

  /** Ends the subscription. */
  close(): void {
    this.callOffRepair()
    this.isWhole = false
    this.parts.end()
  }

  /** @internal Applies a frame of the channel. */
  take({ data }: Frame<'book_delta'>): void {
    const problem = this.apply(data)
    if (problem === 'unasked') return
    if (problem !== null) return this.repair(problem)
    this.parts.handlers.changed?.(this)
  }

  /** @internal Called when the connection is lost. */
  down(): void {
    this.isWhole = false
  }

  /** @internal Called after a gap; the complete book follows. */
  lost(gap: Gap): void {
    this.isWhole = false
    this.parts.handlers.gap?.(gap)
  }

  private apply({ l, li, prev, t, cs }: Delta): 'sequence' | 'checksum' | 'unasked' | null {
    const [bids, asks] = [this.bids as Side, this.asks as Side]
    if (prev === null) {
      bids.length = 0
      asks.length = 0
    } else if (!this.isWhole) return 'unasked'
    else if (prev !== this.li) return 'sequence'
    for (const level of l[0]) put(bids, level, descending)
    for (const level of l[1]) put(asks, level, ascending)
    this.li = li
    this.t = t
    if (crc32(`${checkedText(bids)}|${checkedText(asks)}`) !== cs) return 'checksum'
    this.isWhole = true
    this.repairs = 0
    return null
  }

  /** Requests the book again: the first time immediately, then with growing delays, so that a
   *  persistent error does not cause a flood of requests. */
  private repair(reason: GapReason): void {
    const { timers, renew } = this.parts
    const wait = this.repairs === 0 ? 0 : Math.min(repairMostMs, 250 * 2 ** this.repairs)
    this.repairs = Math.min(this.repairs + 1, 10)
    this.isWhole = false
    const gap = { reason, skipped: 0 }
    this.callOffRepair()
    if (wait === 0) renew(gap)
    else this.callOffRepair = timers.after(wait, () => renew(gap))
  }
}

const checkedText = (side: readonly Level[]) =>
  side
    .slice(0, checkedLevels)
    .map(({ p, a }) => `${p}:${a}`)
    .join(',')

type Order = (one: string, other: string) => number

/** Compares decimals as the exchange writes them: without a sign or redundant zeros. */
const ascending: Order = (one, other) => {
  const [whole = '', part = ''] = one.split('.')
  const [otherWhole = '', otherPart = ''] = other.split('.')
  if (whole.length !== otherWhole.length) return whole.length - otherWhole.length
  if (whole !== otherWhole) return whole < otherWhole ? -1 : 1
  if (part === otherPart) return 0
  return part < otherPart ? -1 : 1
}
const descending: Order = (one, other) => ascending(other, one)

/** Inserts, replaces or removes a level. */
function put(side: Side, level: Level, order: Order): void {
  let low = 0
  let high = side.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(side[middle]!.p, level.p) < 0) low = middle + 1
    else high = middle
  }
  const known = side[low]?.p === level.p ? 1 : 0
  if (level.n === 0) side.splice(low, known)
  else side.splice(low, known, level)
}
