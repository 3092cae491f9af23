// JSON-RPC 2.0 over lines of text, as in the stdio transport of the Model Context Protocol. Every
// request gets one reply, unless the client cancelled it. Memory is bounded: long messages are
// skipped, and requests beyond a limit are refused.

export type Params = Readonly<Record<string, unknown>>
export type Methods = Readonly<
  Record<string, (params: Params, signal: AbortSignal) => unknown | Promise<unknown>>
>

/** Maximum size of a message, in bytes. */
export const messageBytesMax = 1_000_000
/** Maximum number of requests in progress. */
const pendingMax = 16

export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  busy: -32_000,
} as const

/** An error reply. */
export class RpcError extends Error {
  readonly code: number

  constructor(kind: keyof typeof rpcCodes, message: string) {
    super(message)
    this.code = rpcCodes[kind]
  }
}

type Id = string | number
type Reply = Readonly<{ jsonrpc: '2.0'; id: Id | null }> &
  (Readonly<{ result: unknown }> | Readonly<{ error: Readonly<{ code: number; message: string }> }>)

const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is Id =>
  typeof value === 'string' || Number.isSafeInteger(value)

function failed(id: Id | null, error: unknown): Reply {
  const { code, message } =
    error instanceof RpcError ? error : new RpcError('internalError', (error as Error).message)
  return { jsonrpc: '2.0', id, error: { code, message } }
}

export class JsonRpc {
  private readonly methods: Methods
  private readonly write: (line: string) => void
  private readonly pending = new Map<Id, AbortController>()
  private readonly work = new Set<Promise<void>>()

  constructor(methods: Methods, write: (line: string) => void) {
    this.methods = methods
    this.write = write
  }

  /** Returns at the end of the input, when every request has its reply. */
  async serve(input: AsyncIterable<Uint8Array>): Promise<void> {
    let line: Uint8Array[] = []
    let bytes = 0
    const add = (part: Uint8Array) => {
      bytes += part.length
      // The rest of a message that is too long is not kept.
      if (bytes > messageBytesMax) line = []
      else line.push(part)
    }
    const end = () => {
      this.start(bytes > messageBytesMax ? null : Buffer.concat(line))
      line = []
      bytes = 0
    }
    for await (const chunk of input) {
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, at))
        end()
        from = at + 1
      }
      add(chunk.subarray(from))
    }
    if (bytes > 0) end()
    await Promise.all(this.work)
  }

  private start(line: Uint8Array | null): void {
    const work = this.answer(line).then((reply) => {
      if (reply !== null) this.write(JSON.stringify(reply))
      this.work.delete(work)
    })
    this.work.add(work)
  }

  /** `null` if there is nothing to reply. */
  private async answer(line: Uint8Array | null): Promise<Reply | readonly Reply[] | null> {
    if (line === null)
      return failed(
        null,
        new RpcError('invalidRequest', `a message has at most ${messageBytesMax} bytes`),
      )
    let message: unknown
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(line)
      if (text.trim() === '') return null
      message = JSON.parse(text)
    } catch (error) {
      const why = (error as Error).message
      return failed(null, new RpcError('parseError', `a message is one line of JSON: ${why}`))
    }
    if (!Array.isArray(message) || message.length === 0) return this.replyTo(message)
    const replies = await Promise.all(message.map((each) => this.replyTo(each)))
    const written = replies.filter((reply) => reply !== null)
    return written.length === 0 ? null : written
  }

  private async replyTo(message: unknown): Promise<Reply | null> {
    const invalid = (why: string) => failed(null, new RpcError('invalidRequest', why))
    if (!isObject(message)) return invalid('a message is a JSON object, or a list of them')
    const { jsonrpc, id, method, params = {} } = message
    // This side sends no requests, so that replies have no meaning.
    if (method === undefined && ('result' in message || 'error' in message)) return null
    if (jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0"')
    if (typeof method !== 'string') return invalid('method must be text')
    if (id === undefined) {
      if (method === 'notifications/cancelled' && isObject(params)) this.cancel(params.requestId)
      return null
    }
    if (!isId(id)) return invalid('id must be text or an integer')
    return this.carriedOut(id, method, params)
  }

  private cancel(id: unknown): void {
    if (isId(id)) this.pending.get(id)?.abort(new Error('cancelled by the client'))
  }

  private async carriedOut(id: Id, method: string, params: unknown): Promise<Reply | null> {
    const cancelled = new AbortController()
    try {
      if (!Object.hasOwn(this.methods, method))
        throw new RpcError('methodNotFound', `there is no method ${method}`)
      if (!isObject(params)) throw new RpcError('invalidParams', 'params must be an object')
      if (this.pending.has(id))
        throw new RpcError('invalidRequest', `id ${id} belongs to a request in progress`)
      if (this.pending.size >= pendingMax)
        throw new RpcError('busy', `at most ${pendingMax} requests may be in progress`)
      this.pending.set(id, cancelled)
    } catch (error) {
      return failed(id, error)
    }
    try {
      const result = await this.methods[method]!(params, cancelled.signal)
      return cancelled.signal.aborted ? null : { jsonrpc: '2.0', id, result }
    } catch (error) {
      return cancelled.signal.aborted ? null : failed(id, error)
    } finally {
      this.pending.delete(id)
    }
  }
}
