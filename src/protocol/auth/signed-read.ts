// A signed read: proof that the caller owns an account, for requests without a signed body. It is
// sent in a header, or in the websocket's `authenticate`. The signed text has the type
// `read_account` and empty data. It can be used for any number of reads until it expires.

import type { Body } from '../signing-text.ts'

export const signedReadHeader = 'openperp-signed-read'

/** Also the maximum length of the header. */
const textMax = 1_024
const numbers: ReadonlySet<string> = new Set(['timestamp', 'expiry_window'])
const names = [
  ...['account', 'agent_wallet', 'timestamp', 'expiry_window', 'venue', 'signature', 'type'],
]

/** Encodes a signed body as a header: `account=…&timestamp=…&signature=…`. */
export function writeSignedRead(body: Body): string {
  const { signature } = body
  const isPlain = typeof signature === 'string'
  const fields = isPlain ? body : { ...body, ...(signature as Readonly<Record<string, string>>) }
  const value = isPlain ? signature : (signature as Readonly<{ value: string }>).value
  return names
    .map((name) => [name, name === 'signature' ? value : fields[name]])
    .filter(([, each]) => each !== undefined && each !== null)
    .map(([name, each]) => `${name}=${each}`)
    .join('&')
}

/** Parses the signed body in a header; `null` if the header is invalid. */
export function readSignedRead(text: string): Body | null {
  if (text.length > textMax) return null
  const body: Record<string, unknown> = {}
  for (const part of text.split('&')) {
    const [name = '', value, ...rest] = part.split('=')
    if (value === undefined || rest.length > 0 || !names.includes(name) || name in body) return null
    if (!numbers.has(name)) body[name] = value
    else if (/^(0|[1-9][0-9]{0,15})$/.test(value)) body[name] = Number(value)
    else return null
  }
  const { type, signature, ...fields } = body
  if (signature === undefined || (type !== undefined && type !== 'hardware')) return null
  return { ...fields, signature: type === undefined ? signature : { type, value: signature } }
}
