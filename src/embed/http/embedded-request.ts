// Parses the arguments of a `fetch` call. Strings and plain objects, which most clients use, are
// read directly; everything else is parsed by the platform.

import { embeddedHost, embeddedUrl } from './routes.ts'

export type EmbeddedRequest = Readonly<{
  method: string
  url: string
  path: string
  /** Query string without the question mark. */
  query: string
  /** Headers, with names in lower case. */
  headers: Readonly<Record<string, string>>
  body: string | Buffer | null
  signal: AbortSignal | null
}>

export async function embeddedRequestOf(
  input: string | URL | Request,
  init: RequestInit,
): Promise<EmbeddedRequest> {
  const isText = typeof input === 'string' || input instanceof URL
  const { body = null } = init
  if (!isText || (body !== null && typeof body !== 'string')) return readByPlatform(input, init)
  const method = methodOf(init.method)
  if (body !== null && (method === 'GET' || method === 'HEAD')) return readByPlatform(input, init)
  const headers = headersOf(init.headers)
  // Default content type of `fetch` for a string body.
  if (body !== null) headers['content-type'] ??= 'text/plain;charset=UTF-8'
  const { signal = null } = init
  return { method, ...placeOf(input), headers, body, signal }
}

/** Normalizes usual methods to upper case; other methods stay as written. */
function methodOf(method = 'GET'): string {
  const upper = method.toUpperCase()
  return ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].includes(upper) ? upper : method
}

type Place = Pick<EmbeddedRequest, 'url' | 'path' | 'query'>

function placeOf(input: string | URL): Place {
  const text = typeof input === 'string' ? input : input.href
  if (text.startsWith('/')) return splitAt(embeddedUrl + text, text)
  if (text.startsWith(`${embeddedUrl}/`)) return splitAt(text, text.slice(embeddedUrl.length))
  return placeElsewhere(text)
}

function splitAt(url: string, path: string): Place {
  const hash = path.indexOf('#')
  const whole = hash < 0 ? path : path.slice(0, hash)
  const mark = whole.indexOf('?')
  if (mark < 0) return { url, path: whole, query: '' }
  return { url, path: whole.slice(0, mark), query: whole.slice(mark + 1) }
}

/** Parses an address that is not spelled like ours: another spelling, or another address. */
function placeElsewhere(text: string): Place {
  if (!URL.canParse(text)) throw new TypeError(`Failed to parse URL from ${text}`)
  const { origin, pathname, search, host } = new URL(text)
  if (origin === embeddedUrl) return splitAt(text, pathname + search)
  const cause = Object.assign(
    new Error(`${host} is not the embedded exchange; this fetch reaches ${embeddedUrl} alone`),
    { code: 'ENOTFOUND', hostname: host },
  )
  throw new TypeError('fetch failed', { cause })
}

function headersOf(given: RequestInit['headers']): Record<string, string> {
  const headers: Record<string, string> = { host: embeddedHost }
  if (given === undefined) return headers
  if (given instanceof Headers || Array.isArray(given) || Symbol.iterator in Object(given)) {
    for (const [name, value] of new Headers(given)) headers[name] = value
    return headers
  }
  for (const [name, value] of Object.entries(given as Record<string, string>))
    headers[name.toLowerCase()] = String(value)
  return headers
}

async function readByPlatform(
  input: string | URL | Request,
  init: RequestInit,
): Promise<EmbeddedRequest> {
  const isText = typeof input === 'string' || input instanceof URL
  const place = placeOf(isText ? input : input.url)
  const streamed = init.body instanceof ReadableStream ? { duplex: 'half' as const } : {}
  const request = new Request(isText ? place.url : input, { ...init, ...streamed })
  const { method, headers, signal } = request
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
  const isJson = headers.get('content-type') === 'application/json'
  return {
    ...place,
    method,
    headers: headersOf(headers),
    body: isJson && body !== null ? body.toString() : body,
    signal,
  }
}
