// What cannot be combined with a manual clock or a fixture.

import { ConfigError } from './config-error.ts'
import { type SettingName, type Settings, variableOf } from './settings.ts'

export function requireLab(config: Settings, isGiven: (name: SettingName) => boolean): void {
  if (config.fixture) requireFixture(config)
  else if (isGiven('accounts'))
    throw new ConfigError('--accounts opens the accounts of a fixture: add --fixture')
  if (config.clock === 'manual') return requireManual(config)
  for (const name of ['startAt', 'speedBump'] as const)
    if (isGiven(name))
      throw new ConfigError(
        `${name} (${variableOf(name)}) is for a sandbox whose time is set: add --clock manual`,
      )
}

function requireFixture({ mode, cluster, gateways }: Settings): void {
  if (mode === 'venue')
    throw new ConfigError('--fixture is a sandbox for tests: it cannot be combined with mode venue')
  if (cluster !== '' || gateways !== 0)
    throw new ConfigError(
      '--fixture is one process: cluster and gateways cannot be combined with it',
    )
}

function requireManual({ mode, cluster, gateways, sources, pastMinutes }: Settings): void {
  if (mode === 'venue')
    throw new ConfigError(
      'clock manual is for a sandbox: the time of a venue is that of its machine (mode venue)',
    )
  if (cluster !== '' || gateways !== 0)
    throw new ConfigError('clock manual needs one process: without cluster, and with gateways 0')
  if (sources === 'simulated')
    throw new ConfigError(
      'sources simulated needs clock wall: with clock manual prices come every three seconds of ' +
        'engine time',
    )
  if (pastMinutes > 0)
    throw new ConfigError(
      `pastMinutes must be 0 with clock manual, not ${pastMinutes}: history is written in the ` +
        'background, which does not repeat',
    )
}
