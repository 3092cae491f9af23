// The start-up message: addresses, two funded keys, and a first request.

import type { SandboxKey } from '../client/sandbox-keys.ts'
import type { Config } from '../config.ts'
import { sandboxTokenName } from '../protocol/auth/sandbox-addresses.ts'

export type Running = Readonly<{
  config: Config
  port: number
  adminPort: number
  compatPort: number | null
  /** Admin token, generated if none was configured; `null` in a venue. */
  adminToken: string | null
  markets: readonly string[]
  /** Venue id, which clients include in signed requests. */
  venue: string
  traders: readonly SandboxKey[]
  /** Whether it is a fork, in which requests act for any account. */
  isFork?: boolean
  /** Newest journal entry found by recovery; 0 for a new exchange. */
  seq: number
  readyMs: number
}>

export function banner(running: Running): string {
  const { config, port, adminPort, markets, traders, seq, readyMs, venue } = running
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const url = `http://${host}:${port}`
  const { sandboxToken } = config
  const seconds = (readyMs / 1_000).toLocaleString('en', { maximumFractionDigits: 2 })
  const lines = [
    '',
    `  openperp ${config.mode}, ready in ${seconds} s`,
    '',
    `  Terminal   ${url}/${terminalFragment(config)}`,
    `  API        ${url}/api/v1        ccxt: ${url}/ccxt`,
    `  Clients    ${clientsText(running, host)}`,
    `  Reference  ${url}/docs          machines: ${url}/openapi.json`,
    `  Streams    ${url.replace('http', 'ws')}/ws`,
    `  Health     ${url}/ready         metrics: ${metricsText(running, url)}`,
    `  Admin      http://${config.adminHost}:${adminPort}${adminText(running)}`,
    ...(sandboxToken === '' ? [] : [`  Sandbox    ${sandboxText(sandboxToken)}`]),
    `  Data       ${config.data}${seq === 0 ? ' (new)' : ` (resumed at entry ${seq})`}`,
    `  Venue      ${venue}  the id that signed texts name`,
    ...clusterLines(config),
    `  Markets    ${marketsText(markets)}`,
  ]
  if (traders.length > 0) lines.push('', ...tradersText(traders))
  if (running.isFork) lines.push('', ...forkText(url))
  else if (config.mode === 'sandbox') lines.push('', '  Try:', ...requests(url))
  const note = untimedNote(config)
  if (note !== null) lines.push('', `  Note: ${note}`)
  return [
    ...lines,
    '',
    '  Ctrl-C stops it; the next start goes on where this one stopped.',
    '',
  ].join('\n')
}

const terminalFragment = ({ sandboxToken }: Config) =>
  sandboxToken === '' ? '' : `#${sandboxTokenName}=${encodeURIComponent(sandboxToken)}`

const sandboxText = (token: string) =>
  `token: ${token} (OPENPERP_SANDBOX_TOKEN of clients; sandbox routes need it)`

/** Notice that the default compat port is in use. For a configured port this is an error
 *  instead. */
export function compatPortTaken({ compatPort }: Config): string {
  return `port ${compatPort} is in use, so clients of the public API have no port of their own`
}

function clientsText({ config, compatPort }: Running, host: string): string {
  if (compatPort !== null) return `http://${host}:${compatPort}         ccxt, hummingbot, SDKs`
  if (config.compatPort === 'off') return 'no port of their own (OPENPERP_COMPAT_PORT is off)'
  return `${compatPortTaken(config)}; OPENPERP_COMPAT_PORT chooses another`
}

function clusterLines({ cluster, node, role, leaseMs }: Config): readonly string[] {
  if (cluster === '') return []
  if (role === 'read')
    return [`  Cluster    ${node} is a read replica; it forwards writes to the leader`]
  return [`  Cluster    ${node} leads, with a lease of ${leaseMs} ms`]
}

function metricsText({ config, adminPort }: Running, url: string): string {
  if (config.metrics === 'public') return `${url}/metrics`
  return `http://${config.adminHost}:${adminPort}/metrics (scope read)`
}

/** Warning for venues about signed requests that never expire; `null` if there is nothing to warn
 *  about. */
export function untimedNote({ mode, untimedTexts }: Config): string | null {
  if (mode !== 'venue' || !untimedTexts) return null
  return (
    'TP/SL texts without a timestamp are accepted, as the contract has them; a captured one ' +
    'serves again on a later position. untimedTexts off (OPENPERP_UNTIMED_TEXTS) refuses them.'
  )
}

function adminText({ adminToken }: Running): string {
  const who = adminToken === null ? 'console; a token is required' : `token: ${adminToken}`
  return `         ${who}`
}

function marketsText(markets: readonly string[]): string {
  if (markets.length > 0) return markets.join(' ')
  return 'none yet: `openperp admin market list --template btc` (docs/operating/first-day.md)'
}

function tradersText(traders: readonly SandboxKey[]): string[] {
  const rows = traders.flatMap(({ name, key }) => [
    `  ${name.padEnd(9)}  address ${key.address}`,
    `             secret  ${key.secret}`,
  ])
  return ['  Two funded keys (test money, the same in every sandbox):', ...rows]
}

function forkText(url: string): string[] {
  return [
    '  A fork: its time stands, and any account can be acted for without a signature:',
    `    curl -H 'x-act-as: <address>' '${url}/api/v1/account?account=<address>'`,
  ]
}

function requests(url: string): string[] {
  const address = url === 'http://127.0.0.1:8080' ? '' : ` --url ${url}`
  return [
    `    curl '${url}/api/v1/book?symbol=BTC'`,
    `    npx openperp order BTC bid 0.01 --key alice${address}`,
    `    npx openperp positions --key alice${address}`,
    `    npx openperp --help`,
  ]
}
