// A response whose body is a string in memory. The platform's own `Response` would create a stream
// and read it back, which takes longer than the rest of a request. To callers it is a `Response`;
// stream and header objects are created on demand.

import { STATUS_CODES } from 'node:http'

type HeaderRecord = Readonly<Record<string, string>>

// The types declare the accessors as properties, which cannot be overridden.
const Platform = Response as unknown as new (body: null, init: ResponseInit) => object

export function textResponse(
  text: string,
  status: number,
  headers: HeaderRecord,
  url: string,
): Response {
  return new TextResponse(text, status, headers, url) as unknown as Response
}

class TextResponse extends Platform {
  readonly #text: string
  readonly #status: number
  readonly #given: HeaderRecord
  readonly #url: string
  #headers: Headers | null = null
  /** The platform's own response, created on demand. */
  #made: Response | null = null
  #used = false

  constructor(text: string, status: number, headers: HeaderRecord, url: string) {
    super(null, { status, statusText: STATUS_CODES[status] ?? '' })
    this.#text = text
    this.#status = status
    this.#given = headers
    this.#url = url
  }

  get url(): string {
    return this.#url
  }

  get headers(): Headers {
    this.#headers ??= new Headers(this.#given)
    return this.#headers
  }

  get body(): Response['body'] {
    return this.#platform().body
  }

  get bodyUsed(): boolean {
    return this.#used || this.#made?.bodyUsed === true
  }

  text(): Promise<string> {
    return this.#read(async () => this.#text)
  }

  json(): Promise<unknown> {
    return this.#read(async () => JSON.parse(this.#text))
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read(async () => new TextEncoder().encode(this.#text).buffer as ArrayBuffer)
  }

  blob(): Promise<Blob> {
    return this.#read(() => this.#copy().blob())
  }

  formData(): ReturnType<Response['formData']> {
    return this.#read(() => this.#copy().formData())
  }

  clone(): Response {
    if (this.bodyUsed) throw new TypeError('Response.clone: Body has already been consumed.')
    return textResponse(this.#text, this.#status, this.#given, this.#url)
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    if (this.bodyUsed || this.#made?.body?.locked === true)
      throw new TypeError('Body is unusable: Body has already been read')
    this.#used = true
    return read()
  }

  /** Creates the platform's response once, so that repeated reads return the same stream. */
  #platform(): Response {
    this.#made ??= this.#copy()
    return this.#made
  }

  #copy(): Response {
    return new Response(this.#text, { status: this.#status, headers: this.#given })
  }
}
