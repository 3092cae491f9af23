// Builds the text to sign from a request's type and body. The exchange, the typed client and the
// browser all use this function. docs/api/signing.md describes the format, and signing-vectors.json
// in the same folder has examples.
//
// Keys are sorted by UTF-16 code unit at every depth. Only ASCII is signed, so that this is also
// the order of bytes and of code points.

import { agentIsPayload, type SigningType } from './signing-types.ts'
import { signedLevelsMax } from './strict-json.ts'

export type Body = Readonly<Record<string, unknown>>
export type SigningHeader = Readonly<{
  timestamp?: number | null | undefined
  expiry_window?: number | null | undefined
  venue?: string | null | undefined
}>

/** Thrown for a value that cannot be signed; the message gives the reason. This is an error of the
 *  signing program, because the exchange rejects such bodies when it parses them. */
export class UnsignableError extends Error {}

/** The text to sign for a request body; a signature in the body is ignored. */
export function signingText(type: SigningType, body: Body): string {
  const header: SigningHeader = body
  return textOver(type, dataOf(type, body), header)
}

function dataOf(type: SigningType, body: Body): string {
  const payload = agentIsPayload.has(type)
  return writeFields(body, (key) => !(key === 'agent_wallet' ? !payload : headerFields.has(key)), 1)
}

const headerFields: ReadonlySet<string> = new Set([
  'account',
  'user',
  'signature',
  'timestamp',
  'expiry_window',
  'venue',
])

/** Adds the header fields after `data`, sorted by name. Null means absent. */
function textOver(type: SigningType, data: string, header: SigningHeader): string {
  const { expiry_window: window, timestamp, venue } = header
  let text = `{"data":${data}`
  if (window !== undefined && window !== null) text += `,"expiry_window":${writeValue(window, 1)}`
  if (timestamp !== undefined && timestamp !== null) {
    text += `,"timestamp":${writeValue(timestamp, 1)}`
  }
  text += `,"type":"${type}"`
  if (venue !== undefined && venue !== null) text += `,"venue":${writeValue(venue, 1)}`
  return `${text}}`
}

/** The text that the key of a new subaccount signs; it names the main account. */
export function subaccountInitiateText(mainAccount: string, header: SigningHeader): string {
  return textOver('subaccount_initiate', writeFields({ account: mainAccount }, anyKey, 1), header)
}

/** The text that the key of the main account signs next; it has the subaccount's signature as
 *  sent. */
export function subaccountConfirmText(subSignature: unknown, header: SigningHeader): string {
  return textOver('subaccount_confirm', writeFields({ signature: subSignature }, anyKey, 1), header)
}

const offchainDomain = '\xffsolana offchain'

/** The message that a hardware wallet signs: the text in Solana's off-chain format, whose prefix
 *  ensures that it cannot be a transaction. */
export function hardwareMessage(text: string): Uint8Array {
  if (text.length > 0xffff) throw new UnsignableError('too long for a hardware wallet')
  const head = offchainDomain.length + 4
  const message = new Uint8Array(head + text.length)
  for (let at = 0; at < offchainDomain.length; at++) message[at] = offchainDomain.charCodeAt(at)
  // Version 0 and format 0 (ASCII) need no change.
  message[head - 2] = text.length & 0xff
  message[head - 1] = text.length >> 8
  for (let at = 0; at < text.length; at++) message[head + at] = text.charCodeAt(at)
  return message
}

const anyKey = () => true
/** Printable ASCII except quote and backslash, which needs no escapes in JSON. */
const plain = /^[ !#-[\]-~]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are ASCII.
const ascii = /^[\x00-\x7f]*$/

function writeText(text: string): string {
  if (plain.test(text)) return `"${text}"`
  if (!ascii.test(text)) throw new UnsignableError('a character outside ASCII')
  return JSON.stringify(text)
}

function writeValue(value: unknown, level: number): string {
  if (typeof value === 'string') return writeText(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      throw new UnsignableError(`${value} is not a safe integer`)
    }
    return String(value)
  }
  if (value === null) return 'null'
  if (typeof value !== 'object') throw new UnsignableError(`a ${typeof value}`)
  if (level >= signedLevelsMax) {
    throw new UnsignableError(`nested deeper than ${signedLevelsMax} levels`)
  }
  if (!Array.isArray(value)) return writeFields(value as Body, anyKey, level + 1)
  return `[${value.map((item) => writeValue(item, level + 1)).join(',')}]`
}

function writeFields(object: Body, isWanted: (key: string) => boolean, level: number): string {
  let text = ''
  for (const key of sorted(Object.keys(object).filter(isWanted))) {
    const value = object[key]
    // Undefined means absent, as in JSON.stringify.
    if (value === undefined) continue
    text += `${text === '' ? '' : ','}${writeText(key)}:${writeValue(value, level)}`
  }
  return `{${text}}`
}

/** Up to this length an insertion sort is used, which takes quadratic time; longer lists use the
 *  built-in sort. */
const shortList = 24

function sorted(keys: string[]): string[] {
  if (keys.length > shortList) return keys.sort()
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at]!
    let to = at
    for (; to > 0 && keys[to - 1]! > key; to--) keys[to] = keys[to - 1]!
    keys[to] = key
  }
  return keys
}
