// A request that is answered with an error. Thrown by operations and by the checks at the door;
// the transport turns it into a body (contract: `{error, code}`, others: the envelope).

import { type ErrorName, errorTable } from '../protocol/errors.ts'

export class ApiError extends Error {
  readonly errorName: string
  readonly status: number
  readonly code: number
  /** A word for clients that choose their error class by it. */
  readonly errorId: string | null
  readonly retryAfterSeconds: number | null
  /** The engine's code where a rule refused, 0 otherwise. */
  readonly engineCode: number

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

/** An error of the door: malformed, not found, not ready … with the answer the table gives it. */
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
