// The configuration: defaults, then a file, then OPENPERP_* variables, then flags, where later ones
// win. Read once, validated with messages that name the field, frozen. config/settings.ts lists the
// settings.

import { isAbsolute, resolve } from 'node:path'
import { ConfigError } from './config/config-error.ts'
import { settingsIn, tokenLinesIn, usualFileIn } from './config/config-files.ts'
import { readValue } from './config/read-value.ts'
import { requireLab } from './config/require-lab.ts'
import { requireSources } from './config/require-sources.ts'
import {
  aboutOf,
  defaultOf,
  filedNames,
  flagOf,
  settingNames as names,
  type SettingName,
  type Settings,
  settings,
  standardPort,
  variableOf,
} from './config/settings.ts'
import { adminScopes } from './protocol/admin/admin-row.ts'
import { sandboxAddresses } from './protocol/auth/sandbox-addresses.ts'

export { ConfigError } from './config/config-error.ts'
export type Config = Settings
export type AdminToken = Config['adminTokens'][number]
export type PriceSourceSetting = Config['priceSources'][number]

type Given = Readonly<{ value: unknown; from: string }>

const chosen = new WeakMap<Config, ReadonlySet<string>>()

/** Whether the setting was configured, or has its default. */
export function isChosen(config: Config, name: keyof Config): boolean {
  return chosen.get(config)?.has(name) === true
}

/** Throws a ConfigError that names the field and where it came from. */
export function readConfig(
  args: readonly string[],
  variables: Environment,
  folder: string,
): Config {
  const flags = flagsOf(args)
  const fixture = flags.has('--fixture') && isOn(flags.get('--fixture')!)
  // Variables and the usual file may be meant for another exchange of this machine.
  const environment = fixture ? {} : variables
  const named = flags.get('--config')?.value ?? environment.OPENPERP_CONFIG
  const usual = fixture ? undefined : usualFileIn(folder)
  const file = named === undefined ? usual : inFolder(folder, String(named))
  const given = givenIn(file, environment, flags)
  requireKnown(flags, environment)
  const settingOf = <F extends SettingName>(name: F, standard: unknown) => {
    const each = given.get(name) ?? { value: standard, from: name }
    return readValue(settings[name], each.from, each.value) as Config[F]
  }
  const mode = settingOf('mode', 'sandbox')
  const port = settingOf('port', fixture ? 0 : standardPort)
  const manual = settingOf('clock', fixture ? 'manual' : 'wall') === 'manual'
  const kind = { mode, port, fixture, manual }
  const read = Object.fromEntries(
    names.map((name) => [name, settingOf(name, defaultOf(name, kind))]),
  ) as unknown as Config
  requireLab(read, (name) => given.has(name))
  const data = inFolder(folder, read.data)
  const adminTokens = [...read.adminTokens, ...tokensOf(folder, read)]
  const config = Object.freeze(checked({ ...read, data, adminTokens }))
  requireCluster(config, given)
  chosen.set(config, new Set(given.keys()))
  return config
}

type Environment = Readonly<Record<string, string | undefined>>

const isOn = ({ value, from }: Given) => readValue(settings.fixture, from, value) === true

/** What is configured: the file, then variables, then flags. */
function givenIn(
  file: string | undefined,
  environment: Environment,
  flags: ReadonlyMap<string, Given>,
): ReadonlyMap<string, Given> {
  const given = new Map<string, Given>()
  for (const { name, ...each } of file === undefined ? [] : settingsIn(file)) given.set(name, each)
  for (const name of names) {
    const value = aboutOf(name).flagOnly ? undefined : environment[variableOf(name)]
    if (value !== undefined) given.set(name, { value, from: variableOf(name) })
    const flag = flags.get(flagOf(name))
    if (flag !== undefined) given.set(name, flag)
  }
  return given
}

const inFolder = (folder: string, path: string) => (isAbsolute(path) ? path : resolve(folder, path))

function tokensOf(folder: string, { adminTokensFile }: Config): Config['adminTokens'] {
  if (adminTokensFile === '') return []
  const file = inFolder(folder, adminTokensFile)
  const lines = tokenLinesIn(file)
  return lines === '' ? [] : (readValue(settings.adminTokens, file, lines) as Config['adminTokens'])
}

function checked(config: Config): Config {
  if (config.mode === 'venue' && config.role === 'trade' && config.adminTokens.length === 0)
    throw new ConfigError(
      'adminTokens (OPENPERP_ADMIN_TOKENS) is required in venue mode: name:token:scope+scope, ' +
        `with scopes of ${adminScopes.join(', ')}`,
    )
  if (new Set(config.adminTokens.map(({ token }) => token)).size !== config.adminTokens.length)
    throw new ConfigError('adminTokens must all be different')
  requireSources(config)
  requireOwnAccounts(config)
  if (config.port !== 0 && config.port === config.adminPort && config.host === config.adminHost)
    throw new ConfigError('port and adminPort must be different')
  if (config.compatPort !== 0 && config.compatPort === config.port)
    throw new ConfigError('port and compatPort must be different')
  return config
}

