// Classifies the hosts that a request names: this machine, private names, and pages of the same
// origin. The sandbox and admin routes refuse any Host other than this machine, as protection
// against DNS rebinding by web pages.

import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { apiError } from '../api-error.ts'

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
/** Top-level names that no web site can register. */
const privateEndings = /\.(?:localhost|local|internal|test)$/

export type WithHeaders = Readonly<{ headers: IncomingHttpHeaders }>

/** The host name without port, so that `localhost:8080` is `localhost`. */
export function nameOf(host: string): string {
  return host.replace(/:[0-9]*$/, '').toLowerCase()
}

/** Whether a setting or an address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  const name = nameOf(isIP(host) === 6 ? `[${host}]` : host)
  return loopbackNames.includes(name) || /^127\.\d+\.\d+\.\d+$/.test(name)
}

/** Whether no web page can have this name: IP addresses, names without a dot, and private names. */
export function isPrivateName(name: string): boolean {
  if (!name.includes('.') || name.startsWith('[') || isIP(name) !== 0) return true
  return privateEndings.test(name)
}

/** The host as in the origin of a page: without the default port of its scheme. */
function hostAt(protocol: string, host: string): string {
  return host.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '')
}

/** Parses an origin; `null` if it is not the origin of a web page. */
export function urlOfOrigin(origin: string): URL | null {
  return /^https?:\/\//.test(origin) && URL.canParse(origin) ? new URL(origin) : null
}

/** A different port of the same host is a different origin, because another user may serve it. */
export function isSameOrigin(origin: string, host: string): boolean {
  const url = urlOfOrigin(origin)
  return url !== null && url.host === hostAt(url.protocol, host)
}

export function requireSameOrigin({ headers }: WithHeaders): void {
  const { origin, host = '' } = headers
  if (origin !== undefined && !isSameOrigin(origin, host))
    throw apiError('HOST_REFUSED', 'this route is not served to pages of another origin')
}

export function requireLocalHost(incoming: WithHeaders, allowed: readonly string[]): void {
  const name = nameOf(incoming.headers.host ?? '')
  if (!loopbackNames.includes(name) && !allowed.includes(name))
    throw apiError('HOST_REFUSED', 'this route is served to this machine and allowedHosts only')
  requireSameOrigin(incoming)
}
