// The files of a new venue: a commented configuration, and its tokens.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AdminScope } from '../../protocol/admin/admin-row.ts'
import { type MarketTemplate, reasonOf } from '../../protocol/admin/market-catalogue.ts'
import type { PriceSourceKind } from '../../protocol/admin/price-source-kinds.ts'
import { newToken } from '../admin/new-token.ts'
import { CliError } from '../frame/exit-codes.ts'
import { makeFolder } from '../frame/make-folder.ts'
import { writeNewKey } from '../key-source.ts'

export type VenuePlan = Readonly<{
  name: string
  templates: readonly MarketTemplate[]
  sources: readonly PriceSourceKind[]
  /** Addresses that differ from the defaults. */
  urls: Readonly<Partial<Record<PriceSourceKind, string>>>
  /** Whether prices are pushed, too. */
  pushes: boolean
  port: number
  adminPort: number
}>

export type MadeToken = Readonly<{
  name: string
  scopes: readonly AdminScope[]
  token: string
  about: string
}>

/** Payments and their limits have separate tokens: none has both `money` and `operate`. */
const holders: readonly Omit<MadeToken, 'token'>[] = [
  {
    name: 'operator',
    scopes: ['read', 'markets', 'accounts', 'operate'],
    about: 'markets, accounts, limits and fees',
  },
  {
    name: 'money',
    scopes: ['read', 'money'],
    about: 'credits deposits, pays withdrawals, moves reserves',
  },
  { name: 'second', scopes: ['read', 'money'], about: 'approves withdrawals together with money' },
  { name: 'watch', scopes: ['read'], about: 'for monitoring: read only' },
]

const pusher = { name: 'door', scopes: ['prices'], about: 'pushes prices' } as const

export function makeTokens({ pushes }: VenuePlan): readonly MadeToken[] {
  const all = pushes ? [...holders, pusher] : holders
  return all.map((holder) => ({ ...holder, token: newToken() }))
}

export type WrittenVenue = Readonly<{
  files: readonly string[]
  /** Address of the account that pays into the reserves. */
  house: string
}>

/** Throws before anything is written if a file exists. */
export function writeVenue(
  folder: string,
  plan: VenuePlan,
  tokens: readonly MadeToken[],
): WrittenVenue {
  requireEmpty(folder)
  const secrets = join(folder, 'secrets')
  makeFolder(folder)
  makeFolder(secrets, 0o700)
  const houseKey = join(secrets, 'house.key')
  const { address: house } = writeNewKey(houseKey)
  const lines = tokens.map(({ name, token, scopes }) => `${name}:${token}:${scopes.join('+')}`)
  const files: readonly (readonly [string, string, number])[] = [
    [join(folder, 'openperp.env'), settingsText(plan, house), 0o644],
    [join(folder, '.gitignore'), ignored, 0o644],
    [join(secrets, 'tokens'), `${tokensHead}${lines.join('\n')}\n`, 0o600],
    ...tokens.map(({ name, token }) => {
      return [join(secrets, `${name}.token`), `${token}\n`, 0o600] as const
    }),
  ]
  for (const [file, text, mode] of files) writeFileSync(file, text, { flag: 'wx', mode })
  return { files: [...files.map(([file]) => file), houseKey], house }
}

function requireEmpty(folder: string): void {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new CliError('refused', `${folder} cannot be used: ${message}`)
  }
  if (names.length === 0) return
  throw new CliError('refused', `${folder} has something in it: nothing is written over`, {
    hint: 'name a folder that does not exist yet',
  })
}

const tokensHead = `# Who may do what at the admin plane, one a line: name:token:scope+scope.
# Only the user who runs the exchange may read this file. A start reads it.
`

const ignored = `# Neither secrets nor what traders have belong into a repository.
secrets/
data/
*.key
`

function settingsText(plan: VenuePlan, house: string): string {
  const { name, port, adminPort } = plan
  return `# ${name}: a venue of openperp. A start in this folder reads this file.
# Every setting there is: docs/operating/running.md. Variables of the environment and flags win.

# A venue has real prices and no test money.
OPENPERP_MODE=venue

# Where traders reach it: this machine alone. Put a proxy with TLS in front of it.
OPENPERP_HOST=127.0.0.1
OPENPERP_PORT=${port}
# Two above it is open as well, for ccxt, hummingbot and SDKs; OPENPERP_COMPAT_PORT=off closes it.

# The admin plane. Never expose it to the internet: a token gives control of the venue.
OPENPERP_ADMIN_HOST=127.0.0.1
OPENPERP_ADMIN_PORT=${adminPort}

# Admin tokens and their scopes. The exchange does not start if other users can read this file.
OPENPERP_ADMIN_TOKENS_FILE=secrets/tokens

# The house: your own account, whose key is in secrets/house.key. Its money, and no trader's, may be
# moved into the insurance fund and the backstops. More of them with a comma.
OPENPERP_OPERATOR_ACCOUNTS=${house}

# The journal and everything derived from it. Back it up together with this file and secrets/:
# docs/operating/every-day.md.
OPENPERP_DATA=./data

# What accounts show to others: resting hides stops, TP/SL levels, OCO legs and algos; owner hides
# everything. Orders that wait for their release are shown to their owner in any case.
OPENPERP_READS=resting

# Texts without a timestamp never expire, and one that was captured serves again: refused.
OPENPERP_UNTIMED_TEXTS=off

${sourcesText(plan)}
${plan.templates.map(templateText).join('\n')}`
}

function sourcesText({ templates, sources, urls, pushes }: VenuePlan): string {
  const entries = sources.flatMap((kind) => {
    const named = templates.filter((template) => template.sources[kind] !== undefined)
    if (named.length === 0) return []
    const symbols = Object.fromEntries(
      named.map(({ listing, sources: calls }) => [listing.symbol, calls[kind]]),
    )
    const url = urls[kind] === undefined ? {} : { url: urls[kind] }
    return [`  ${JSON.stringify({ kind, symbols, ...url })}`]
  })
  const pushed = pushes ? '# The token named door can also push prices of any market.\n' : ''
  return `# Price sources; the index is their median. See docs/operating/price-sources.md.
# Use three or more with different owners, so that a single one cannot set the price.
${pushed}OPENPERP_PRICE_SOURCES='[
${entries.join(',\n')}
]'
`
}

/** For information: a market is listed and changed by commands. */
function templateText({ name, group, about, listing }: MarketTemplate): string {
  const fields = Object.entries(listing).map(([field, value]) => {
    const text = typeof value === 'object' ? tiersText(value) : String(value)
    const why = reasonOf(group, field)
    return `#   ${field} ${text}${why === '' ? '' : `: ${why}`}`
  })
  const command = `openperp admin market list --template ${name}`
  return `# Market ${listing.symbol} (${about}), listed by: ${command}
${fields.join('\n')}
`
}

const tiersText = (tiers: MarketTemplate['listing']['risk_tiers']) =>
  tiers.map(({ from_value, max_leverage }) => `${max_leverage} from ${from_value}`).join(', ')
