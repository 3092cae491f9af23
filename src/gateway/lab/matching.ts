// Which requests and frames a line or a rule is for.

/** The properties of a request or frame that lines and rules match. */
export type Traits = Readonly<{
  /** Address of the account; `null` if it names none. */
  account: string | null
  /** Prefix of the API key. */
  key: string | null
  ip: string
  /** Path of the request, such as `orders/create`; `null` for a frame. */
  op: string | null
  /** Channel of the frame; `null` for other frames and for requests. */
  channel: string | null
  /** Identifies the connection, for requests without an account. */
  connection: number
}>

type Pattern = string | null | undefined
export type MatchSpec = Readonly<{
  account?: Pattern
  key?: Pattern
  ip?: Pattern
  op?: Pattern
  channel?: Pattern
}>
export type Matches = (traits: Traits) => boolean

/** `*` in a pattern matches any text. */
export function globOf(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('.*')}$`)
  return (text) => expression.test(text)
}

/** `addressOf` returns the address of a named account. */
export function matcherOf(spec: MatchSpec, addressOf: (name: string) => string): Matches {
  const tests: Matches[] = []
  for (const field of ['account', 'key', 'ip', 'op', 'channel'] as const) {
    const pattern = spec[field]
    if (pattern == null || pattern === '*') continue
    const isName = field === 'account' && !pattern.includes('*')
    const matches = globOf(isName ? addressOf(pattern) : pattern)
    tests.push((traits) => traits[field] !== null && matches(traits[field]))
  }
  return (traits) => tests.every((test) => test(traits))
}

/** The key by which requests and frames are counted: their account, or their connection. */
export const ownerOf = ({ account, connection }: Traits) => account ?? `#${connection}`
