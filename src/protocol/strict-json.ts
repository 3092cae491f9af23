// A strict JSON parser. Signatures cover the parsed values, so that every reader must get the same
// values. In addition to invalid JSON, it rejects:
// - characters outside ASCII, even escaped ones (except in unsigned bodies);
// - numbers other than safe integers in plain form (no point, no exponent, no `-0`), because they
//   would be written differently when signed;
// - duplicate keys in an object;
// - deep nesting.
// Parsing time is linear in the length of the text, and recursion is limited to the allowed
// nesting.

import { displayName } from './display-name.ts'

/** Maximum nesting. The object of a signed body is the first level. */
export const signedLevelsMax = 16
/** Batch actions are bodies themselves, each wrapped in `{"actions":[{"data":`. */
export const batchLevelsMax = signedLevelsMax + 3

export type Strict =
  | Readonly<{ ok: true; value: unknown }>
  | Readonly<{ ok: false; problem: string }>

const QUOTE = 0x22
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const largestInteger = String(Number.MAX_SAFE_INTEGER)

/** The error for invalid JSON. */
export const notJson = 'the body is not JSON'

const refused = (problem: string): Strict => ({ ok: false, problem })

/** `any`: allowed for an unsigned body. */
type Script = 'ascii' | 'any'

export function parseStrict(
  text: string,
  levelsMax = signedLevelsMax,
  script: Script = 'ascii',
): Strict {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused(notJson)
  }
  const scan = new Scan(text, levelsMax, script === 'ascii' ? 0x7f : 0xffff)
  const problem = scan.run()
  if (problem !== null) return refused(problem)
  // A duplicate key leaves the parsed object with fewer keys than the text has colons, however the
  // keys were escaped.
  if (scan.keys > 0 && countKeys(value) !== scan.keys) return refused('a key stands twice')
  return { ok: true, value }
}

/** Scans text that is known to be valid JSON, in one pass. */
class Scan {
  keys = 0
  private readonly text: string
  private readonly levelsMax: number
  private readonly unitMax: number
  private at = 0

  constructor(text: string, levelsMax: number, unitMax: number) {
    this.text = text
    this.levelsMax = levelsMax
    this.unitMax = unitMax
  }

  run(): string | null {
    const { text, levelsMax } = this
    let levels = 0
    while (this.at < text.length) {
      const unit = text.charCodeAt(this.at)
      let problem: string | null = null
      if (unit === QUOTE) problem = this.string()
      else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) problem = this.number()
      else {
        this.at += 1
        // `[` and `{` differ in one bit, and so do `]` and `}`; no other characters outside strings
        // do.
        const shape = unit | 0x20
        if (unit === COLON) this.keys += 1
        else if (shape === 0x7b && ++levels > levelsMax)
          return `nested deeper than ${levelsMax} levels`
        else if (shape === 0x7d) levels -= 1
      }
      if (problem !== null) return problem
    }
    return null
  }

  private string(): string | null {
    const { text, unitMax } = this
    let at = this.at + 1
    for (; ; at++) {
      const unit = text.charCodeAt(at)
      if (unit === QUOTE) break
      if (unit > unitMax) return 'a character outside ASCII'
      if (unit !== BACKSLASH) continue
      at += 1
      if (text.charCodeAt(at) !== LETTER_U) continue
      if (Number.parseInt(text.slice(at + 1, at + 5), 16) > unitMax)
        return 'a character outside ASCII'
      at += 4
    }
    this.at = at + 1
    return null
  }

  private number(): string | null {
    const { text } = this
    const start = text.charCodeAt(this.at) === MINUS ? this.at + 1 : this.at
    let at = start
    while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++
    const digits = at - start
    const next = text[at]
    if (next === '.' || next === 'e' || next === 'E') {
      return `a number with a point or an exponent${this.keyOf(this.at)}; decimals are strings`
    }
    if (start > this.at && text.charCodeAt(start) === ZERO) return 'the number -0'
    if (digits > 16 || (digits === 16 && text.slice(start, at) > largestInteger)) {
      return `a number beyond ${largestInteger}`
    }
    this.at = at
    return null
  }

  /** The name of the field whose value is at this position; absent for a list item. */
  private keyOf(at: number): string {
    const before = this.text.slice(Math.max(0, at - keyCharactersMax), at)
    const name = /"([^"\\]*)"\s*:\s*$/.exec(before)?.[1]
    return name === undefined ? '' : ` in ${displayName(name)}`
  }
}

/** Maximum distance over which a field name is searched. */
const keyCharactersMax = 200

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  const object = value as Readonly<Record<string, unknown>>
  for (const key of Object.keys(object)) count += 1 + countKeys(object[key])
  return count
}
