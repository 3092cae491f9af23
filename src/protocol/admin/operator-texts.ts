// Texts that operators write in any script: messages for people, and external ids. Texts with a
// meaning for the exchange are ASCII, so that no two names look alike. Two reasons or references
// that look alike must be equal.

import { displayName } from '../display-name.ts'

/** Invisible characters: control and format characters (bidirectional, zero-width, tags), lone
 *  surrogates, line separators, the blank braille pattern and other ignorable characters. The
 *  two variation selectors of emoji are allowed. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu

/** Returns the first hidden character, such as U+202E; `null` if there is none. `lines`: whether
 *  the text may have several lines. */
export function hiddenIn(text: string, { lines }: Readonly<{ lines: boolean }>): string | null {
  for (const [found] of text.matchAll(hidden))
    if (!lines || found !== '\n')
      return `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  return null
}

export const hiddenRule =
  'no control, bidirectional, zero-width or tag characters, and nothing else that is not seen'

/** Maximum length of the reason of an action. Custody reports have a lower limit. */
export const reasonMax = 500

/** Whether the text is one line of visible characters, and not blank. */
export const isReason = (text: string, charactersMax: number): boolean =>
  text !== '' &&
  text.length <= charactersMax &&
  hiddenIn(text, { lines: false }) === null &&
  text.trim() === text

export const reasonRule = (charactersMax: number): string =>
  `1 to ${charactersMax} characters on one line, without a space around, ${hiddenRule}`

const referenceMax = 128

/** Excludes the variation selectors of emoji too: with and without one, two references look
 *  alike. */
const seen = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+$/u

export const isPaymentReference = (text: string): boolean =>
  text.length <= referenceMax && seen.test(text) && text.normalize('NFC') === text

export const paymentReferenceRule =
  `must be 1 to ${referenceMax} characters that one sees, without spaces and control ` +
  'characters, in the form NFC of Unicode, such as wire-7731'

const anyScript: readonly string[] = ['reason', 'reference', 'title', 'text']

/** Returns the error of the first invalid field; `null` if all are valid. */
export function scriptProblem(values: object): string | null {
  for (const [field, value] of Object.entries(values)) {
    const problem = problemIn(field, value)
    if (problem !== null) return problem
  }
  return null
}

function problemIn(field: string, value: unknown): string | null {
  if (typeof value === 'string') return problemOf(field, value)
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return scriptProblem(value)
  for (const item of value) {
    const problem = problemIn(field, item)
    if (problem !== null) return problem
  }
  return null
}

function problemOf(field: string, text: string): string | null {
  if (anyScript.includes(field)) {
    if (/\p{Cs}/u.test(text)) return `${field} has half of a character (a lone surrogate)`
    // References are checked by a separate, stricter rule.
    const found = field === 'reference' ? null : hiddenIn(text, { lines: field === 'text' })
    return found === null ? null : `${field} has the character ${found}; it may have ${hiddenRule}`
  }
  const strange = /\P{ASCII}/u.exec(text)?.[0]
  if (strange === undefined) return null
  const code = strange.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  const fields = anyScript.join(', ')
  return (
    `${displayName(field)} has a character outside ASCII, U+${code}; only ${fields} may be in ` +
    'any script'
  )
}
