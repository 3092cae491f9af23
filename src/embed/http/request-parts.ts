// The parts of an embedded exchange that carry out its requests.

import { SignatureChecks } from '../../gateway/auth/check-signature.ts'
import { unverified } from '../../gateway/auth/unverified.ts'
import type { Verifiers } from '../../gateway/auth/verifiers.ts'
import type { Exchange } from '../../gateway/exchange.ts'
import type { AnswerOptions } from '../../gateway/http/answer.ts'
import { Door } from '../../gateway/intake/door.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import { defects } from './own-requests.ts'
import { embeddedAccess } from './routes.ts'

/** `verifiers`: `null` if signatures are not checked. */
export function answerOptionsOf(exchange: Exchange, verifiers: Verifiers | null): AnswerOptions {
  const { venue } = exchange.settings
  const checks = verifiers === null ? unverified(venue) : new SignatureChecks(verifiers, venue)
  return {
    door: new Door(exchange, checks, null),
    log: defects,
    trusted: parseTrustedProxies([]),
    keyHeaders: ['svc-api-key', 'pf-api-key'],
    ...embeddedAccess,
    meter: { took: () => undefined },
  }
}

/** A placeholder signature in the right format, which is not checked. */
export const unchecked = '1'.repeat(64)
