// Every setting once, as a schema: what fits, its default, and what it means. The configuration's
// type, its checks and the table in docs/operating/running.md are made from it.

import { adminScopes } from '../protocol/admin/admin-row.ts'
import { type Static, Type } from '../protocol/schemas/typebox.ts'
import { type About, type Mode, modes } from './about.ts'
import { readCadence } from './cadence.ts'
import { clusterSettings } from './cluster-settings.ts'
import { labSettings } from './lab-settings.ts'
import { type LeverageOverrides, readLeverageOverrides } from './leverage-overrides.ts'
import { type PriceSourceSetting, readPriceSources } from './price-sources.ts'
import { flag, oneOf, portMax, text, texts, whole } from './setting-types.ts'
import { readTreasury, type TreasurySetting } from './treasury.ts'
import { readWebhooks, type WebhookSetting } from './webhooks.ts'

export const standardPort = 8080

/** Names that the exchange itself has in the journal. */
const reservedNames = ['treasury', 'system']

const adminToken = Type.Object({
  name: Type.String({
    pattern: `^(?!(?:${reservedNames.join('|')})$)[a-z0-9-]{1,32}$`,
    wanted: '1 to 32 lower-case letters, digits and dashes, and neither treasury nor system',
  }),
  token: Type.String({ minLength: 16, maxLength: 256, secret: true }),
  scopes: Type.Array(Type.Enum([...adminScopes])),
  /** Weight of its prices among those of other price keys. */
  weight: Type.Integer({ minimum: 1, maximum: 1_000, default: 1 }),
})

