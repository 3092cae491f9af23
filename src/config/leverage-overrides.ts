// The setting `leverageOverrides`: markets that may have more leverage than their prices allow,
// each with the reason.

import { ConfigError } from './config-error.ts'

export type LeverageOverrides = Readonly<Record<string, string>>

const reasonMax = 500

/** In a variable or a flag: the same as JSON text. */
export function readLeverageOverrides(from: string, given: unknown): LeverageOverrides {
  const item = typeof given === 'string' ? jsonOf(from, given) : given
  const wanted = 'an object of reasons by market, such as {"BTC":"hedged desk, approved by risk"}'
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new ConfigError(`${from} must be ${wanted}`)
  for (const [market, reason] of Object.entries(item))
    if (typeof reason !== 'string' || reason.trim() === '' || reason.length > reasonMax)
      throw new ConfigError(
        `${from}.${market} must be a reason of 1 to ${reasonMax} characters, ` +
          `not ${JSON.stringify(reason)}`,
      )
  return Object.freeze({ ...(item as Record<string, string>) })
}

function jsonOf(from: string, text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigError(`${from} must be JSON: ${(error as Error).message}`)
  }
}
