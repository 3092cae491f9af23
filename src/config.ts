// How this exchange is run: defaults that work, then a file, then OPENPERP_* variables, then flags,
// the later winning. Read once, checked with messages that name the field, frozen.

import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { type AdminScope, adminScopes } from './protocol/admin-scopes.ts'

export type Config = Readonly<{
  mode: 'sandbox' | 'venue'
  host: string
  port: number
  adminHost: string
  adminPort: number
  /** The port whose root is the surface for clients of the public API; 0: any free one. */
  compatPort: number | 'off'
  data: string
  rateLimit: 'on' | 'off'
  /** Credits per IP in a window of 60 s. */
  credits: number
  /** Who may read accounts: anyone, or only a key of that account. */
  reads: 'public' | 'owner'
  /** Prefix of the API key header: SVC makes SVC-API-KEY. PF-API-KEY is accepted beside it. */
  keyHeader: string
  /** Open connections of one address, HTTP and websocket together. */
  connectionsPerIp: number
  /** Open connections of all; fewer where the system gives too few descriptors. */
  connections: number
  /** Proxies whose x-forwarded-for is believed: addresses or networks. */
  trustedProxies: readonly string[]
  /** Names, besides the loopback ones, under which sandbox and admin routes may be asked. */
  allowedHosts: readonly string[]
  /** Which port has /metrics: the public one, or the admin one, for tokens that may read. */
  metrics: 'public' | 'admin'
  /** TP/SL texts without a timestamp are accepted, as the contract shows them. */
  untimedTexts: boolean
  /** Seed of the sandbox's prices and bots. */
  seed: number
  bots: boolean
  /** How much a new sandbox with bots has been through when it is ready. */
  pastMinutes: number
  /** Signature threads; 0: one less than the machine has cores, at least one. */
  verifiers: number
  /** A snapshot is taken after this many commands. */
  snapshotCommands: number
  /** Tokens of the admin plane with what each may do. */
  adminTokens: readonly AdminToken[]
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
}>

export type AdminToken = Readonly<{
  name: string
  token: string
  scopes: readonly AdminScope[]
  /** Weight of its prices among those of other price keys. */
  weight: number
}>

export class ConfigError extends Error {}

type Raw = Readonly<Record<string, unknown>>
type Reader<T> = (name: string, value: unknown) => T

const fail = (name: string, wanted: string, value: unknown): never => {
  throw new ConfigError(`${name} must be ${wanted}, not ${JSON.stringify(value)}`)
}

const text: Reader<string> = (name, value) =>
  typeof value === 'string' && value !== '' ? value : fail(name, 'a text', value)

const whole =
  (min: number, max: number, otherwise = ''): Reader<number> =>
  (name, value) => {
    const number = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value
    if (
      typeof number === 'number' &&
      Number.isSafeInteger(number) &&
      number >= min &&
      number <= max
    )
      return number
    return fail(name, `a whole number from ${min} to ${max}${otherwise}`, value)
  }

const word =
  <const W extends string>(...words: readonly W[]): Reader<W> =>
  (name, value) =>
    words.find((each) => each === value) ?? fail(name, `one of ${words.join(', ')}`, value)

const flag: Reader<boolean> = (name, value) => {
  if (value === true || value === 'true' || value === 'on') return true
  if (value === false || value === 'false' || value === 'off') return false
  return fail(name, 'on or off', value)
}

/** A list in the file, or texts with commas in a variable or flag. */
const list: Reader<readonly string[]> = (name, value) => {
  const items = typeof value === 'string' ? value.split(',').filter((each) => each !== '') : value
  if (Array.isArray(items) && items.every((each) => typeof each === 'string')) return items
  return fail(name, 'a list of texts', value)
}

/** In a variable: JSON, or `name:token:scope+scope` with commas. */
const tokens: Reader<readonly AdminToken[]> = (name, value) => {
  const items = typeof value === 'string' ? tokensOfText(name, value) : value
  if (!Array.isArray(items)) return fail(name, 'a list of tokens', 'something else')
  return items.map((item: Raw, at) => {
    const scopes = list(`${name}[${at}].scopes`, item.scopes)
    return {
      name: text(`${name}[${at}].name`, item.name),
      token: secret(`${name}[${at}].token`, item.token),
      scopes: scopes.map((each) => word(...adminScopes)(`${name}[${at}].scopes`, each)),
      weight: item.weight === undefined ? 1 : whole(1, 1_000)(`${name}[${at}].weight`, item.weight),
    }
  })
}

