// Status and code of a rejection by a rule. The contract's own endpoints use 400 for all
// rejections; other endpoints use 422 with the engine's code.

import { type RejectionName, rejections } from '../core/index.ts'
import { type Answer, ApiError } from './api-error.ts'
import type { Refusals } from './operation.ts'
import type { Subject } from './refusal-subject.ts'
import { refusalText } from './refusal-text.ts'

const publicCodeMax = 999

/** Rejections that do not concern trading rules have their own status on all endpoints. */
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

/** The engine's code, which the websocket uses for all endpoints; 0 if there is none. */
export function engineCodeOf(name: RejectionName): number {
  const { code } = rejections[name]
  return code <= publicCodeMax ? code : 0
}

/** The error for an unlisted market, with the same name and message everywhere. Reads, and
 *  requests that do not reach the core, reply 400 as for any invalid parameter. */
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

/** The error of a command with this entry in the journal. */
export function refusalAt(seq: number, error: ApiError): ApiError {
  error.seq = seq
  return error
}
