// When an order ends by itself, as people type it: in so long, or at a moment. How long is counted
// by the clock of the exchange, which in a sandbox is not the machine's.

import { durationMs } from '../frame/duration.ts'
import { CliError, misused } from '../frame/exit-codes.ts'
import { momentMs } from '../frame/moment.ts'

export const expireOption = {
  expire: {
    type: 'string',
    value: '<in|at>',
    about: 'when it ends, unless before: 10m, 1h30m, or at 2026-11-01T12:30Z',
  },
} as const

/** `now` is asked where it matters. */
export async function expireTimeIn(
  text: string,
  now: () => Promise<number>,
  flag = '--expire',
): Promise<number> {
  if (/^\d+-/.test(text)) return momentMs(flag, text)
  return (await now()) + lengthOf(text, flag)
}

function lengthOf(text: string, flag: string): number {
  try {
    return durationMs(text)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    throw misused(`${flag} ${error.message}`, `${error.hint}; a time of day 2026-11-01T12:30Z, UTC`)
  }
}