function tokensOfText(name: string, value: string): readonly Raw[] {
  return value.split(',').map((each) => {
    const [title, token, scopes] = each.split(':')
    if (scopes === undefined) fail(name, '`name:token:scope+scope`, separated by commas', '…')
    return { name: title, token, scopes: scopes!.split('+') }
  })
}

/** A secret is never repeated in a message. */
function secret(name: string, value: unknown): string {
  if (typeof value === 'string' && value.length >= 16 && value.length <= 256) return value
  throw new ConfigError(`${name} must be a text of 16 to 256 characters`)
}

const fields = {
  mode: word('sandbox', 'venue'),
  host: text,
  port: whole(0, 65_535),
  adminHost: text,
  adminPort: whole(0, 65_535),
  compatPort: (name: string, value: unknown) =>
    value === 'off' ? value : whole(0, 65_535, ' or off')(name, value),
  data: text,
  rateLimit: word('on', 'off'),
  credits: whole(1, 1_000_000),
  reads: word('public', 'owner'),
  keyHeader: (name: string, value: unknown) =>
    typeof value === 'string' && /^[A-Za-z][A-Za-z0-9]{0,15}$/.test(value)
      ? value
      : fail(name, 'a short word of letters and digits', value),
  connectionsPerIp: whole(1, 1_000_000),
  connections: whole(8, 1_000_000),
  trustedProxies: list,
  allowedHosts: list,
  metrics: word('public', 'admin'),
  untimedTexts: flag,
  seed: whole(0, 4_294_967_295),
  bots: flag,
  pastMinutes: whole(0, 1_440),
  verifiers: whole(0, 64),
  snapshotCommands: whole(1_000, 100_000_000),
  adminTokens: tokens,
  logLevel: word('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
} as const satisfies { [F in keyof Config]: Reader<Config[F]> }

type Field = keyof typeof fields
const names = Object.keys(fields) as Field[]

/** `adminPort` is OPENPERP_ADMIN_PORT and --admin-port. */
const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
const variableOf = (name: string) => `OPENPERP_${words(name).toUpperCase()}`
const flagOf = (name: string) => `--${words(name).replaceAll('_', '-')}`

/** Two above the public one, which has the admin plane between them. */
function compatPortOf(port: number): number {
  return port === 0 || port > 65_533 ? 0 : port + 2
}

function defaultsOf(mode: Config['mode'], port: number): Raw {
  return {
    mode,
    host: '127.0.0.1',
    port: standardPort,
    adminHost: '127.0.0.1',
    adminPort: 8081,
    compatPort: compatPortOf(port),
    data: './data',
    rateLimit: mode === 'sandbox' ? 'off' : 'on',
    credits: 100,
    reads: 'public',
    keyHeader: 'SVC',
    connectionsPerIp: 512,
    connections: 20_000,
    trustedProxies: [],
    allowedHosts: [],
    metrics: mode === 'sandbox' ? 'public' : 'admin',
    untimedTexts: true,
    seed: 1,
    bots: true,
    pastMinutes: mode === 'sandbox' ? 120 : 0,
    verifiers: 0,
    // A sandbox is killed and started all day, and is to be ready at once.
    snapshotCommands: mode === 'sandbox' ? 10_000 : 200_000,
    adminTokens: [],
    logLevel: 'info',
  }
}

const standardPort = 8080

type Given = Readonly<{ value: unknown; from: string }>

const chosen = new WeakMap<Config, ReadonlySet<string>>()

/** Whether someone chose this setting, or it is only our default. */
export function isChosen(config: Config, name: keyof Config): boolean {
  return chosen.get(config)?.has(name) === true
}

/** Throws a ConfigError that names the field and where it came from. */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Config {
  const flags = flagsOf(args)
  const file = flags.get('--config')?.value ?? environment.OPENPERP_CONFIG
  const given = new Map<string, Given>()
  for (const [name, each] of fileOf(file === undefined ? undefined : String(file), folder))
    given.set(name, each)
  for (const name of names) {
    const value = environment[variableOf(name)]
    if (value !== undefined) given.set(name, { value, from: variableOf(name) })
    const flag = flags.get(flagOf(name))
    if (flag !== undefined) given.set(name, flag)
  }
  requireKnown(flags, environment)
  const early = <F extends 'mode' | 'port'>(name: F, standard: Config[F]) => {
    const each = given.get(name)
    return each === undefined ? standard : (fields[name](each.from, each.value) as Config[F])
  }
  const defaults = defaultsOf(early('mode', 'sandbox'), early('port', standardPort))
  const read = Object.fromEntries(
    names.map((name) => {
      const each = given.get(name) ?? { value: defaults[name], from: name }
      return [name, fields[name](each.from, each.value)]
    }),
  ) as unknown as Config
  const config = Object.freeze(checked({ ...read, data: inFolder(folder, read.data) }))
  chosen.set(config, new Set(given.keys()))
  return config
}

const inFolder = (folder: string, path: string) => (isAbsolute(path) ? path : resolve(folder, path))

function checked(config: Config): Config {
  if (config.mode === 'venue' && config.adminTokens.length === 0)
    throw new ConfigError(
      'adminTokens (OPENPERP_ADMIN_TOKENS) is required in venue mode: name:token:scope+scope, ' +
        `with scopes of ${adminScopes.join(', ')}`,
    )
  if (new Set(config.adminTokens.map(({ token }) => token)).size !== config.adminTokens.length)
    throw new ConfigError('adminTokens must all be different')
  if (config.port !== 0 && config.port === config.adminPort && config.host === config.adminHost)
    throw new ConfigError('port and adminPort must be different')
  if (config.compatPort !== 0 && config.compatPort === config.port)
    throw new ConfigError('port and compatPort must be different')
  return config
}

function flagsOf(args: readonly string[]): Map<string, Given> {
  const flags = new Map<string, Given>()
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!
    if (!arg.startsWith('--')) throw new ConfigError(`unexpected argument ${arg}`)
    const [name, inline] = arg.split(/=(.*)/s) as [string, string | undefined]
    const value = inline ?? args[++at]
    if (value === undefined) throw new ConfigError(`${name} needs a value`)
    flags.set(name, { value, from: name })
  }
  return flags
}

