// Measures requests, and reports failures that are caused by bugs.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type RejectionName, rejections } from '../core/index.ts'
import { HistoryBehind } from '../projections/history/history.ts'
import { openTexts } from '../protocol/errors.ts'
import {
  AnswerLost,
  NodeOutdated,
  NoLeader,
  OutsideWindow,
  Overloaded,
  SequencerStopped,
} from '../sequencer/not-taken.ts'
import { ApiError, apiError } from './api-error.ts'
import { refusalWith } from './refusal.ts'

export type RequestMeter = Readonly<{
  took(operation: string, status: number, ms: number): void
}>

/** Messages for errors of the HTTP library. */
const libraryErrors: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    apiError('BODY_TOO_LARGE', 'the body is larger than 65536 bytes'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    apiError('UNSUPPORTED_MEDIA_TYPE', 'the content-type of a POST must be application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    apiError('MALFORMED_REQUEST', 'the body is not as long as content-length says'),
  FST_ERR_BAD_URL: () => apiError('MALFORMED_REQUEST', 'the address is not a valid one'),
}

/** Replies on the socket itself to data that is not HTTP, or to a request that can no longer be
 *  accepted. */
export function answerBytes(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, text, explanation } = bytesAnswers[error.code ?? ''] ?? badBytes
  const { message } = apiError('MALFORMED_REQUEST', explanation)
  const body = JSON.stringify({ success: false, data: null, error: message, code: status })
  const head = `content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}`
  sayLast(socket, `HTTP/1.1 ${status} ${text}\r\n${head}\r\nconnection: close\r\n\r\n${body}`)
}

/** Time in milliseconds that a refused client has to read the reason. */
const lastMs = 1_000

/** Sends a text, then closes the socket after a while. Without this limit Node would wait
 *  indefinitely for the client to close it. */
export function sayLast(socket: Duplex, text: string): void {
  socket.end(text)
  setTimeout(() => socket.destroy(), lastMs).unref()
}

export const isLate = ({ code }: { code?: string }) => code === 'ERR_HTTP_REQUEST_TIMEOUT'

type BytesAnswer = Readonly<{ status: number; text: string; explanation: string }>

const badBytes = { status: 400, text: 'Bad Request', explanation: 'malformed HTTP request' }
const bytesAnswers: Readonly<Record<string, BytesAnswer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    text: 'Request Header Fields Too Large',
    explanation: 'the headers are too long',
  },
  CONNECT: {
    status: 405,
    text: 'Method Not Allowed',
    explanation: 'CONNECT is not supported: this server is not a proxy',
  },
  TOO_MUCH: {
    status: 503,
    text: 'Service Unavailable',
    explanation:
      'too many requests from this address are waiting; wait for replies before sending more',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    text: 'Request Timeout',
    explanation: 'the request did not arrive in time',
  },
}

/** Converts an error to a reply. An unexpected error is logged with the request id, and the reply
 *  contains no internal details. */
export function asApiError(error: unknown, log: FastifyBaseLogger): ApiError {
  if (error instanceof ApiError) return error
  const temporary = temporaryOf(error)
  if (temporary !== null) return apiError('NOT_READY', temporary)
  if (error instanceof NodeOutdated) return apiError('NOT_READY', error.message)
  if (error instanceof OutsideWindow) return apiError('EXPIRED', error.message)
  if (isRefusal(error))
    return refusalWith(error.rejection, 'rules', { account: '', params: null }, error.numbers)
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const known = libraryErrors[code ?? '']
  if (known !== undefined) return known()
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return apiError('MALFORMED_REQUEST', 'the request cannot be read')
  log.error({ err: error }, 'a request failed')
  return apiError(
    'INTERNAL_ERROR',
    'something went wrong here; the log has it under the request id',
  )
}

/** The message of a temporary failure, after which the caller may retry. */
function temporaryOf(error: unknown): string | null {
  if (error instanceof HistoryBehind) return 'history has not caught up yet'
  if (error instanceof Overloaded) return 'too many commands are waiting'
  if (error instanceof NoLeader) return 'no node leads at the moment; nothing was carried out'
  if (error instanceof AnswerLost) return openTexts.answerLost
  if (error instanceof SequencerStopped) return openTexts.stopping
  return (error as { code?: string }).code === 'TOO_BUSY' ? 'too many sandbox requests wait' : null
}

type SourceRefusal = Readonly<{ rejection: RejectionName; numbers: [number, number, number] }>

/** Whether a rule rejected a command of the sandbox's sources. */
function isRefusal(error: unknown): error is SourceRefusal {
  const name = (error as Partial<SourceRefusal>).rejection
  return name !== undefined && name in rejections
}
