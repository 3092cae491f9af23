// The reason of an action, as the journal keeps it: a line of text in any script.

import { hiddenIn, hiddenRule } from './hidden-characters.ts'

/** Maximum length for an action; reports of custody have a lower limit. */
export const reasonMax = 500

/** Visible characters on one line, and not blank. */
export const isReason = (text: string, charactersMax: number): boolean =>
  text !== '' &&
  text.length <= charactersMax &&
  hiddenIn(text, { lines: false }) === null &&
  text.trim() === text

export const reasonRule = (charactersMax: number): string =>
  `1 to ${charactersMax} characters on one line, without a space around, ${hiddenRule}`
