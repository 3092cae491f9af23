// The trading account: its numbers, positions, orders and fills, from the streams. Histories are
// requested when they are shown.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { atMark } from '../levels/trails.ts'
import type { MarketGrid } from '../market/market-grid.ts'
import type {
  AccountNumbers,
  AccountSetting,
  Fill,
  LiquidationEvent,
  OpenAlgo,
  OpenOrder,
  OpenTwap,
  Position,
  Prices,
} from '../wire.ts'
import { isStop, sizedBy } from './positions.ts'

export const fillsMax = 200
/** Default leverage of accounts without a setting. The exchange itself would use the maximum. */
const firstLeverageMax = 10

/** A liquidation or a deleveraging, which has one notice for all of its closes. */
export type Episode = Readonly<{
  about: string
  deleverages: boolean
  /** Starts of the liquidation, and payments of the insurance fund. */
  events: readonly LiquidationEvent[]
  fills: readonly Fill[]
  /** Margin that went to the backstop with cross positions, as a negative number; `null` if
   *  unknown. */
  moved: number | null
  at: number
}>

export class Account {
  readonly numbers: Signal<AccountNumbers | null> = signal(null)
  /** Whether the exchange requires a signed read for this account. */
  readonly hidden: Signal<boolean> = signal(false)
  /** Whether stops, levels and algos are hidden, because only their owner may read them and reads
   *  are not authenticated. */
  readonly stopsHidden: Signal<boolean> = signal(false)
  readonly positions: Signal<readonly Position[]> = signal([])
  readonly orders: Signal<readonly OpenOrder[]> = signal([])
  readonly twaps: Signal<readonly OpenTwap[]> = signal([])
  readonly algos: Signal<readonly OpenAlgo[]> = signal([])
  /** Newest first: the fills of this visit, followed by earlier ones. */
  readonly fills: Signal<readonly Fill[]> = signal([])
  /** Whether the newest fill before this visit is known. */
  fillsBegun = false
  /** The last forced closes that a notice shows; `null` if there are none. */
  forced: Episode | null = null
  /** Settings by symbol; `null` until they are received. */
  readonly settings: Signal<ReadonlyMap<string, AccountSetting> | null> = signal(null)
  /** Incremented when histories have new rows. */
  readonly changes: Signal<number> = signal(0)
  readonly resting: ReadonlySignal<readonly OpenOrder[]>
  readonly triggers: ReadonlySignal<readonly OpenOrder[]>

  constructor() {
    this.resting = computed(() => this.orders.value.filter((order) => !isStop(order)))
    this.triggers = computed(() => this.orders.value.filter(isStop))
  }

  happened(): void {
    this.changes.value = this.changes.peek() + 1
  }

  clear(): void {
    this.numbers.value = null
    this.hidden.value = false
    this.stopsHidden.value = false
    this.positions.value = []
    this.orders.value = []
    this.twaps.value = []
    this.algos.value = []
    this.settings.value = null
    this.forgetHistory()
  }

  /** Removes the fills. */
  forgetHistory(): void {
    this.fills.value = []
    this.fillsBegun = false
    this.forced = null
    this.happened()
  }

  /** Replaces the whole list of open orders. */
  setOrders(rows: readonly OpenOrder[]): void {
    this.orders.value = rows.filter(isOpen).toSorted((a, b) => b.i - a.i)
  }

  /** Updates the sizes of stops that close a whole position. */
  followSizes(): void {
    const before = this.orders.peek()
    const after = sizedBy(before, this.positions.peek())
    if (after.some((order, at) => order !== before[at])) this.orders.value = after
  }

  /** Moves trailing stops with the marks. */
  followMarks(prices: ReadonlyMap<string, Prices>, gridOf: (symbol: string) => MarketGrid): void {
    const before = this.orders.peek()
    if (!before.some(({ trailing }) => trailing !== undefined)) return
    const after = before.map((order) => {
      const mark = prices.get(order.s)?.mark
      return mark == null ? order : atMark(order, mark, gridOf(order.s).tick)
    })
    if (after.some((order, at) => order !== before[at])) this.orders.value = after
  }

  addFills(rows: readonly Fill[]): void {
    const newest = this.fills.peek()[0]?.h ?? 0
    const fresh = rows.filter(({ h }) => h > newest)
    this.fills.value = [...fresh.toReversed(), ...this.fills.peek()].slice(0, fillsMax)
    this.happened()
  }

  position(symbol: string): Position | undefined {
    return this.positions.value.find(({ s }) => s === symbol)
  }

  /** Sets the leverage here, so that it is known before the stream reports it. */
  applyLeverage(symbol: string, leverage: number): void {
    const at = this.settings.peek()
    const before = at?.get(symbol)
    const isolated = before?.isolated ?? false
    const times = { created_at: before?.created_at ?? 0, updated_at: before?.updated_at ?? 0 }
    const row = { symbol, isolated, ...times, leverage, leverage_set: true }
    this.settings.value = new Map(at ?? []).set(symbol, row)
  }

  /** Current leverage of the account on this market. */
  leverage(symbol: string, usual: number): number {
    return this.settings.value?.get(symbol)?.leverage ?? usual
  }

  /** The leverage to set before the first order of the terminal. `null` if the account has chosen
   *  one, or has a position or orders there, because then it must not be changed. */
  firstLeverage(symbol: string, most: number): number | null {
    const settings = this.settings.value
    if (settings === null || settings.get(symbol)?.leverage_set === true) return null
    const trades = this.position(symbol) !== undefined || this.workIn(symbol) > 0
    return trades ? null : Math.min(firstLeverageMax, most)
  }

  /** Number of open orders, stops, algos and TWAPs in a market. */
  private workIn(symbol: string): number {
    const algos = [...this.algos.value, ...this.twaps.value]
    const children = new Set(this.algos.value.map(({ child_order_id }) => child_order_id))
    const orders = this.orders.value.filter(({ s, i }) => s === symbol && !children.has(i))
    return orders.length + algos.filter((algo) => algo.symbol === symbol).length
  }

  /** Why the margin mode of a market cannot be changed now; `null` if it can. `only`: whether the
   *  market has isolated margin only. */
  modeLock(symbol: string, only: boolean): string | null {
    if (only) return `${symbol} has isolated margin only.`
    if (this.position(symbol) !== undefined)
      return `Close the position in ${symbol} to change the margin mode.`
    const count = this.workIn(symbol)
    if (count === 0) return null
    const work =
      count === 1 ? 'the open order, stop or algo' : `the ${count} orders, stops and algos`
    return `Cancel ${work} in ${symbol} to change the margin mode.`
  }

  isolated(symbol: string, only: boolean): boolean {
    return only || (this.settings.value?.get(symbol)?.isolated ?? false)
  }
}

function isOpen({ os }: OpenOrder): boolean {
  return os === 'open' || os === 'partially_filled'
}
