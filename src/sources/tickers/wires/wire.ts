// How messages come, whatever they mean: by a websocket, as a stream of events, or asked for again
// and again. A wire decides nothing: when one is opened anew is not its business.

export type Address = Readonly<{
  url: string
  /** Sent as a bearer token. */
  token: string | null
  /** Of a wire that asks. */
  everyMs: number
}>

export type Ears = Readonly<{
  opened(): void
  /** A message, and when it was sent, where the wire tells. */
  said(text: string, sentAtMs: number | null): void
  /** A sign of life that says nothing. */
  stirred(): void
  /** It was never open, or is no more. */
  ended(why: string): void
}>

export type Wire = Readonly<{
  send(text: string): void
  /** At once, without a word to the other side. */
  close(): void
}>

export type OpenWire = (address: Address, ears: Ears) => Wire

/** Longer messages end the connection. */
export const messageBytesMax = 128 * 1024

export const headersOf = ({ token }: Address): Readonly<Record<string, string>> => ({
  'user-agent': 'openperp',
  ...(token !== null && { authorization: `Bearer ${token}` }),
})
