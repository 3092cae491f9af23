// The head of a request that is plain in every way: the kind that every HTTP library reads alike,
// so that reading it here cannot give another meaning than node:http would. Whatever is unusual, be
// it legal or not, is not plain: null, and node:http has the word.

/** Far below what node:http takes. */
const headBytesMax = 4_096
const headersMax = 40
const headEnd = Buffer.from('\r\n\r\n', 'latin1')
const LETTER_P = 0x50
const methodText = 'POST '
const versionText = ' HTTP/1.1'

/** A token, a colon, visible ASCII with single spaces or none inside: no folding, no control
 *  characters, nothing around the colon but one space. */
const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?([!-~]+(?: [!-~]+)*)$/
const lengthText = /^[1-9][0-9]{0,6}$/

/** These change how a message is framed or what is to become of the connection. */
const framing = ['transfer-encoding', 'upgrade', 'expect', 'trailer', 'te', 'proxy-connection']

/** Names in lower case, each once. */
export type PlainHeaders = Readonly<Record<string, string>>

export type PlainPost = Readonly<{ path: string; headers: PlainHeaders; bodyAt: number }>

type PlainHead = Readonly<{ path: string; headers: PlainHeaders; bodyBytes: number }>

/** Reads heads, and remembers them: those of a client differ in path and length alone, and to look
 *  one up takes a fifth of the time. Whoever sends many makes it forget, not grow. */
export class PlainHeads {
  private readonly known = new Map<string, PlainHead>()
  private readonly knownMax: number

  constructor(knownMax = 1_024) {
    this.knownMax = knownMax
  }

  get size(): number {
    return this.known.size
  }

  /** A POST of JSON of which these bytes are the whole, and nothing but it. */
  postIn(bytes: Buffer): PlainPost | null {
    if (bytes[0] !== LETTER_P) return null
    const end = bytes.indexOf(headEnd)
    if (end < 0 || end > headBytesMax) return null
    const text = bytes.toString('latin1', 0, end)
    const head = this.known.get(text) ?? this.learn(text)
    if (head === null) return null
    const bodyAt = end + headEnd.length
    if (head.bodyBytes !== bytes.length - bodyAt) return null
    return { path: head.path, headers: head.headers, bodyAt }
  }

  private learn(text: string): PlainHead | null {
    const head = plainHeadOf(text)
    if (head === null) return null
    if (this.known.size >= this.knownMax) this.known.clear()
    this.known.set(text, head)
    return head
  }
}

function plainHeadOf(text: string): PlainHead | null {
  const [start, ...lines] = text.split('\r\n') as [string, ...string[]]
  if (!start.startsWith(methodText) || !start.endsWith(versionText)) return null
  const headers = headersIn(lines)
  if (headers === null || !isPlain(headers)) return null
  const path = start.slice(methodText.length, -versionText.length)
  return { path, headers, bodyBytes: Number.parseInt(headers['content-length']!, 10) }
}

function headersIn(lines: readonly string[]): PlainHeaders | null {
  if (lines.length > headersMax) return null
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const parts = headerLine.exec(line)
    if (parts === null) return null
    const name = parts[1]!.toLowerCase()
    if (headers[name] !== undefined) return null
    headers[name] = parts[2]!
  }
  return headers
}

function isPlain(headers: PlainHeaders): boolean {
  const { host, connection, 'content-type': type, 'content-length': length } = headers
  if (host === undefined || type !== 'application/json') return false
  if (length === undefined || !lengthText.test(length)) return false
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return false
  return framing.every((name) => headers[name] === undefined)
}
