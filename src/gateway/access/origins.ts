// Which pages may read and send. Public reads and signed requests carry no cookies, so a venue
// answers pages of any origin. The keys of a sandbox are published, so that any page could sign
// with them: it answers its own pages, those of this machine and of `allowedOrigins`. A page that
// points its own host name at the sandbox has the sandbox's origin, so the host must have a name
// that no web page can have, or be one of `allowedHosts`.

import type { IncomingHttpHeaders } from 'node:http'
import { signedReadHeader } from '../../protocol/auth/signed-read.ts'
import { minSeqHeader, seqHeader } from '../../protocol/seq-headers.ts'
import { apiError } from '../api-error.ts'
import { isLoopback, isPrivateName, isSameOrigin, nameOf, urlOfOrigin } from './host-names.ts'

export type OriginSettings = Readonly<{
  /** Origins of pages, in addition to the exchange's own and this machine's; `*` for any. */
  allowedOrigins: readonly string[]
  /** Host names in addition to private ones; `null` for any. */
  allowedHosts: readonly string[] | null
}>

/** Alternating names and values. */
type HeaderPairs = readonly string[]

const exposed = [
  'access-control-expose-headers',
  `ratelimit, ratelimit-policy, retry-after, x-next-cursor, x-request-id, ${seqHeader}`,
]
const toAny: HeaderPairs = ['access-control-allow-origin', '*', ...exposed]
const toNone: HeaderPairs = ['vary', 'origin']

export class Origins {
  private readonly settings: OriginSettings
  private readonly isAny: boolean

  constructor(settings: OriginSettings) {
    this.settings = settings
    this.isAny = settings.allowedOrigins.includes('*')
  }

  /** Reply headers that let a browser show the reply to the page, or not. */
  headersFor(headers: IncomingHttpHeaders): HeaderPairs {
    if (this.isAny) return toAny
    const { origin } = headers
    if (origin === undefined || !this.isAllowed(headers)) return toNone
    return ['access-control-allow-origin', origin, ...toNone, ...exposed]
  }

  /** Preflight request of a browser for JSON bodies and keys. */
  preflightFor(headers: IncomingHttpHeaders, keyHeaders: readonly string[]): HeaderPairs {
    if (!this.isAny && !this.isAllowed(headers)) return []
    const accepted = ['content-type', minSeqHeader, signedReadHeader, ...keyHeaders].join(', ')
    return [
      ...['access-control-allow-methods', 'GET, POST'],
      ...['access-control-allow-headers', accepted],
      ...['access-control-max-age', '600'],
    ]
  }

  /** A page could have this name and point it here. */
  requireHost({ host = '' }: IncomingHttpHeaders): void {
    const { allowedHosts } = this.settings
    const name = nameOf(host)
    if (this.isAny || allowedHosts === null) return
    if (isPrivateName(name) || allowedHosts.includes(name)) return
    throw apiError(
      'HOST_REFUSED',
      'this sandbox does not know this host name: use an address or localhost, or add the name ' +
        'to allowedHosts (OPENPERP_ALLOWED_HOSTS)',
    )
  }

  /** Checks requests that change something, and streams. */
  requirePage(headers: IncomingHttpHeaders): void {
    this.requireHost(headers)
    if (this.isAny || headers.origin === undefined || this.isAllowed(headers)) return
    throw apiError(
      'HOST_REFUSED',
      'nothing is accepted from pages of this origin; allowedOrigins (OPENPERP_ALLOWED_ORIGINS) ' +
        'allows more',
    )
  }

  private isAllowed({ origin = '', host = '' }: IncomingHttpHeaders): boolean {
    if (this.settings.allowedOrigins.includes(origin)) return true
    const url = urlOfOrigin(origin)
    if (url === null) return false
    return (
      isLoopback(url.hostname) || url.hostname.endsWith('.localhost') || isSameOrigin(origin, host)
    )
  }
}
