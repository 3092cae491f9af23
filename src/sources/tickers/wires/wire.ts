// The transport of messages: a websocket, a stream of events, or polling. A wire does not decide
// when it is opened again.

export type Address = Readonly<{
  url: string
  /** Sent as a bearer token. */
  token: string | null
  /** Interval of a polling wire. */
  everyMs: number
}>

export type Ears = Readonly<{
  opened(): void
  /** A message, and the time at which it was sent, if known. */
  said(text: string, sentAtMs: number | null): void
  /** A heartbeat without content. */
  stirred(): void
  /** It could not be opened, or was closed. */
  ended(why: string): void
}>

export type Wire = Readonly<{
  send(text: string): void
  /** Closes immediately, without a closing handshake. */
  close(): void
}>

export type OpenWire = (address: Address, ears: Ears) => Wire

/** Maximum message length; a longer one ends the connection. */
export const messageBytesMax = 128 * 1024

export const headersOf = ({ token }: Address): Readonly<Record<string, string>> => ({
  'user-agent': 'openperp',
  ...(token !== null && { authorization: `Bearer ${token}` }),
})
