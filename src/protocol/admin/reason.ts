// Why somebody did something, as the journal keeps it: a line for people to read, in any script.

/** Letters, signs and spaces, but nothing that breaks a line or is no character, and not blank. */
export const isReason = (text: string, charactersMax: number): boolean =>
  text.length <= charactersMax &&
  /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u.test(text) &&
  text.trim() === text

export const reasonRule = (charactersMax: number): string =>
  `1 to ${charactersMax} characters on one line, without control characters or a space around`
