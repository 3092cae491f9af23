// The markets, their prices, and the selected market. Prices of all markets arrive together, at
// most four times per second.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { PreferenceStore } from '../preferences.ts'
import type { FeeLevel, Limits, Market, MarketRisk, Prices } from '../wire.ts'
import { gridOf, type MarketGrid } from './market-grid.ts'

/** Limits of the exchange that the ticket checks before it sends, and the volumes of fee levels. */
export type TicketLimits = Pick<
  Limits,
  | 'iceberg_parts'
  | 'levels_per_kind'
  | 'twap_seconds_min'
  | 'twap_seconds_max'
  | 'fee_level_volumes'
>

/** Defaults until the limits of the exchange are received. The exchange itself checks a TWAP's
 *  duration. */
export const untoldLimits: TicketLimits = {
  iceberg_parts: 100,
  levels_per_kind: 5,
  twap_seconds_min: 1,
  twap_seconds_max: Number.MAX_SAFE_INTEGER,
  fee_level_volumes: [],
}

export class Markets {
  readonly list: Signal<readonly Market[]> = signal([])
  readonly prices: Signal<ReadonlyMap<string, Prices>> = signal(new Map())
  readonly fees: Signal<readonly FeeLevel[]> = signal([])
  readonly risk: Signal<ReadonlyMap<string, MarketRisk>> = signal(new Map())
  readonly limits: Signal<TicketLimits> = signal(untoldLimits)
  /** The selected symbol. The symbol of the last visit is used if it is still listed. */
  readonly symbol: ReadonlySignal<string>
  readonly market: ReadonlySignal<Market | undefined>
  readonly grid: ReadonlySignal<MarketGrid>
  readonly price: ReadonlySignal<Prices | undefined>
  readonly mark: ReadonlySignal<number>
  /** Status of the selected market. */
  readonly standing: ReadonlySignal<MarketRisk | undefined>
  readonly status: ReadonlySignal<MarketRisk['status'] | undefined>
  private readonly preferences: PreferenceStore

  constructor(preferences: PreferenceStore) {
    this.preferences = preferences
    this.symbol = computed(() => {
      const wanted = preferences.now.value.symbol
      const list = this.list.value
      if (list.length === 0 || list.some(({ symbol }) => symbol === wanted)) return wanted
      return list[0]!.symbol
    })
    this.market = computed(() => this.list.value.find(({ symbol }) => symbol === this.symbol.value))
    this.grid = computed(() => gridOf(this.market.value ?? { tick_size: '1', lot_size: '1' }))
    this.price = computed(() => this.prices.value.get(this.symbol.value))
    this.mark = computed(() => Number(this.price.value?.mark ?? 0))
    this.standing = computed(() => this.risk.value.get(this.symbol.value))
    this.status = computed(() => this.standing.value?.status)
  }

  /** Grid of any market. */
  gridOf(symbol: string): MarketGrid {
    const market = this.list.value.find((each) => each.symbol === symbol)
    return gridOf(market ?? { tick_size: '0.01', lot_size: '0.01' })
  }

  /** Taker fee rate of a tier; `null` if unknown. */
  takerFee(tier: number | undefined): number | null {
    const level = this.fees.value.find((each) => each.level === tier)
    return level === undefined ? null : Number(level.taker_fee_rate)
  }

  choose(symbol: string): void {
    this.preferences.change({ symbol })
  }

  updatePrices(rows: readonly Prices[]): void {
    this.prices.value = new Map(rows.map((row) => [row.symbol, row]))
  }

  /** Updates the risk data of the given markets. */
  updateRisk(rows: readonly MarketRisk[]): void {
    const entries = rows.map((row) => [row.symbol, row] as const)
    this.risk.value = new Map([...this.risk.peek(), ...entries])
  }

  updateStatus(symbol: string, now: Pick<MarketRisk, 'status' | 'mode' | 'price_state'>): void {
    const before = this.risk.peek().get(symbol)
    if (before === undefined) return
    this.risk.value = new Map(this.risk.peek()).set(symbol, { ...before, ...now })
  }

  /** Risk tier of a position value; undefined if unknown. */
  tierOf(symbol: string, value: number): MarketRisk['risk_tiers'][number] | undefined {
    const tiers = this.risk.value.get(symbol)?.risk_tiers
    return tiers?.findLast(({ from_value }) => Number(from_value) <= value)
  }

  toggleFavourite(symbol: string): void {
    const { favourites } = this.preferences.now.peek()
    const without = favourites.filter((each) => each !== symbol)
    const is = without.length !== favourites.length
    this.preferences.change({ favourites: is ? without : [...favourites, symbol] })
  }
}

/** Relative change over the last 24 hours. */
export function dayChange({ mark, yesterday_price }: Prices): number {
  const before = Number(yesterday_price)
  return before > 0 ? Number(mark) / before - 1 : Number.NaN
}
