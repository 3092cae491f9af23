// Decides which pages may send requests and read replies.
// || A venue answers pages of any origin, because public reads and signed requests use no cookies.
// || A sandbox answers only its own pages, pages of this machine, and `allowedOrigins`, because its
// keys are published and any page could sign with them. A page could also point its own host name
// at the sandbox and so get the sandbox's origin. Therefore the host must be a name that no web
// page can have, or one of `allowedHosts`.

import type { IncomingHttpHeaders } from 'node:http'
import { signedReadHeader } from '../../protocol/auth/signed-read.ts'
import { minSeqHeader, seqHeader } from '../../protocol/seq-headers.ts'
import { apiError } from '../api-error.ts'
import { isLoopback, isPrivateName, isSameOrigin, nameOf, urlOfOrigin } from './host-names.ts'

export type OriginSettings = Readonly<{
  /** Allowed origins in addition to the exchange itself and this machine; `*` for any. */
  allowedOrigins: readonly string[]
  /** Allowed host names in addition to private ones; `null` for any. */
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

  /** Reply headers that allow the page to read the reply, if it may. */
  headersFor(headers: IncomingHttpHeaders): HeaderPairs {
    if (this.isAny) return toAny
    const { origin } = headers
    if (origin === undefined || !this.isAllowed(headers)) return toNone
    return ['access-control-allow-origin', origin, ...toNone, ...exposed]
  }

  /** Headers for a preflight request, which browsers send for JSON bodies and API keys. */
  preflightFor(headers: IncomingHttpHeaders, keyHeaders: readonly string[]): HeaderPairs {
    if (!this.isAny && !this.isAllowed(headers)) return []
    const accepted = ['content-type', minSeqHeader, signedReadHeader, ...keyHeaders].join(', ')
    return [
      ...['access-control-allow-methods', 'GET, POST'],
      ...['access-control-allow-headers', accepted],
      ...['access-control-max-age', '600'],
    ]
  }

  /** Throws if a web page could have this host name. */
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

  /** Throws if the page may not change anything or open a stream. */
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
