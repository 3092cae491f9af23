// Texts of an operator that may be in any script: those for people, and external ids. Texts with a
// meaning to the exchange are ASCII, so that no two names look alike.

import { displayName } from '../display-name.ts'
import { hiddenIn, hiddenRule } from './hidden-characters.ts'

const anyScript: readonly string[] = ['reason', 'reference', 'title', 'text']

/** Names the invalid field; `null` if all are valid. */
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
    // References have a separate, stricter rule.
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
