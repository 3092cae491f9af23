// Checks of the settings: tokens, listening addresses, sources of prices.

import { statSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import type { Finding } from '../../cli/doctor.ts'
import type { Config } from '../../config.ts'

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])
const tokenLengthMin = 24

/** The file contains tokens, so other users must not be able to read it. */
export function configFileFinding(path: string): Finding {
  const mode = statSync(path).mode & 0o777
  const what = `settings in ${path}`
  const must = 'mode 600: it contains tokens'
  return { what, must, is: `mode ${mode.toString(8)}`, verdict: mode & 0o077 ? 'bad' : 'good' }
}

export function tokenFinding({ adminTokens, mode }: Config): Finding {
  const short = adminTokens.filter(({ token }) => token.length < tokenLengthMin)
  const names = short.map(({ name }) => name).join(', ')
  return {
    what: 'admin tokens',
    is: short.length === 0 ? `${adminTokens.length}` : `too short: ${names}`,
    must: `${tokenLengthMin} characters or more each (openssl rand -hex 24)`,
    verdict: short.length === 0 || mode === 'sandbox' ? 'good' : 'bad',
  }
}

/** Finding about the treasury; `null` if no treasury is configured. */
export function treasuryFinding({ treasury }: Config): Finding | null {
  if (treasury === null) return null
  const what = 'treasury'
  if (treasury.kind === 'http') {
    const { protocol, hostname } = new URL(treasury.url)
    const isSafe = protocol === 'https:' || loopback.has(hostname)
    const must = 'https, or this machine: orders and reports go over it'
    return { what, is: `${protocol}//${hostname}`, must, verdict: isSafe ? 'good' : 'warn' }
  }
  const mode = statSync(treasury.folder, { throwIfNoEntry: false })?.mode
  const isOpen = mode !== undefined && (mode & 0o002) !== 0
  const is = mode === undefined ? 'no folder yet' : `mode ${(mode & 0o777).toString(8)}`
  const must = 'not writable by other users: write access allows crediting money'
  return { what, is: `${treasury.folder}, ${is}`, must, verdict: isOpen ? 'bad' : 'good' }
}

export function priceFinding({ mode, adminTokens, priceSources }: Config): Finding | null {
  if (mode === 'sandbox') return null
  const pushing = adminTokens.filter(({ scopes }) => scopes.includes('prices'))
  const names = [...priceSources, ...pushing].map(({ name }) => name)
  const verdict = names.length < 2 ? 'bad' : names.length === 2 ? 'warn' : 'good'
  return {
    what: 'sources of prices',
    is: names.length === 0 ? 'none' : `${names.length}: ${names.join(', ')}`,
    must: 'three or more: no market is live with fewer than two, and with two neither may be stale',
    verdict,
  }
}

export function exposureFindings({ host, adminHost, trustedProxies }: Config): readonly Finding[] {
  return [
    {
      what: 'public port',
      is: `on ${host}${trustedProxies.length > 0 ? ', behind a proxy' : ''}`,
      must: 'of this machine only, or behind a proxy that speaks TLS (trustedProxies names it)',
      verdict: loopback.has(host) || trustedProxies.length > 0 ? 'good' : 'warn',
    },
    {
      what: 'admin port',
      is: `on ${adminHost}`,
      must: 'of this machine or an inner network only: it speaks no TLS',
      verdict: loopback.has(adminHost) ? 'good' : 'warn',
    },
  ]
}

/** Passes for each port that is free or on which an exchange already answers. */
export async function portFindings(config: Config): Promise<readonly Finding[]> {
  const { host, port, adminHost, adminPort, compatPort } = config
  const ports = [
    ['port', host, port],
    ['adminPort', adminHost, adminPort],
    ...(compatPort === 'off' ? [] : [['compatPort', host, compatPort] as const]),
  ] as const
  const used = ports.filter(([, , number]) => number !== 0)
  return Promise.all(used.map(([name, at, number]) => portFinding(name, at, number as number)))
}

async function portFinding(name: string, host: string, port: number): Promise<Finding> {
  const what = `${name} ${port}`
  const must = 'free, or of the exchange itself'
  const code = await listens(host, port)
  if (code === null) return { what, must, is: 'free', verdict: 'good' }
  if (code === 'EADDRINUSE' && (await isExchange(host, port)))
    return { what, must, is: 'an exchange answers', verdict: 'good' }
  const is = code === 'EADDRINUSE' ? 'taken by another program' : `not to be had (${code})`
  return { what, must, is, verdict: 'bad' }
}

/** Returns why listening on the port fails; `null` if it succeeds. */
function listens(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(null)))
  })
}

/** Recognizes an exchange by its reply to an unknown path, because the admin port has no
 *  /health. */
function isExchange(host: string, port: number): Promise<boolean> {
  const at = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((done) => {
    const request = get({ host: at, port, path: '/no-such-path', timeout: 2_000 }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => {
        if (text.length < 4_096) text += part
      })
      reply.on('end', () => done(text.startsWith('{"success":false,"data":null,"error":"')))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => done(false))
  })
}
