// Formats numbers for display: aligned, grouped by thousands, rounded. The results are never sent
// or used in calculations. Amounts that are sent stay on the market's grid (market-grid.ts).

const formats = new Map<string, Intl.NumberFormat>()

function format(places: number, extra = ''): Intl.NumberFormat {
  const key = `${places}${extra}`
  let found = formats.get(key)
  if (found === undefined) {
    const digits = { minimumFractionDigits: places, maximumFractionDigits: places }
    found = new Intl.NumberFormat('en', {
      ...digits,
      ...(extra === 'compact' && { notation: 'compact', minimumFractionDigits: 0 }),
      ...(extra === 'signed' && { signDisplay: 'exceptZero' }),
    })
    formats.set(key, found)
  }
  return found
}

/** Shown if there is no number. */
export const NONE = '–'

export function fixed(value: number | string | null | undefined, places: number): string {
  if (value === null || value === undefined || value === '') return NONE
  const number = Number(value)
  // A minus sign before zeros would be misleading.
  return Number.isFinite(number)
    ? format(places)
        .format(number)
        .replace(/^-(0(\.0+)?)$/, '$1')
    : NONE
}

export function signed(value: number | string | null | undefined, places: number): string {
  if (value === null || value === undefined || value === '') return NONE
  const number = Number(value)
  return Number.isFinite(number) ? format(places, 'signed').format(number) : NONE
}

/** Formats an average price. Averages often lie between ticks and then get two more digits. */
export function averageText(value: number | string | null | undefined, places: number): string {
  const finer = fixed(value, places + 2)
  const onTick = fixed(value, places)
  return Number(finer.replaceAll(',', '')) === Number(onTick.replaceAll(',', '')) ? onTick : finer
}

export const usd = (value: number | string | null | undefined) => fixed(value, 2)
export const signedUsd = (value: number | string | null | undefined) => signed(value, 2)

/** Class of a gain or loss; a zero is neutral. */
export function toneOf(value: number | string): 'up' | 'down' | '' {
  const number = Number(value)
  return number > 0 ? 'up' : number < 0 ? 'down' : ''
}

/** Formats a number in short form: 1234567 becomes 1.23M. */
export function compact(value: number | string | null | undefined): string {
  if (value === null || value === undefined) return NONE
  const number = Number(value)
  return Number.isFinite(number) ? format(2, 'compact').format(number) : NONE
}

/** Above this size only the magnitude is shown. */
const largeSize = 1_000_000

/** Formats a size on the market's grid. Large sizes are abbreviated, as for coins worth a fraction
 *  of a cent. `places` pads decimals to align columns. */
export function amountText(value: number | string, places?: number): string {
  const number = Number(value)
  if (Math.abs(number) >= largeSize) return format(3, 'compact').format(number)
  return fixed(value, places ?? placesOf(String(value)))
}

/** All digits of a size, for requests. */
export const wholeAmount = (value: string) => fixed(value, placesOf(value))

/** Formats a fraction as percent: 0.0123 becomes 1.23 %. */
export function percent(fraction: number, places = 2): string {
  return Number.isFinite(fraction) ? `${fixed(fraction * 100, places)}%` : NONE
}

/** Formats a share in whole percent, with decimals if it would be 0. */
export function shareText(fraction: number): string {
  if (fraction > 0 && fraction < 0.001) return '<0.1%'
  return percent(fraction, fraction < 0.01 ? 1 : 0)
}

export function signedPercent(fraction: number, places = 2): string {
  return Number.isFinite(fraction) ? `${signed(fraction * 100, places)}%` : NONE
}

/** Number of decimals of a step: '0.01' has two. */
export function placesOf(step: string): number {
  return step.split('.')[1]?.length ?? 0
}

const two = (number: number) => String(number).padStart(2, '0')

/** Formats the time as hh:mm:ss in the user's time zone. */
export function clockText(ms: number): string {
  const date = new Date(ms)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Formats a local date; with the year if it is not the current one. */
export function dateText(ms: number): string {
  const date = new Date(ms)
  const year = date.getFullYear() === new Date().getFullYear() ? '' : `${date.getFullYear()}-`
  return `${year}${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockText(ms)}`
}

/** UTC offset of local time at a moment, such as `UTC+05:30`. */
export function zoneText(ms: number): string {
  const ahead = -new Date(ms).getTimezoneOffset()
  const minutes = Math.abs(ahead)
  return `UTC${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Minutes and seconds left. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const hours = Math.floor(seconds / 3_600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

const spans = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Formats a duration by its two largest units, such as `2 h 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const first = Math.max(
    0,
    spans.findIndex(([, size]) => seconds >= size),
  )
  const parts = spans.slice(seconds === 0 ? -1 : first).map(([unit, size], at) => {
    const whole = at === 0 ? seconds : seconds % spans[first + at - 1]![1]
    return [Math.floor(whole / size), unit] as const
  })
  const shown = parts.slice(0, 2).filter(([count], at) => at === 0 || count > 0)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** The first and last characters of an address. */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address
}

const words: Readonly<Record<string, string>> = { tpsl: 'TP/SL', adl: 'ADL', twap: 'TWAP' }

/** Converts a name such as `stop_loss_market` to words. */
export function wordsOf(name: string): string {
  const text = name
    .split('_')
    .map((word) => words[word] ?? word)
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
