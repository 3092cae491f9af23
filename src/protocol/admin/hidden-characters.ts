// Characters that an operator's text must not have: invisible ones, those that reverse the text,
// and those that break out of the line in which it is shown. A reason that reads "refund" and a
// reason that only looks like it must not be two.

/** Control, format (bidirectional, zero-width, tags), lone surrogates, separators of lines, and
 *  everything else that is not drawn, the blank pattern of braille too; but the two selectors that
 *  emoji are written with. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu

/** The first one, such as U+202E; `null` if there is none. `lines`: the text may have several
 *  lines. */
export function hiddenIn(text: string, { lines }: Readonly<{ lines: boolean }>): string | null {
  for (const [found] of text.matchAll(hidden))
    if (!lines || found !== '\n')
      return `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  return null
}

export const hiddenRule =
  'no control, bidirectional, zero-width or tag characters, and nothing else that is not seen'
