// Preferences kept between visits: appearance, sizes of panels, favourites. They are stored in the
// browser as one JSON text. Unreadable or outdated values fall back to the defaults.

import { effect, type Signal, signal } from '@preact/signals'
import { type Interval, intervals } from '../../units/intervals.ts'
import { type Indicator, readIndicators } from './chart/indicator-kinds.ts'

/** The browser's storage, or a map in a test. */
export type Storage = Readonly<{
  get(name: string): string | null
  set(name: string, value: string): void
  remove(name: string): void
}>

export const chartTypes = ['candles', 'bars', 'line', 'area', 'heikin'] as const
export type ChartType = (typeof chartTypes)[number]
export const scales = ['normal', 'log', 'percent'] as const
export type Scale = (typeof scales)[number]

export type Preferences = Readonly<{
  theme: 'dark' | 'light'
  colours: 'usual' | 'blind'
  symbol: string
  interval: Interval
  candles: 'trade' | 'mark'
  chartType: ChartType
  scale: Scale
  /** Whether the price scale follows the visible bars. */
  autoScale: boolean
  /** Intervals in the bar above the chart. */
  intervals: readonly string[]
  indicators: readonly Indicator[]
  /** Kinds of lines and marks that the chart does not show. */
  hiddenLines: readonly string[]
  favourites: readonly string[]
  /** Whether every order is confirmed. */
  confirm: boolean
  /** Whether expensive actions are confirmed: reversing, closing all positions, taking a large part
   *  of the book. */
  caution: boolean
  sound: boolean
  sizeUnit: 'base' | 'usd'
  slippage: string
  /** Slippage of a TWAP's slices. */
  twapSlippage: string
  /** Widths and heights of panels in pixels. */
  book: number
  ticket: number
  bottom: number
  /** Height of the book in percent of the side column. */
  bookShare: number
  /** Book grouping by symbol, in ticks. */
  groups: Readonly<Record<string, number>>
  /** Sides of the book that are shown, and the unit of its sizes. */
  bookSides: 'both' | 'bid' | 'ask'
  bookUnit: 'base' | 'usd'
  /** Text that the rows of tables contain; whether only those of the selected market are shown. */
  filter: string
  hereOnly: boolean
  /** Sorting by table: the name of a column, with a minus sign for descending. */
  sorts: Readonly<Record<string, string>>
}>

export const usual: Preferences = {
  theme: 'dark',
  colours: 'usual',
  symbol: 'BTC',
  interval: '1m',
  candles: 'trade',
  chartType: 'candles',
  scale: 'normal',
  autoScale: true,
  intervals: ['1m', '5m', '15m', '1h', '4h', '1d'],
  indicators: [],
  hiddenLines: [],
  favourites: [],
  confirm: false,
  caution: true,
  sound: false,
  sizeUnit: 'base',
  slippage: '1',
  twapSlippage: '1',
  book: 280,
  ticket: 292,
  bottom: 232,
  bookShare: 62,
  groups: {},
  bookSides: 'both',
  bookUnit: 'base',
  filter: '',
  hereOnly: false,
  sorts: {},
}

const storedAs = 'openperp.preferences'

const allowed: Readonly<Record<string, readonly unknown[]>> = {
  theme: ['dark', 'light'],
  colours: ['usual', 'blind'],
  interval: intervals,
  candles: ['trade', 'mark'],
  chartType: chartTypes,
  scale: scales,
  sizeUnit: ['base', 'usd'],
  bookSides: ['both', 'bid', 'ask'],
  bookUnit: ['base', 'usd'],
}

/** Slippage in percent, as in requests. */
const isSlippage = (text: unknown) => /^[0-9.]+$/.test(String(text)) && Number(text) <= 100

/** Reads preferences. Each field is validated separately; invalid ones get their default. */
export function readPreferences(text: string | null): Preferences {
  const read: Record<string, unknown> = { ...usual }
  let stored: Record<string, unknown> = {}
  try {
    stored = JSON.parse(text ?? '{}') as Record<string, unknown>
  } catch {
    // Damaged text is ignored; the next change overwrites it.
  }
  for (const [name, value] of Object.entries(usual)) {
    const given = stored?.[name]
    if (typeof given !== typeof value || Array.isArray(given) !== Array.isArray(value)) continue
    if (given === null || allowed[name]?.includes(given) === false) continue
    if (/slippage$/i.test(name) && !isSlippage(given)) continue
    read[name] = given
  }
  const preferences = read as Preferences
  return { ...preferences, indicators: readIndicators(preferences.indicators) }
}

export type PreferenceStore = Readonly<{
  now: Signal<Preferences>
  change(part: Partial<Preferences>): void
}>

export function createPreferences(storage: Storage): PreferenceStore {
  const now = signal(readPreferences(storage.get(storedAs)))
  let first = true
  effect(() => {
    const text = JSON.stringify(now.value)
    if (!first) storage.set(storedAs, text)
    first = false
  })
  return {
    now,
    change(part) {
      now.value = { ...now.peek(), ...part }
    },
  }
}
