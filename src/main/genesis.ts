// The initial state of a new exchange of this process (CORE-1).

import { existsSync } from 'node:fs'
import { type Config, ConfigError, isChosen } from '../config.ts'
import type { ForkMark, Genesis } from '../core/index.ts'
import { isLoopback } from '../gateway/access/host-names.ts'
import { genesisFile, readDataFolder } from '../sequencer/data-folder.ts'
import { newGenesis } from '../sources/sandbox-markets.ts'

/** Returns the initial parameters of a new exchange. */
export function genesisOf(config: Pick<Config, 'mode' | 'clock' | 'startAt'>): Genesis {
  const genesis = newGenesis(config.mode)
  if (config.clock !== 'manual') return genesis
  return { ...genesis, manualClock: { startMs: config.startAt } }
}

/** Throws if the folder has a fork, and the configuration is not that of a sandbox for this
 *  machine alone: a fork has the accounts of another exchange, and acts for each of them without a
 *  signature. */
export function requireForkOf(config: Config): void {
  const fork = forkIn(config.data)
  if (fork === null) return
  const folder = `data folder ${config.data} has a fork of venue ${fork.venue}`
  if (config.mode === 'venue')
    throw new ConfigError(`${folder}: a fork is a sandbox for good, and never a venue`)
  for (const name of ['host', 'adminHost'] as const)
    if (!isLoopback(config[name]))
      throw new ConfigError(
        `${folder}, which listens on loopback only: ${name} must be 127.0.0.1 or ::1, not ` +
          config[name],
      )
  if (config.cluster !== '' || config.gateways !== 0)
    throw new ConfigError(`${folder}, which is one process: without cluster, and with gateways 0`)
}

/** What the folder is a fork of; `null`: it is not one, or does not exist yet. */
export function forkIn(folder: string): ForkMark | null {
  return existsSync(genesisFile(folder)) ? (readDataFolder(folder).genesis.fork ?? null) : null
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
