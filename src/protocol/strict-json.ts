// JSON of which every reader makes the same values, because what is signed is made from the
// values. On top of what JSON itself demands, refused are: characters outside ASCII, escaped ones
// too (except in unsigned bodies); numbers that are not safe integers in their plain form
// (no point, no exponent, no `-0`: they would be written differently from how they came); a key
// twice in one object; and deep nesting. Time grows with the length of the text, and nothing
// recurses deeper than the allowed nesting.

import { displayName } from './display-name.ts'

/** A signed body's own object is the first level. */
export const signedLevelsMax = 16
/** The actions of a batch are bodies themselves: `{"actions":[{"data":` comes around each. */
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

/** `any`: for an unsigned body. */
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
  // An object keeps one value for a key. Every further one leaves the value with fewer keys than
  // the text has colons, however the keys were escaped.
  if (scan.keys > 0 && countKeys(value) !== scan.keys) return refused('a key stands twice')
  return { ok: true, value }
}

/** Once through a text that is known to be JSON. */
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
        // `[` and `{` differ in one bit, and so do `]` and `}`; nothing else outside texts does.
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

  /** The field whose value is parsed; absent for an item of a list. */
  private keyOf(at: number): string {
    const before = this.text.slice(Math.max(0, at - keyCharactersMax), at)
    const name = /"([^"\\]*)"\s*:\s*$/.exec(before)?.[1]
    return name === undefined ? '' : ` in ${displayName(name)}`
  }
}

/** Maximum distance at which the name of a field is searched. */
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
