// Errors of the gateway, returned before a command exists. Errors of the engine are in
// core/commands/rejections.ts. Together they are all error names of the API.

type Row = Readonly<{ status: number; code: number; errorId?: string; retryAfterSeconds?: number }>

export const errorTable = {
  MALFORMED_REQUEST: { status: 400, code: 400 },
  INVALID_ADDRESS: { status: 400, code: 400 },
  INVALID_CURSOR: { status: 400, code: 400 },
  INVALID_SIGNATURE: { status: 400, code: 400, errorId: 'signature_verification_failed' },
  EXPIRED: { status: 400, code: 400 },
  OTHER_VENUE: { status: 400, code: 400 },
  VENUE_REQUIRED: { status: 400, code: 400 },
  AGENT_NOT_BOUND: { status: 400, code: 400 },
  INVALID_API_KEY: { status: 401, code: 401 },
  CREDENTIALS_REQUIRED: { status: 401, code: 401 },
  AGENT_FORBIDDEN: { status: 403, code: 403 },
  HOST_REFUSED: { status: 403, code: 403 },
  SCOPE_REQUIRED: { status: 403, code: 403 },
  NOT_FOUND: { status: 404, code: 404 },
  METHOD_NOT_ALLOWED: { status: 405, code: 405 },
  CLOCK_STANDS: { status: 409, code: 409 },
  BODY_TOO_LARGE: { status: 413, code: 413 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, code: 415 },
  RATE_LIMITED: { status: 429, code: 429 },
  INTERNAL_ERROR: { status: 500, code: 500 },
  NOT_READY: { status: 503, code: 503, retryAfterSeconds: 1 },
  REPLY_WITHHELD: { status: 504, code: 504 },
} as const satisfies Record<string, Row>

export type ErrorName = keyof typeof errorTable

/** Messages of NOT_READY for requests whose outcome is unknown. With any other message of
 *  NOT_READY the request was not executed. */
export const openTexts = {
  answerLost:
    'the node that leads was lost before it answered: whether this was carried out is not ' +
    'known. Send the same signed text again: it is carried out once',
  stopping: 'the exchange is stopping',
} as const

/** The message of NOT_READY while the exchange is halted. Every other node would answer the
 *  same. */
export const haltedText = 'the operator has halted the whole exchange; cancels are still served'
