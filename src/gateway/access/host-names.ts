// Classifies the hosts that a request names: this machine, names that a web page can have, and
// pages of the same origin. The sandbox and admin routes refuse a Host that is not this machine, so
// that a page that rebinds its name to the loopback address has no access.

import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { apiError } from '../api-error.ts'

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
/** Top-level names that no web site can register. */
const privateEndings = /\.(?:localhost|local|internal|test)$/

export type WithHeaders = Readonly<{ headers: IncomingHttpHeaders }>

/** The name without the port: `localhost:8080` is `localhost`. */
export function nameOf(host: string): string {
  return host.replace(/:[0-9]*$/, '').toLowerCase()
}

/** Whether a setting or an address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  const name = nameOf(isIP(host) === 6 ? `[${host}]` : host)
  return loopbackNames.includes(name) || /^127\.\d+\.\d+\.\d+$/.test(name)
}

/** An address, a name without a dot, or a private one: no web page can have it. */
export function isPrivateName(name: string): boolean {
  if (!name.includes('.') || name.startsWith('[') || isIP(name) !== 0) return true
  return privateEndings.test(name)
}

/** As in the origin of a page: without the default port of its scheme. */
function hostAt(protocol: string, host: string): string {
  return host.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '')
}

/** `null` if it is not the origin of a web page. */
export function urlOfOrigin(origin: string): URL | null {
  return /^https?:\/\//.test(origin) && URL.canParse(origin) ? new URL(origin) : null
}

/** Another port of this machine is another origin, because anyone may serve it. */
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
