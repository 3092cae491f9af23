// The addresses of an embedded exchange. This file contains only types, so that an embedding
// program does not depend on the server and its types.

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export type Listening = Readonly<{
  url: string
  wsUrl: string
  port: number
  /** Token of the sandbox routes, if other machines can reach the port; `null` if none is
   *  needed. */
  sandboxToken: string | null
  /** Closes the port. The exchange continues to run. */
  close(): Promise<void>
}>