function fileOf(path: string | undefined, folder: string): readonly (readonly [string, Given])[] {
  if (path === undefined) return []
  const at = inFolder(folder, path)
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(at, 'utf8'))
  } catch (error) {
    throw new ConfigError(
      `the configuration file ${at} cannot be read: ${(error as Error).message}`,
    )
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ConfigError(`the configuration file ${at} must hold one JSON object`)
  return Object.entries(parsed).map(([name, value]) => {
    if (!names.some((each) => each === name))
      throw new ConfigError(`${at}: there is no setting ${name}; there are ${names.join(', ')}`)
    return [name, { value, from: `${name} in ${at}` }] as const
  })
}

/** What tells clients where the exchange is and who they are; whoever runs both in one shell has it
 *  set. */
const ofClients = ['OPENPERP_URL', 'OPENPERP_KEY', 'OPENPERP_KEY_FILE', 'OPENPERP_SECRET']
/** What the tests of a clone are told, which start exchanges of their own. */
const ofTests = new Set([
  'OPENPERP_CHROMIUM',
  'OPENPERP_REQUIRE_BROWSER',
  'OPENPERP_REQUIRE_PACKAGES',
  'OPENPERP_WRITE_VECTORS',
])

function requireKnown(
  flags: ReadonlyMap<string, Given>,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const knownFlags = new Set(['--config', ...names.map(flagOf)])
  for (const name of flags.keys())
    if (!knownFlags.has(name))
      throw new ConfigError(`there is no flag ${name}; there are ${[...knownFlags].join(', ')}`)
  const knownVariables = new Set(['OPENPERP_CONFIG', ...ofClients, ...names.map(variableOf)])
  for (const name of Object.keys(environment))
    if (name.startsWith('OPENPERP_') && !knownVariables.has(name) && !ofTests.has(name))
      throw new ConfigError(
        `there is no setting ${name}; there are ${[...knownVariables].join(', ')}`,
      )
}
