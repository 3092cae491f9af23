// Who gives prices: tokens that push them, for any market, and sources that are read, for the
// markets that they name.

import { ConfigError } from './config-error.ts'
import type { Settings } from './settings.ts'

type Weighed = Readonly<{ name: string; weight: number }>

export function requireSources(config: Settings): void {
  const { mode, adminTokens, priceSources, sources } = config
  if (mode === 'venue' && sources === 'simulated')
    throw new ConfigError('sources: simulated is for a sandbox (mode); a venue has priceSources')
  if (mode !== 'venue') {
    if (priceSources.length > 0)
      throw new ConfigError('priceSources need mode venue: a sandbox simulates its prices')
    return
  }
  const pushing = adminTokens.filter(({ scopes }) => scopes.includes('prices'))
  requireNames(priceSources, pushing)
  requireBalanced('', pushing)
  for (const market of new Set(priceSources.flatMap(({ symbols }) => Object.keys(symbols)))) {
    const reading = priceSources.filter(({ symbols }) => Object.hasOwn(symbols, market))
    requireBalanced(` of ${market}`, [...pushing, ...reading])
  }
}

/** Prices are attributed by name. Tokens may share a name: they are then one source. */
function requireNames(reading: readonly Weighed[], pushing: readonly Weighed[]): void {
  const taken = new Set(pushing.map(({ name }) => name))
  const twice = reading.map(({ name }) => name).find((name) => taken.size === taken.add(name).size)
  if (twice === undefined) return
  throw new ConfigError(
    `priceSources and adminTokens: two sources of prices are called ${twice}; give one of them ` +
      'another name',
  )
}

/** Of three sources or more the median is the price: none of them may decide it alone. */
function requireBalanced(ofWhat: string, sources: readonly Weighed[]): void {
  const total = sources.reduce((sum, { weight }) => sum + weight, 0)
  const heavy = sources.find(({ weight }) => 2 * weight >= total)
  if (sources.length < 3 || heavy === undefined) return
  throw new ConfigError(
    `the price source ${heavy.name} has the weight ${heavy.weight} of ${total}${ofWhat}; with ` +
      'three sources or more each must have less than half of the total weight: maximum ' +
      `${Math.max(1, total - heavy.weight - 1)} with these other sources`,
  )
}
