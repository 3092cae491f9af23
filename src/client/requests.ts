// Requests of the API over HTTP: what is sent, and what comes back, unwrapped.

import { actAsHeader } from '../protocol/auth/act-as.ts'
import { addressed, type Route, type Wrapping } from '../protocol/routes.ts'
import { ApiRefusal, NetworkFailure, TimeoutFailure, UnexpectedReply } from './errors.ts'
import { seqIn } from './failover/place.ts'
import { isOwnersRead, type SignedReads } from './signed-reads.ts'

/** What a caller may add to any request. */
export type CallOptions = Readonly<{
  /** Ends the request when it aborts: the call rejects with the signal's reason. A signed request
   *  may have been carried out. */
  signal?: AbortSignal | undefined
}>

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>
export type Fields = Readonly<Record<string, unknown>>

export type Requests = Readonly<{
  /** Without `/api/v1`. */
  url: string
  fetch: Fetch
  headers: Readonly<Record<string, string>>
  sandboxToken?: string | undefined
  timeoutMs: number
  /** How often to come again for a read that the exchange is not ready for. */
  readRetries: number
  /** Null: no key signs reads. */
  signedReads: SignedReads | null
}>

type Access = Readonly<Partial<Record<'apiKey' | 'actAs' | 'sandboxToken', string | undefined>>>

const mount = '/api/v1'

/** A page as comma-separated values. */
export type Table = Readonly<{
  /** The table, with a header row. */
  text: string
  /** `cursor` of the next page; `null`: this is the last one. */
  nextCursor: string | null
}>

export type Answer = Readonly<{ url: string; status: number; text: string; headers: Headers }>

export async function request(
  requests: Requests,
  route: Route,
  fields: Fields,
  signal?: AbortSignal,
): Promise<unknown> {
  return replyIn(await send({ ...requests, signal }, route, fields), route)
}

/** The same page as comma-separated values. */
export async function requestTable(
  requests: Requests,
  route: Route,
  fields: Fields,
  signal?: AbortSignal,
): Promise<Table> {
  return tableIn(await send({ ...requests, signal }, route, tableFields(fields)))
}

export const tableFields = (fields: Fields): Fields => ({ ...fields, format: 'csv' })

/** What the operation answers; throws what else was said. */
export function replyIn(answer: Answer, { wraps }: Route): unknown {
  const body = parsed(answer)
  if (answer.status !== 200) throw refusalIn(answer, body)
  return unwrapped(wraps, body)
}

export function tableIn(answer: Answer): Table {
  const { status, text, headers } = answer
  if (status !== 200) throw refusalIn(answer, parsed(answer))
  return { text, nextCursor: headers.get('x-next-cursor') }
}

/** History may be a moment behind on a busy machine, and the exchange then says when to come again.
 *  Nothing but a read is sent twice. */
async function send(requests: Sending, route: Route, fields: Fields): Promise<Answer> {
  for (let left = requests.readRetries; ; left--) {
    const answer = await sendOnce(requests, route, fields)
    const seconds = retryAfterOf(answer.headers)
    const again = answer.status === 503 && seconds !== null && route.http.startsWith('GET')
    if (!again || left <= 0) return answer
    await pause(seconds * 1_000, requests.signal)
  }
}

type Sending = Requests & CallOptions

/** A signal that is not one would be ignored in silence. */
export function checkedSignal(options: CallOptions): AbortSignal | undefined {
  const { signal } = options ?? {}
  if (signal === undefined || signal instanceof AbortSignal) return signal
  throw new TypeError('signal must be an AbortSignal')
}

/** Rejects with the signal's reason when that aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted)
      resolve()
    }, ms)
    if (signal?.aborted === true) return aborted()
    signal?.addEventListener('abort', aborted, { once: true })
  })
}

/** Rejects with the reason of a signal that aborts first. */
export async function untilAborted<T>(work: () => Promise<T>, { signal }: CallOptions): Promise<T> {
  if (signal === undefined) return work()
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason)
    signal.addEventListener('abort', aborted, { once: true })
    const done = () => signal.removeEventListener('abort', aborted)
    work().then(resolve, reject).finally(done)
  })
}

