// Status and code of a refusal by the rules. The contract's own endpoints answer 400 to everything;
// elsewhere a refusal is 422 with the engine's code.

import { type RejectionName, rejections } from '../core/index.ts'
import { type Answer, ApiError } from './api-error.ts'
import type { Refusals } from './operation.ts'
import type { Subject } from './refusal-subject.ts'
import { refusalText } from './refusal-text.ts'

const publicCodeMax = 999

/** Refusals that are not about trading rules keep their own status everywhere. */
const statusOf: Partial<Record<RejectionName, number>> = {
  EXPIRED: 400,
  REPLAYED: 400,
  AGENT_NOT_ALLOWED: 403,
  AGENT_LIMIT: 403,
  TEXT_MEMORY_FULL: 429,
  DEPOSIT_CONFLICT: 409,
}

export function answerOf(name: RejectionName, refusals: Refusals): Answer {
  if (refusals === 'contract') return { status: 400, code: 400 }
  const status = statusOf[name] ?? 422
  const { code } = rejections[name]
  const retry = status === 429 ? { retryAfterSeconds: 10 } : {}
  return { status, code: status === 422 && code <= publicCodeMax ? code : status, ...retry }
}

export function refusal(name: RejectionName, refusals: Refusals, explanation: string): ApiError {
  return new ApiError(name, explanation, answerOf(name, refusals), engineCodeOf(name))
}

/** The engine's own code, which the websocket uses for all endpoints; 0 if none. */
export function engineCodeOf(name: RejectionName): number {
  const { code } = rejections[name]
  return code <= publicCodeMax ? code : 0
}

/** An unlisted market, with one name and one sentence everywhere. Reads, and requests that do not
 *  reach the core, answer 400 as for any invalid parameter. */
export function unknownMarket(refusals: Refusals | 'parameter'): ApiError {
  const text = refusalText('BOOK_NOT_FOUND', { account: '', params: null }, [0, 0, 0])
  if (refusals !== 'parameter') return refusal('BOOK_NOT_FOUND', refusals, text)
  const code = engineCodeOf('BOOK_NOT_FOUND')
  return new ApiError('BOOK_NOT_FOUND', text, { status: 400, code }, code)
}

export function refusalWith(
  name: RejectionName,
  refusals: Refusals,
  subject: Subject,
  numbers: readonly [number, number, number] = [0, 0, 0],
): ApiError {
  return refusal(name, refusals, refusalText(name, subject, numbers))
}
