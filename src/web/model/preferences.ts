// What the terminal remembers between visits: looks, sizes of panels, favourites. Kept as one JSON
// text in the browser; what cannot be read, or no longer fits, is as a new visitor has it.

import { effect, type Signal, signal } from '@preact/signals'
import { type Interval, intervals } from '../../units/intervals.ts'

/** The browser's own store, or a map in a test. */
export type Storage = Readonly<{
  get(name: string): string | null
  set(name: string, value: string): void
  remove(name: string): void
}>

export type Preferences = Readonly<{
  theme: 'dark' | 'light'
  colours: 'usual' | 'blind'
  symbol: string
  interval: Interval
  candles: 'trade' | 'mark'
  favourites: readonly string[]
  /** Ask before any order is sent. */
  confirm: boolean
  /** Ask before what a slip makes expensive: a reversal, all positions, much of the book. */
  caution: boolean
  sound: boolean
  sizeUnit: 'base' | 'usd'
  slippage: string
  /** Of a TWAP's slices. */
  twapSlippage: string
  /** Widths and heights of panels in pixels. */
  book: number
  ticket: number
  bottom: number
  /** Percent of the side column that the book has. */
  bookShare: number
  /** Book grouping by symbol, in ticks. */
  groups: Readonly<Record<string, number>>
}>

export const usual: Preferences = {
  theme: 'dark',
  colours: 'usual',
  symbol: 'BTC',
  interval: '1m',
  candles: 'trade',
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
}

const storedAs = 'openperp.preferences'

const allowed: Readonly<Record<string, readonly unknown[]>> = {
  theme: ['dark', 'light'],
  colours: ['usual', 'blind'],
  interval: intervals,
  candles: ['trade', 'mark'],
  sizeUnit: ['base', 'usd'],
}

/** In percent, as the exchange takes it. */
const isSlippage = (text: unknown) => /^[0-9.]+$/.test(String(text)) && Number(text) <= 100

/** Fields of the right kind are kept, one by one. */
export function readPreferences(text: string | null): Preferences {
  const read: Record<string, unknown> = { ...usual }
  let stored: Record<string, unknown> = {}
  try {
    stored = JSON.parse(text ?? '{}') as Record<string, unknown>
  } catch {
    // Damaged: as if never stored. The next change writes a whole text again.
  }
  for (const [name, value] of Object.entries(usual)) {
    const given = stored?.[name]
    if (typeof given !== typeof value || Array.isArray(given) !== Array.isArray(value)) continue
    if (given === null || allowed[name]?.includes(given) === false) continue
    if (/slippage$/i.test(name) && !isSlippage(given)) continue
    read[name] = given
  }
  return read as Preferences
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
