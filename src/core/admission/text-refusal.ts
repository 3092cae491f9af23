// Checks that a text that enters the core is neither empty nor too long.

import { type Rejection, refuse } from '../commands/rejections.ts'
import { limits } from '../rules/limits.ts'

/** `null` (absent) is accepted. */
export function textRefusal(text: string | null): Rejection | null {
  if (text === null || (text.length >= 1 && text.length <= limits.textLength)) return null
  return refuse('INVALID_PARAMETER', text.length)
}