export const settings = {
  mode: oneOf(modes, { default: 'sandbox', description: '`sandbox` or `venue`' }),
  host: text({ default: '127.0.0.1', description: 'address at which the public API listens' }),
  port: whole(0, portMax, {
    default: standardPort,
    inFixture: 0,
    description: 'port of the public API; 0 for a free one',
  }),
  adminHost: text({
    default: '127.0.0.1',
    description: 'address at which the admin plane listens',
  }),
  adminPort: whole(0, portMax, {
    default: 8081,
    inFixture: 0,
    description: 'port of the admin plane; 0 for a free one',
  }),
  compatPort: Type.Union([Type.Literal('off'), Type.Integer({ minimum: 0, maximum: portMax })], {
    defaultShown: `\`${compatPortOf(standardPort)}\``,
    wanted: `a whole number from 0 to ${portMax} or off`,
    description:
      'port for [clients of the public API](../api/other-clients.md) (default: `port` + ' +
      '2); 0 for a free one, `off` for none',
  }),
  data: text({
    default: './data',
    description: 'data folder; only one process can use it at a time',
  }),
  acceptMissingMark: flag({
    default: false,
    description:
      'start although `durable.mark` is missing next to the journal. A lost end of the ' +
      'journal is then not detected. Use it for one start only, as a flag without a value',
  }),
  rateLimit: oneOf(['on', 'off'], {
    byMode: { sandbox: 'off', venue: 'on' },
    description: 'limit requests by credits per account, API key and address',
  }),
  credits: whole(1, 1_000_000, { default: 100, description: 'credits per address and minute' }),
  reads: oneOf(['public', 'resting', 'owner'], {
    byMode: { sandbox: 'public', venue: 'resting' },
    description:
      'what other callers can read of an account. `public`: everything except waiting ' +
      'orders. `resting`: also no stops, TP/SL levels, OCO legs or algos. `owner`: ' +
      'nothing',
  }),
  keyHeader: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9]{0,15}$',
    default: 'SVC',
    wanted: 'a short word of letters and digits',
    description: 'prefix of the `…-API-KEY` header; `PF` is always accepted',
  }),
  connectionsPerIp: whole(1, 1_000_000, {
    default: 512,
    description: 'maximum number of open connections per address, HTTP and websocket together',
  }),
  connections: whole(8, 1_000_000, {
    default: 20_000,
    description:
      'maximum number of open connections. The limit is lower if the system allows too ' +
      'few file descriptors',
  }),
  trustedProxies: texts({
    default: [],
    description: 'addresses or networks of proxies whose `x-forwarded-for` is trusted',
  }),
  allowedHosts: texts({
    default: [],
    description:
      'additional `Host` names for sandbox and admin routes, and for all routes of a ' +
      'sandbox with a public name',
  }),
  allowedOrigins: texts({
    byMode: { sandbox: [], venue: ['*'] },
    description:
      'origins of web pages that may call the API, such as `https://app.example`, in ' +
      'addition to its own and those of this machine. `*` allows any page, which can ' +
      'then use the keys of a sandbox',
  }),
  sandboxToken: Type.String({
    pattern: '^(?:[!-~]{16,256})?$',
    default: '',
    defaultShown: 'generated at startup if `host` is not this machine',
    secret: true,
    wanted: '16 to 256 letters, digits and signs',
    description:
      'token for sandbox routes, as `authorization: Bearer …`. Other machines always ' +
      'need it. If other machines can reach `host`, or a token is set, every caller ' +
      'needs it. Clients read the same variable',
  }),
  operatorAccounts: texts({
    default: [],
    description:
      "addresses of the operator's own accounts: in a venue `POST /reserves/move` moves " +
      'money only from these (not checked in a sandbox)',
  }),
  requireMarkets: texts({
    default: [],
    defaultShown: 'all',
    description:
      'symbols of the markets that must be live for `/ready`, such as `BTC,ETH` (default: ' +
      'all). Markets that an operator has restricted are ignored',
  }),
  metrics: oneOf(['public', 'admin'], {
    byMode: { sandbox: 'public', venue: 'admin' },
    description:
      'port that serves `/metrics`. The admin port requires a token with scope `read` ' +
      '(no token at a read node), and the public port then answers 404',
  }),
  untimedTexts: flag({
    default: true,
    description:
      'accept signed TP/SL texts without a timestamp, as in the contract. A captured ' +
      'text can be replayed on a later position; a venue logs this at startup. `off` ' +
      'refuses such texts',
  }),
  requireVenue: flag({
    default: false,
    description:
      'whether signed texts must name [the venue](../api/signing.md#venue). A text that ' +
      'names another venue is always rejected. A text without a venue is valid at every ' +
      'exchange that knows the key; existing clients of the public API name none',
  }),
  gateways: Type.Union([Type.Literal('auto'), Type.Integer({ minimum: 0, maximum: 64 })], {
    byMode: { sandbox: 0, venue: 'auto' },
    wanted: 'a whole number from 0 to 64 or auto',
    description:
      'number of gateway processes that serve the public API next to the leader. 0: one ' +
      'process does everything. `auto`: the number of cores minus one, at most 8, but 0 ' +
      'on one or two cores',
  }),
  ...clusterSettings,
  seed: whole(0, 4_294_967_295, {
    default: 1,
    description: "seed of the sandbox's random prices and bots",
  }),
  bots: flag({
    default: true,
    inFixture: false,
    description: 'whether simulated traders trade in a sandbox',
  }),
  pastMinutes: whole(0, 1_440, {
    byMode: { sandbox: 120, venue: 0 },
    defaultShown: '`120` in a sandbox, `0` with `clock` manual',
    description:
      'minutes of simulated history that a new sandbox with bots adds to its charts, ' +
      'shortly after it is ready',
  }),
  verifiers: whole(0, 64, {
    default: 0,
    defaultShown: 'cores − 1',
    description: 'number of threads that verify signatures',
  }),
  // A sandbox is killed and started all day, and has to be ready immediately.
  snapshotCommands: whole(1_000, 100_000_000, {
    byMode: { sandbox: 10_000, venue: 200_000 },
    description: 'commands between snapshots (under load at least 40,000)',
  }),
  adminTokens: Type.Array(adminToken, {
    default: [],
    defaultShown: 'generated in a sandbox',
    wanted: 'a list of tokens',
    description:
      '`name:token:scope+scope,…`; names are 1 to 32 characters of `a-z`, `0-9`, `-`; `treasury` ' +
      'and `system` are reserved',
  }),
  adminTokensFile: Type.String({
    default: '',
    defaultShown: 'none',
    description:
      'file with additional `adminTokens`, one per line; only its owner may have access to it',
  }),
  priceSources: Type.Unsafe<readonly PriceSourceSetting[]>({
    default: [],
    read: readPriceSources,
    description: '[price sources](price-sources.md) that a venue reads, as JSON',
  } satisfies About),
  leverageOverrides: Type.Unsafe<LeverageOverrides>({
    default: {},
    defaultShown: 'none',
    read: readLeverageOverrides,
    description:
      'markets of a venue that may exceed the leverage limit of their [price ' +
      'sources](price-sources.md#leverage). JSON with a reason for each: `{"BTC":"…"}`',
  } satisfies About),
  sources: oneOf(['standing', 'simulated'], {
    default: 'standing',
    description:
      'how a sandbox gets prices. `standing`: each price holds until the next one, and ' +
      'waiting orders are released by time. `simulated`: prices are observed every ' +
      '`cadence`, and waiting orders are released by an observation, as in a venue',
  }),
  cadence: Type.Unsafe<number>({
    default: 250,
    defaultShown: '`250ms`',
    read: readCadence,
    description: 'interval at which `simulated` sources observe prices, `250ms` to `3000ms`',
  } satisfies About),
  traces: Type.String({
    pattern: '^(https?://\\S+)?$',
    default: '',
    defaultShown: 'none',
    wanted: 'the address of a collector, such as http://127.0.0.1:4318/v1/traces',
    description:
      'address of the collector for [traces](watching.md#traces) of signed requests ' +
      '(OTLP over HTTP in JSON)',
  }),
  traceEvery: whole(1, 1_000_000, {
    default: 100,
    description: 'with `traces`: 1 of this number of signed requests is traced',
  }),
  webhooks: Type.Unsafe<readonly WebhookSetting[]>({
    default: [],
    read: readWebhooks,
    secret: true,
    description: '[webhooks](money.md#webhooks) for deposits and withdrawals, as JSON',
  } satisfies About),
  treasury: Type.Unsafe<TreasurySetting | null>({
    default: null,
    defaultShown: 'none',
    read: readTreasury,
    secret: true,
    description:
      'folder or service of the [treasury](money.md#treasury) that pays withdrawals, as ' + 'JSON',
  } satisfies About),
  ...labSettings,
  logLevel: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
    default: 'info',
    inFixture: 'warn',
    description: 'minimum level of log messages, which are JSON lines on standard error',
  }),
}

