// The initial state of a new exchange of this process (CORE-1).

import { existsSync } from 'node:fs'
import { type Config, ConfigError, isChosen } from '../config.ts'
import type { Genesis } from '../core/index.ts'
import { genesisFile, readDataFolder } from '../sequencer/data-folder.ts'
import { newGenesis } from '../sources/sandbox-markets.ts'

/** Returns the initial parameters of a new exchange. */
export function genesisOf(config: Pick<Config, 'mode' | 'clock' | 'startAt'>): Genesis {
  const genesis = newGenesis(config.mode)
  if (config.clock !== 'manual') return genesis
  return { ...genesis, manualClock: { startMs: config.startAt } }
}

/** Throws if the folder has an exchange with another clock than the configured one. The clock is
 *  part of the genesis, so it cannot be changed. */
export function requireClockOf(config: Config): void {
  const file = genesisFile(config.data)
  if (!existsSync(file)) return
  const { manualClock } = readDataFolder(config.data).genesis
  const folder = `data folder ${config.data}`
  const another = 'Start with another folder (--data, OPENPERP_DATA)'
  if (manualClock === undefined) {
    if (config.clock === 'wall') return
    throw new ConfigError(
      `clock manual is chosen when an exchange is created, and ${folder} has one without it. ` +
        another,
    )
  }
  if (config.mode === 'venue')
    throw new ConfigError(`${folder} has a sandbox with a manual clock, not a venue. ${another}`)
  if (config.clock === 'wall' && isChosen(config, 'clock'))
    throw new ConfigError(
      `${folder} has a sandbox with a manual clock: omit clock wall. ${another}`,
    )
  if (!isChosen(config, 'startAt') || config.startAt === manualClock.startMs) return
  const [given, kept] = [config.startAt, manualClock.startMs].map((ms) =>
    new Date(ms).toISOString(),
  )
  throw new ConfigError(
    `startAt is ${given}, and the sandbox in ${folder} began at ${kept}. Omit startAt to ` +
      `continue it. ${another}`,
  )
}
