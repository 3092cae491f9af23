// The addresses of an embedded exchange, as the embedding program sees them. Types alone, in their
// own file, so that such a program does not depend on the server and its types.

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export type Listening = Readonly<{
  url: string
  wsUrl: string
  port: number
  /** What sandbox routes need of everyone when other machines can reach the port; null: nothing. */
  sandboxToken: string | null
  /** The exchange goes on without its port. */
  close(): Promise<void>
}>