export type SettingName = keyof typeof settings
export const settingNames = Object.keys(settings) as SettingName[]

/** The values; lists are not to be changed. */
export type Settings = {
  readonly [Name in SettingName]: Frozen<Static<(typeof settings)[Name]>>
}
type Frozen<T> = T extends readonly (infer Item)[] ? readonly Frozen<Item>[] : FrozenObject<T>
type FrozenObject<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

export const aboutOf = (name: SettingName): About => settings[name] as unknown as About

/** Two above the public one, which has the admin plane between them. */
function compatPortOf(port: number): number {
  return port === 0 || port > portMax - 2 ? 0 : port + 2
}

/** What the defaults depend on. */
export type Kind = Readonly<{ mode: Mode; port: number; fixture: boolean; manual: boolean }>

export function defaultOf(name: SettingName, { mode, port, fixture, manual }: Kind): unknown {
  if (name === 'compatPort') return compatPortOf(port)
  if (name === 'pastMinutes' && manual) return 0
  const about = aboutOf(name)
  if (fixture && about.inFixture !== undefined) return about.inFixture
  return about.byMode === undefined ? about.default : about.byMode[mode]
}

/** `adminPort` is OPENPERP_ADMIN_PORT and --admin-port. */
const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
export const variableOf = (name: string) => `OPENPERP_${words(name).toUpperCase()}`
export const flagOf = (name: string) => `--${words(name).replaceAll('_', '-')}`

/** The settings that files and variables may have. */
export const filedNames = settingNames.filter((name) => aboutOf(name).flagOnly !== true)
