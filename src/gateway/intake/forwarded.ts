// Requests that a read node forwards to the leader, and their answers. The read node checks a
// request as if it executed it, up to the point where the command would be submitted; there it
// sends the request instead. The leader checks everything again and answers.

import { ApiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import { isRead, type Operation } from '../operation.ts'

export type ForwardedRequest = Readonly<{
  operation: string
  /** Of which mount the operation is: ours, or that of clients of the public API. */
  form: 'own' | 'compat'
  /** Address of the client. */
  ip: string
  /** Requests with the same number are executed in the order in which they were sent. */
  line: number
  /** Whether the client has no other request in progress. */
  alone: boolean
  /** Name of the websocket connection to arm; `null` for other requests. */
  connection: string | null
}>

/** The properties of an error reply. */
type Refused = Readonly<{
  name: string
  message: string
  status: number
  code: number
  errorId: string | null
  retryAfterSeconds: number | null
  engineCode: number
  seq: number | null
}>

export type ForwardedAnswer = Readonly<{ reply: unknown } | { refused: Refused }>

/** Operations that change nothing, but need what only the leader has: the secret of API keys, and
 *  the proofs of reserves that operators make there. */
const leadersReads: ReadonlySet<string> = new Set([
  ...['list_api_keys', 'list_reserve_proof', 'get_reserves'],
])

/** Whether the leader executes the operation for a read node. */
export function isForwarded(operation: Operation): boolean {
  return !isRead(operation) || isLeaders(operation)
}

/** Whether a read node cannot check the operation before it forwards the request. */
export function isLeaders({ name, only }: Operation): boolean {
  return only === 'sandbox' || leadersReads.has(name)
}

/** Thrown in place of submitting a command. */
class Sent extends Error {
  readonly answer: Promise<unknown>

  constructor(answer: Promise<unknown>) {
    super('the leader executes the request')
    this.answer = answer
    // If the work ends with another error, nothing else waits for the answer.
    answer.catch(() => undefined)
  }
}

/** Does the work of a request on the exchange, and returns the leader's answer in the place of its
 *  result if it submits a command. `send` is called in the same turn as `submit` would be. */
export async function doneByLeader<T>(
  exchange: Exchange,
  send: () => Promise<unknown>,
  work: (exchange: Exchange) => T | Promise<T>,
): Promise<T> {
  const submit: Exchange['submit'] = () => Promise.reject(new Sent(send()))
  try {
    return await work(Object.create(exchange, { submit: { value: submit } }) as Exchange)
  } catch (error) {
    if (error instanceof Sent) return (await error.answer) as T
    throw error
  }
}

/** Converts a result to an answer. */
export async function answerOf(
  work: () => Promise<unknown>,
  asApiError: (error: unknown) => ApiError,
): Promise<ForwardedAnswer> {
  try {
    return { reply: (await work()) ?? null }
  } catch (error) {
    const refused = asApiError(error)
    const { errorName: name, message, status, code, errorId, retryAfterSeconds } = refused
    const { engineCode, seq } = refused
    return { refused: { name, message, status, code, errorId, retryAfterSeconds, engineCode, seq } }
  }
}

/** Returns the reply of an answer, or throws its error. */
export function replyIn(answer: ForwardedAnswer): unknown {
  if ('reply' in answer) return answer.reply
  const { name, message, status, code, errorId, retryAfterSeconds } = answer.refused
  const { engineCode, seq } = answer.refused
  const kind = {
    status,
    code,
    ...(errorId !== null && { errorId }),
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  }
  const error = new ApiError(name, message.slice(name.length + ': '.length), kind, engineCode)
  error.seq = seq
  throw error
}
