// A script that a market's price follows instead of its simulation: a path with one price per tick,
// of which the last may hold, or a stopped feed. A script is stored as a note when it begins. The
// progress of a path is not stored, because it equals the number of the market's jumps since
// `from`, which the state counts. A crash therefore cannot separate a script from its progress.

import type { CommandOf, MarketView } from '../../core/index.ts'

/** `jump` is `false` for a single held price, whose ticks are not jumps. */
type Path = Readonly<{ kind: 'path'; from: number; holds: boolean; jump?: false }>

export type Script =
  | (Path & Readonly<{ prices: readonly number[] }>)
  | Readonly<{ kind: 'silence'; until: number }>

/** Base of the encoding, so that ten thousand of the highest prices fit in a note. */
const base = 36

type Written = (Path & Readonly<{ prices: string }>) | Readonly<{ kind: 'silence'; until: number }>

export function noteOf(market: MarketView, script: Script | null): CommandOf<'KeepNote'> {
  return { type: 'KeepNote', name: nameOf(market), text: script === null ? null : textOf(script) }
}

/** Script of a market; `null` if the market follows its simulation, or the script has ended. */
export function scriptFrom(notes: ReadonlyMap<string, string>, market: MarketView): Script | null {
  const text = notes.get(nameOf(market))
  if (text === undefined) return null
  const written = JSON.parse(text) as Written
  if (written.kind === 'silence') return written
  const prices = written.prices.split(' ').map((price) => Number.parseInt(price, base))
  const script = { ...written, prices }
  return hasEnded(script, market.jumps) ? null : script
}

/** Next price of the path after this number of jumps. */
export function placeIn({ prices, from }: Extract<Script, { kind: 'path' }>, jumps: number) {
  return Math.min(jumps - from, prices.length - 1)
}

export function hasEnded(script: Extract<Script, { kind: 'path' }>, jumps: number): boolean {
  return !script.holds && jumps - script.from >= script.prices.length
}

function nameOf({ id }: MarketView): string {
  return `script ${id}`
}

function textOf(script: Script): string {
  if (script.kind === 'silence') return JSON.stringify(script)
  const prices = script.prices.map((price) => price.toString(base)).join(' ')
  return JSON.stringify({ ...script, prices })
}
