// Client of the admin plane. The token is kept in memory only, never in an address, browser storage
// or a cookie. It is forgotten when the tab is closed.

export class PlaneError extends Error {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Query = Readonly<Record<string, string | number>>
export type Body = Readonly<Record<string, unknown>>

type Reply = Readonly<{ success: boolean; data: unknown; error: string | null }>

export class AdminPlane {
  private readonly url: string
  #token: string | null = null
  /** Limits parallel requests, so that a tab uses few connections of the port. */
  private readonly turns: Promise<void>[] = [Promise.resolve(), Promise.resolve()]

  constructor(url: string) {
    this.url = url
  }

  /** Sets the token; `null` forgets it. */
  hold(token: string | null): void {
    this.#token = token
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    const params = Object.entries(query).map(([name, value]): [string, string] => [
      name,
      `${value}`,
    ])
    const search = params.length === 0 ? '' : `?${new URLSearchParams(params)}`
    return this.ask<T>(`${path}${search}`, { method: 'GET' })
  }

  post<T>(path: string, body: Body): Promise<T> {
    return this.ask<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  /** Requests the OpenAPI document, which needs no token. */
  async document(): Promise<unknown> {
    const reply = await this.fetched('/openapi.json', { method: 'GET' })
    return reply.json()
  }

  private async ask<T>(path: string, init: RequestInit): Promise<T> {
    const authorization = `Bearer ${this.#token ?? ''}`
    const reply = await this.fetched(path, { ...init, headers: { ...init.headers, authorization } })
    const { success, data, error } = await read(reply)
    if (!success) throw new PlaneError(reply.status, error ?? `status ${reply.status}`)
    return data as T
  }

  private async fetched(path: string, init: RequestInit): Promise<Response> {
    const before = this.turns.shift() ?? Promise.resolve()
    const answered = before.then(() => this.answered(path, init))
    const turn = answered.then(
      () => undefined,
      () => undefined,
    )
    this.turns.push(turn)
    return answered
  }

  private async answered(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, { ...init, credentials: 'omit' })
    } catch (cause) {
      throw new PlaneError(0, `the exchange does not answer: ${(cause as Error).message}`)
    }
  }
}

async function read(reply: Response): Promise<Reply> {
  try {
    return (await reply.json()) as Reply
  } catch {
    // A proxy answered, or the connection was broken.
    return { success: false, data: null, error: `no readable answer (status ${reply.status})` }
  }
}