export async function sendOnce(
  { url, fetch, timeoutMs, signal: own, ...parts }: Omit<Sending, 'readRetries'>,
  route: Route,
  fields: Fields,
): Promise<Answer> {
  const [method, template] = route.http.split(' ') as ['GET' | 'POST', string]
  const { path, others } = addressed(template, fields)
  own?.throwIfAborted()
  const headers = await headersFor(route, parts)
  const late = AbortSignal.timeout(timeoutMs)
  const signal = own === undefined ? late : AbortSignal.any([late, own])
  const init = method === 'GET' ? { headers } : posted(headers, others)
  const address = `${url}${mount}${path}${method === 'GET' ? queryOf(others) : ''}`
  try {
    const reply = await fetch(address, { ...init, signal })
    return { url, status: reply.status, text: await reply.text(), headers: reply.headers }
  } catch (error) {
    if (own?.aborted === true) throw own.reason
    if (late.aborted)
      throw new TimeoutFailure(`${url} did not answer ${path} within ${timeoutMs} ms`, {
        cause: error,
      })
    throw new NetworkFailure(`no answer from ${url}${reasonOf(error)}`, { cause: error })
  }
}

/** What every request has, and the websocket. */
export function headersOf({ apiKey, actAs, sandboxToken }: Access): Requests['headers'] {
  if (apiKey !== undefined) return { 'PF-API-KEY': apiKey }
  if (actAs === undefined) return {}
  const token = sandboxToken === undefined ? {} : { authorization: `Bearer ${sandboxToken}` }
  return { [actAsHeader]: actAs, ...token }
}

async function headersFor(
  route: Route,
  {
    headers,
    sandboxToken,
    signedReads,
  }: Pick<Requests, 'headers' | 'sandboxToken' | 'signedReads'>,
): Promise<Requests['headers']> {
  if (route.only === 'sandbox' && sandboxToken !== undefined)
    return { ...headers, authorization: `Bearer ${sandboxToken}` }
  if (signedReads === null || !isOwnersRead(route)) return headers
  return { ...headers, ...(await signedReads.headers()) }
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { message?: string; code?: string } }
  const said = cause?.message || cause?.code || (error as Error).message
  return said === undefined || said === '' ? '' : `: ${said}`
}

function posted(headers: Requests['headers'], fields: Fields) {
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  }
}

/** Null and undefined are fields that were not given. */
function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value != null) query.set(name, `${value}`)
  return query.size === 0 ? '' : `?${query}`
}

function parsed({ url, status, text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const begins = text.slice(0, 80).replaceAll(/\s+/g, ' ')
    throw new UnexpectedReply(`${url} answered ${status} and no JSON: ${begins}`, status)
  }
}

function refusalIn({ url, status, headers }: Answer, body: unknown): Error {
  const details = (body ?? {}) as Readonly<Record<string, unknown>>
  const { error, code } = details
  if (typeof error !== 'string')
    return new UnexpectedReply(`${url} answered ${status} without an error of this API`, status)
  return new ApiRefusal(error, {
    status,
    code: typeof code === 'number' ? code : status,
    retryAfter: retryAfterOf(headers),
    seq: seqIn(headers),
    details,
  })
}

function retryAfterOf(headers: Headers): number | null {
  const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0]
  return seconds === undefined ? null : Number.parseInt(seconds, 10)
}

/** What the operation answers, without what the wire wraps around it. */
function unwrapped(wraps: Wrapping, body: unknown): unknown {
  if (wraps === 'bare') return body
  const { success: _success, error: _error, code: _code, data, ...rest } = body as Fields
  return wraps === 'envelope' ? data : { rows: data, ...rest }
}
