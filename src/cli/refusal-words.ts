// Rewrites an API error for the command line: flags instead of fields, durations and dates instead
// of milliseconds, commands instead of routes. Used only by commands with flags of their own;
// `openperp request` shows API errors unchanged.

import { durationText } from './frame/duration.ts'

/** The command's market, and the flag of each field of the request. */
export type OrderWords = Readonly<{ symbol: string; flags: Readonly<Record<string, string>> }>

const length = (ms: string) => durationText(Number.parseInt(ms, 10))

const rewrites: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/ \(engine_now of GET \/api\/v1\/time\)/g, ''],
  [
    /(?<!\d)(\d+) to (\d+) (?:ms|milliseconds)\b/g,
    (_, one, two) => `${length(one!)} to ${length(two!)}`,
  ],
  [/(?<!\d)(\d+) ms after\b/g, (_, ms) => `${length(ms!)} after`],
  [/(?<![\w.])1\d{12}(?![\w.]*\w)/g, (ms) => new Date(Number(ms)).toISOString()],
  [/ \(trigger_direction (?:gte|lte)\)/g, ''],
  [/: POST \/api\/v1\/positions\/tpsl/g, ' (`openperp request set_position_tpsl`)'],
  [/POST \/account\/mmp\/reset/g, '`openperp mmp reset SYMBOL`'],
]

/** Longer names first, because a name may contain another. */
export function inShellWords(message: string, { symbol, flags }: OrderWords): string {
  const rewritten = rewrites.reduce(
    (text, [pattern, by]) => text.replace(pattern, by as (...found: string[]) => string),
    message,
  )
  const named = Object.entries(flags)
    .sort(([one], [other]) => other.length - one.length)
    .reduce((text, [field, flag]) => text.replaceAll(field, flag), rewritten)
  return named
    .replace(/(--\w+)\[\d\]/g, '$1')
    .replaceAll('SYMBOL', symbol)
    .replace('no market has this symbol', `no market has the symbol ${symbol}`)
}
