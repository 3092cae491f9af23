// Parses JSON and keeps numbers as text, because a float would not be the exact price.

export type Json = string | boolean | null | readonly Json[] | Readonly<{ [key: string]: Json }>

const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Maximum nesting depth, far more than price messages have. Parsing a depth of a hundred thousand
 *  takes a tenth of a second. */
const levelsMax = 32

/** Parses a text; `undefined` if it is not JSON, or nested too deeply. */
export function exactJson(text: string): Json | undefined {
  if (levelsOf(text) > levelsMax) return undefined
  try {
    // Validates the JSON first. In invalid JSON a string may have no closing quote, and the search
    // for it could take quadratic time.
    JSON.parse(text)
    return JSON.parse(text.replace(stringOrNumber, (found) => quoted(found)))
  } catch {
    // Not JSON. The caller counts it.
    return undefined
  }
}

/** Upper bound of the nesting depth. Brackets within strings are counted as well. */
function levelsOf(text: string): number {
  let level = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === OPEN_LIST || code === OPEN_OBJECT) deepest = Math.max(deepest, ++level)
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level -= 1
  }
  return deepest
}

const quoted = (found: string) => (found.startsWith('"') ? found : `"${found}"`)

/** Value at this path; undefined if there is none. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    if (Array.isArray(found) && key === 'length') return undefined
    found = (found as Readonly<Record<string, Json>>)[key]
  }
  return found
}

/** Text or number at this path, as text; `null` if it is neither. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | null {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : null
}

export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