function requireOwnAccounts({ mode, operatorAccounts }: Config): void {
  const names = operatorAccounts.flatMap((each) => sandboxAddresses.get(each) ?? [])
  if (mode === 'venue' && names.length > 0)
    throw new ConfigError(
      `operatorAccounts has ${names.join(' and ')} of every sandbox, whose secret is published; ` +
        'a venue accepts no such key',
    )
}

const ofTraders = ['clusterKey', 'readerKeys', 'linkHost', 'linkPort'] as const
const ofClusters = ['role', 'node', 'leaseMs', 'readerKey', ...ofTraders] as const
/** Secrets that would give a read node more than the rights of a reader. */
const neverAtReaders = ['adminTokens', 'adminTokensFile', ...ofTraders] as const

/** Settings that have an effect only together with others. */
function requireCluster(
  { cluster, gateways, role, readerKey }: Config,
  given: ReadonlyMap<string, Given>,
): void {
  for (const name of ofClusters)
    if (cluster === '' && given.has(name))
      throw new ConfigError(
        `${given.get(name)!.from} is for nodes of a cluster: name its database with cluster ` +
          '(OPENPERP_CLUSTER, --cluster), too',
      )
  if (role === 'trade' && given.has('readerKey'))
    throw new ConfigError(
      `${given.get('readerKey')!.from} is for nodes with role read; a trading node has the ` +
        'keys of read nodes in readerKeys (OPENPERP_READER_KEYS)',
    )
  if (role === 'trade') return
  for (const name of neverAtReaders)
    if (given.has(name))
      throw new ConfigError(
        `${given.get(name)!.from} is not for a node with role read, which has the rights of a ` +
          'reader only: remove it from the settings of this node',
      )
  if (readerKey === '')
    throw new ConfigError(
      'readerKey (OPENPERP_READER_KEY) is required by a node that reads: it is how the node ' +
        'that leads knows it. Give it one of its own, for example of `openssl rand -hex 32`, and ' +
        'the trading nodes the same in readerKeys (OPENPERP_READER_KEYS) as node:key',
    )
  if (typeof gateways === 'number' && gateways > 0)
    throw new ConfigError(
      'gateways (OPENPERP_GATEWAYS) must be 0 at a node that reads: it serves the public itself',
    )
}

/** On or off; without a value it is on. */
const isSwitch = (flag: string) =>
  names.some(
    (name) => flagOf(name) === flag && (settings[name] as { type?: string }).type === 'boolean',
  )

/** The same settings with a generated token if none was configured. */
export function withSandboxToken(config: Config, sandboxToken: string): Config {
  return changed(config, { sandboxToken })
}

/** The same settings with the folder that a fixture has made. */
export function withData(config: Config, data: string): Config {
  return changed(config, { data })
}

function changed(config: Config, change: Partial<Config>): Config {
  const made = Object.freeze({ ...config, ...change })
  chosen.set(made, chosen.get(config)!)
  return made
}

function flagsOf(args: readonly string[]): Map<string, Given> {
  const flags = new Map<string, Given>()
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!
    if (!arg.startsWith('--')) throw new ConfigError(`unexpected argument ${arg}`)
    const [name, inline] = arg.split(/=(.*)/s) as [string, string | undefined]
    const isBare = isSwitch(name) && (args[at + 1] ?? '--').startsWith('--')
    const value = inline ?? (isBare ? 'on' : args[++at])
    if (value === undefined) throw new ConfigError(`${name} needs a value`)
    flags.set(name, { value, from: name })
  }
  return flags
}

/** Variables of the clients, which are also set if both run in one shell. */
const ofClients = [
  ...['OPENPERP_URL', 'OPENPERP_KEY', 'OPENPERP_KEY_FILE', 'OPENPERP_SECRET', 'OPENPERP_VENUE'],
  ...['OPENPERP_ADMIN_URL', 'OPENPERP_ADMIN_TOKEN', 'OPENPERP_ADMIN_TOKEN_FILE'],
]
/** Variables of the tests, which start exchanges themselves. */
const ofTests = new Set([
  'OPENPERP_CHROMIUM',
  'OPENPERP_FIRST_DAY',
  'OPENPERP_PREVIEW_SEEDS',
  'OPENPERP_REQUIRE_BROWSER',
  'OPENPERP_REQUIRE_PACKAGES',
  'OPENPERP_WRITE_VECTORS',
])

function requireKnown(flags: ReadonlyMap<string, Given>, environment: Environment): void {
  const knownFlags = new Set(['--config', ...names.map(flagOf)])
  for (const name of flags.keys())
    if (!knownFlags.has(name))
      throw new ConfigError(`there is no flag ${name}; there are ${[...knownFlags].join(', ')}`)
  const knownVariables = new Set(['OPENPERP_CONFIG', ...ofClients, ...filedNames.map(variableOf)])
  for (const name of Object.keys(environment))
    if (name.startsWith('OPENPERP_') && !knownVariables.has(name) && !ofTests.has(name))
      throw new ConfigError(
        `there is no setting ${name}; there are ${[...knownVariables].join(', ')}`,
      )
}
