// An error reply. Operations and the checks of the gateway throw it, and the transport turns it
// into a body (contract: `{error, code}`, others: the envelope).

import { type ErrorName, errorTable } from '../protocol/errors.ts'

export class ApiError extends Error {
  readonly errorName: string
  readonly status: number
  readonly code: number
  /** A word in the reply by which some clients choose their error class. */
  readonly errorId: string | null
  readonly retryAfterSeconds: number | null
  /** The engine's code for rejections by a rule; otherwise 0. */
  readonly engineCode: number
  /** Entry of the journal that was refused; `null`: there is none, because the request was refused
   *  before. */
  seq: number | null = null

  constructor(name: string, explanation: string, answer: Answer, engineCode = 0) {
    super(`${name}: ${explanation}`)
    this.errorName = name
    this.status = answer.status
    this.code = answer.code
    this.errorId = answer.errorId ?? null
    this.retryAfterSeconds = answer.retryAfterSeconds ?? null
    this.engineCode = engineCode
  }
}

export type Answer = Readonly<{
  status: number
  code: number
  errorId?: string
  retryAfterSeconds?: number
}>

/** Creates an error of the gateway, such as malformed, not found or not ready, with its status and
 *  code from the table. */
export function apiError(
  name: ErrorName,
  explanation: string,
  retryAfterSeconds?: number,
): ApiError {
  const answer: Answer = errorTable[name]
  return new ApiError(
    name,
    explanation,
    retryAfterSeconds === undefined ? answer : { ...answer, retryAfterSeconds },
  )
}
