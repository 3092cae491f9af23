// Parses numbers as people type and paste them. A comma may be a decimal comma or a thousands
// separator. If only one meaning is possible it is used, otherwise the input is refused. A comma is
// never ignored. The result is plain decimal text, as the exchange expects.

/** Spaces and apostrophes that some languages use as thousands separators. */
const dividers = String.raw`[ \u00a0\u2009\u202f'’]`
const plain = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/
const groupedBySpace = new RegExp(`^[1-9][0-9]{0,2}(?:${dividers}[0-9]{3})+(?:[.,][0-9]*)?$`)
const groupedByComma = /^[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?$/
const groupedByPoint = /^[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]*)?$/
const oneGroup = /^[1-9][0-9]{0,2}[.,][0-9]{3}$/
/** Digits with a single separator; the digits on one side of it may be missing. */
const oneMark = /^(?:(0|[1-9][0-9]*)(?:[.,]([0-9]*))?|[.,]([0-9]+))$/

/** Maximum decimals of a field whose step is unknown. */
export const anyPlaces = 18

export type Entry = Readonly<{
  /** Plain decimal text; `null` if it is not a number, or ambiguous. */
  number: string | null
  /** Possible meanings, if there are several. */
  readings: readonly string[]
}>

const is = (number: string): Entry => ({ number, readings: [] })
const isNone: Entry = { number: null, readings: [] }

/** Removes a trailing point, so that `5.` is 5. */
const finished = (text: string) => (text.endsWith('.') ? text.slice(0, -1) : text)

/** Parses an input. `places`: number of decimals of the field's steps. */
export function readEntry(typed: string, places: number = anyPlaces): Entry {
  const text = typed.trim()
  if (oneGroup.test(text)) return readGroup(text, places)
  const marked = oneMark.exec(text)
  if (marked !== null) {
    const [, whole = '0', fraction = '', bare = ''] = marked
    return is(finished(`${whole}.${fraction}${bare}`))
  }
  // `1,234,567` has only one meaning. `1,234` alone was handled above.
  if (groupedByComma.test(text)) return is(finished(text.replaceAll(',', '')))
  if (groupedByPoint.test(text)) return is(finished(text.replaceAll('.', '').replace(',', '.')))
  if (!groupedBySpace.test(text)) return isNone
  return is(finished(text.replace(new RegExp(dividers, 'g'), '').replace(',', '.')))
}

/** Parses `1,234` or `1.234`, which may be a thousand or a decimal. If the field has fewer than
 *  three decimals, a comma separates thousands. A point stays ambiguous, because it is this page's
 *  decimal point. */
function readGroup(text: string, places: number): Entry {
  const comma = text.includes(',')
  const thousand = text.replace(/[.,]/, '')
  const decimal = text.replace(',', '.')
  if (places < 3) return comma ? is(thousand) : { number: null, readings: [thousand, decimal] }
  return comma ? { number: null, readings: [thousand, decimal] } : is(decimal)
}

/** The parsed number, or the input if it is invalid. */
export function cleaned(text: string, places: number = anyPlaces): string {
  return readEntry(text, places).number ?? text.trim()
}

export function isNumber(text: string): boolean {
  return plain.test(cleaned(text))
}

/** Problem of an input, as the rest of a sentence; `null` if there is none. */
export function entryProblem(text: string, places: number = anyPlaces): string | null {
  if (text.trim() === '') return 'is missing'
  const { number, readings } = readEntry(text, places)
  if (number !== null) return null
  if (readings.length === 0) return 'is not a number'
  return `may be ${readings.join(' or ')}: write it so`
}
