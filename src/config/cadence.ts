// The setting `cadence`: how often the simulated sources of a sandbox observe a price, in ms.

import { ConfigError } from './config-error.ts'

/** Simulated prices change as often. */
const stepMs = 250
const msMax = 3_000

/** `250ms`, or the number alone. */
export function readCadence(from: string, given: unknown): number {
  const digits = /^(\d{1,6})(?:ms)?$/.exec(String(given))?.[1]
  const ms = digits === undefined ? 0 : Number.parseInt(digits, 10)
  if (ms >= stepMs && ms <= msMax && ms % stepMs === 0) return ms
  throw new ConfigError(
    `${from} must be a multiple of ${stepMs}ms from ${stepMs}ms to ${msMax}ms, ` +
      `not ${JSON.stringify(given)}`,
  )
}
