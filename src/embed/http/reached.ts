// The addresses of an embedded exchange. Types only, in their own file, so that an embedding
// program does not depend on the server and its types.

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export type Listening = Readonly<{
  url: string
  wsUrl: string
  port: number
  /** Token of the sandbox routes, if other machines can reach the port; `null` if none is
   *  needed. */
  sandboxToken: string | null
  /** Closes the port; the exchange continues. */
  close(): Promise<void>
}>
