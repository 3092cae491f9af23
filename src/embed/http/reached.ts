// How an embedded exchange is reached, as whoever embeds it sees it. Types alone, in a file of
// their own: what they are made with, the server and its types, is no business of a program that
// embeds.

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
