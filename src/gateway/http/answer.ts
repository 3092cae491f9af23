// Executes a request for any transport: identifies the caller, charges credits, runs the operation,
// and measures the time.

import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import { rejections } from '../../core/index.ts'
import { signedReadHeader } from '../../protocol/auth/signed-read.ts'
import { minSeqHeader, seqHeader } from '../../protocol/seq-headers.ts'
import { batchLevelsMax, parseStrict } from '../../protocol/strict-json.ts'
import { actorIn } from '../access/acting.ts'
import type { Origins } from '../access/origins.ts'
import { requireSandboxAccess, type SandboxAccess } from '../access/sandbox-access.ts'
import { type ApiError, apiError } from '../api-error.ts'
import { asApiError, type RequestMeter } from '../failures.ts'
import type { Door } from '../intake/door.ts'
import { clientAddress, type TrustedProxies } from '../limits/client-address.ts'
import { isRead, type Operation } from '../operation.ts'
import { csvOf, csvType } from './csv.ts'
import { errorBody, type Page, replyBody } from './envelope.ts'

export const bodyBytesMax = 65_536

export type AnswerOptions = Readonly<{
  door: Door
  log: Logger
  trusted: TrustedProxies
  /** Accepted headers for an API key, in lower case. */
  keyHeaders: readonly string[]
  /** Which pages may read and send. */
  origins: Origins
  sandbox: SandboxAccess
  meter: RequestMeter
}>

export type Incoming = Readonly<{
  id: string
  headers: IncomingHttpHeaders
  socketAddress: string | undefined
  /** How far the clock that checks the signature is ahead; absent for not at all. */
  skewMs?: number
  /** The parameters of the operation, not validated yet. Throws if they cannot be parsed. */
  read(): unknown
  /** Whether CSV is requested; absent if the transport does not support it. Throws if the format
   *  is invalid. */
  wantsTable?: () => boolean
}>

export type Answer = {
  status: number
  headers: Record<string, string | number> | null
  body: unknown
}

export async function answerTo(
  operation: Operation,
  incoming: Incoming,
  options: AnswerOptions,
): Promise<Answer> {
  const { door, meter, trusted, keyHeaders } = options
  const { id: requestId, headers, socketAddress } = incoming
  const started = performance.now()
  const answer: Answer = { status: 200, headers: null, body: null }
  try {
    requireAccess(operation, incoming, options)
    const forwardedFor = headers['x-forwarded-for']
    const ip = clientAddress({ socketAddress, forwardedFor }, trusted)
    const requested = { operation, read: onceRead(incoming.read) }
    const visitor = door.visitor(ip, keyIn(headers, keyHeaders), requested)
    const charged = door.charge(visitor, requested)
    if (charged.headers !== null) answer.headers = { ...charged.headers }
    if (charged.refusal !== null) throw charged.refusal
    const minSeq = headers[minSeqHeader]
    if (minSeq !== undefined) await door.seqGate.require(String(minSeq), ip)
    const { keyAccount } = visitor
    const signedRead = isRead(operation) ? headers[signedReadHeader] : undefined
    const reader =
      signedRead === undefined ? null : await door.signedReads.readerIn(String(signedRead), ip)
    const actor = actorIn(incoming, options)
    const signedAccount = actor ?? reader?.account ?? null
    const { skewMs = 0 } = incoming
    const { bill } = charged
    const paid = { bill, skewMs, readAt: 0 }
    const caller = { requestId, ip, keyAccount, signedAccount, actor, ...paid }
    const reply = await door.run(operation, requested.read(), caller)
    const seq = caller.readAt || door.exchange.seq()
    answer.headers = { ...answer.headers, [seqHeader]: seq }
    if (incoming.wantsTable?.() === true) answerTable(answer, operation, reply as Page)
    else answer.body = replyBody(operation.wraps, reply)
  } catch (error) {
    const said = asApiError(error, options.log.child({ reqId: requestId }))
    fail(answer, operation, said)
    // A rule was checked against the state, so the caller must not read an older state afterwards.
    if (said.errorName in rejections)
      answer.headers = { ...answer.headers, [seqHeader]: said.seq ?? door.exchange.seq() }
  }
  meter.took(operation.name, answer.status, performance.now() - started)
  return answer
}

function requireAccess(operation: Operation, incoming: Incoming, options: AnswerOptions): void {
  const { origins } = options
  if (operation.http.startsWith('POST')) origins.requirePage(incoming.headers)
  if (operation.only === 'sandbox') requireSandboxAccess(incoming, options)
  else origins.requireHost(incoming.headers)
}

/** Calls `read` only once, although the intake and the door may inspect the body of a batch before
 *  the operation does. */
export function onceRead(read: () => unknown): () => unknown {
  let value: unknown
  return () => {
    value ??= read()
    return value
  }
}

export function failedAnswer(operation: Operation | undefined, error: ApiError): Answer {
  const answer: Answer = { status: 200, headers: null, body: null }
  fail(answer, { wraps: operation?.wraps ?? 'envelope' }, error)
  return answer
}

/** The reply if the queue is full: the request was not executed. */
export function overloaded(operation: Operation | undefined, { meter }: AnswerOptions): Answer {
  const error = apiError('NOT_READY', 'too many requests wait; come again later')
  const answer = failedAnswer(operation, error)
  if (operation !== undefined) meter.took(operation.name, answer.status, 0)
  return answer
}

/** Replies with CSV. The cursor of the next page is sent as a header, because a table has no place
 *  for it. */
function answerTable(answer: Answer, { name, reply: schema }: Operation, page: Page): void {
  const cursor = page.next_cursor === null ? {} : { 'x-next-cursor': page.next_cursor }
  const disposition = `attachment; filename="${name}.csv"`
  const table = { 'content-type': csvType, 'content-disposition': disposition, ...cursor }
  answer.headers = { ...answer.headers, ...table }
  answer.body = csvOf(schema, page.rows as never)
}

function fail(answer: Answer, { wraps }: Pick<Operation, 'wraps'>, error: ApiError): void {
  const { status, retryAfterSeconds } = error
  answer.status = status
  answer.body = errorBody(wraps, error)
  if (retryAfterSeconds !== null)
    answer.headers = { ...answer.headers, 'retry-after': retryAfterSeconds }
}

/** Parses a body strictly, so that every reader gets the same values. */
export function bodyIn(text: unknown): unknown {
  if (typeof text !== 'string' || text === '')
    throw apiError('MALFORMED_REQUEST', 'the body must be a JSON object')
  const parsed = parseStrict(text, batchLevelsMax)
  if (!parsed.ok) throw apiError('MALFORMED_REQUEST', parsed.problem)
  return parsed.value
}

/** The API key of a request. */
export function keyIn(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) return String(value)
  }
  return undefined
}
