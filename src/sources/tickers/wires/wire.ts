// The transport of messages: a websocket, a stream of events, or polling. A wire does not decide
// when to reconnect.

export type Address = Readonly<{
  url: string
  /** Bearer token; `null` if none is sent. */
  token: string | null
  /** Interval of a polling wire in ms. */
  everyMs: number
}>

export type Ears = Readonly<{
  opened(): void
  /** Called with a message, and with the time at which it was sent, if known. */
  said(text: string, sentAtMs: number | null): void
  /** Called for a heartbeat without content. */
  stirred(): void
  /** Called when the wire could not be opened, or was closed. */
  ended(why: string): void
}>

export type Wire = Readonly<{
  send(text: string): void
  /** Closes immediately, without a closing handshake. */
  close(): void
}>

export type OpenWire = (address: Address, ears: Ears) => Wire

/** Maximum message length in bytes. A longer message ends the connection. */
export const messageBytesMax = 128 * 1024

export const headersOf = ({ token }: Address): Readonly<Record<string, string>> => ({
  'user-agent': 'openperp',
  ...(token !== null && { authorization: `Bearer ${token}` }),
})
