// The setting `treasury`: the connection to custody, which is outside of the exchange. Its address
// comes from here alone, never from a request.

import { ConfigError } from './config-error.ts'

export type TreasurySetting =
  | Readonly<{ kind: 'files'; folder: string }>
  | Readonly<{ kind: 'http'; url: string; secret: string }>

const examples =
  '{"kind":"files","folder":"/srv/treasury"} or ' +
  '{"kind":"http","url":"https://…","secret":"at least 32 characters"}'
const fieldsOf = { files: ['kind', 'folder'], http: ['kind', 'url', 'secret'] } as const

/** In a variable or a flag: the same as JSON text. Null: none. */
export function readTreasury(from: string, given: unknown): TreasurySetting | null {
  const item = typeof given === 'string' ? jsonOf(from, given) : given
  if (item === null) return null
  if (typeof item !== 'object' || Array.isArray(item))
    throw new ConfigError(`${from} must be an object: ${examples}`)
  const { kind, folder, url, secret } = item as Readonly<Record<string, unknown>>
  if (kind !== 'files' && kind !== 'http')
    throw new ConfigError(`${from}.kind must be files or http: ${examples}`)
  const known: readonly string[] = fieldsOf[kind]
  const strange = Object.keys(item as object).find((name) => !known.includes(name))
  if (strange !== undefined)
    throw new ConfigError(`${from} of kind ${kind} has no field ${strange}: ${examples}`)
  if (kind === 'files') {
    if (typeof folder !== 'string' || !folder.startsWith('/'))
      throw new ConfigError(`${from}.folder must be a path that begins with /`)
    return { kind, folder }
  }
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ConfigError(`${from}.url must be an address that begins with https:// or http://`)
  if (new URL(url).search !== '' || url.includes('#'))
    throw new ConfigError(
      `${from}.url must have no ? and no #: the path of each request is appended to it`,
    )
  if (typeof secret !== 'string' || !/^[!-~]{32,256}$/.test(secret))
    throw new ConfigError(`${from}.secret must be 32 to 256 letters, digits and signs`)
  return { kind, url: url.replace(/\/$/, ''), secret }
}

function jsonOf(from: string, text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    // What was given may hold the secret, so the message has none of it.
    throw new ConfigError(`${from} must be JSON: ${examples}`)
  }
}
