// `1h`, `90s`, `2d`, `1h30m`, `500ms` to milliseconds.

import { CliError, misused } from './exit-codes.ts'

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d{1,12})(ms|s|m|h|d)/g)]
  const whole = parts.map(([part]) => part).join('')
  let sum = 0
  for (const [, count, unit] of parts)
    sum += Number.parseInt(count!, 10) * unitsMs[unit as keyof typeof unitsMs]
  if (parts.length === 0 || whole !== text || sum === 0 || !Number.isSafeInteger(sum))
    throw misused(
      `"${text}" is not a duration`,
      'durations are written 500ms, 30s, 15m, 1h, 2d, 1h30m',
    )
  return sum
}

/** The value of a flag, which errors name; `range` is the accepted range. */
export function lengthOf(flag: string, text: string, range: string): number {
  try {
    return durationMs(text)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    throw misused(`${flag} ${error.message}`, `it takes ${range}; ${error.hint}`)
  }
}

/** The inverse, in the largest units that fit. */
export function durationText(ms: number): string {
  if (ms === 0) return '0ms'
  let left = Math.abs(ms)
  let text = ms < 0 ? '-' : ''
  for (const [unit, size] of Object.entries(unitsMs).reverse()) {
    const count = Math.floor(left / size)
    if (count > 0) text += `${count}${unit}`
    left -= count * size
  }
  return text
}
