// Parses numbers as people type and paste them. A comma may be a decimal comma or a thousands
// separator: if only one meaning is possible it is used, otherwise the input is refused; a comma is
// never just dropped. The result is plain decimal text, as the exchange expects it.

/** Spaces and apostrophes that separate thousands in some languages. */
const dividers = String.raw`[ \u00a0\u2009\u202f'’]`
const plain = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/
const groupedBySpace = new RegExp(`^[1-9][0-9]{0,2}(?:${dividers}[0-9]{3})+(?:[.,][0-9]*)?$`)
const groupedByComma = /^[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?$/
const groupedByPoint = /^[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]*)?$/
const oneGroup = /^[1-9][0-9]{0,2}[.,][0-9]{3}$/
/** Digits, one mark, digits; one side of the mark may be empty. */
const oneMark = /^(?:(0|[1-9][0-9]*)(?:[.,]([0-9]*))?|[.,]([0-9]+))$/

/** Maximum number of decimals of an unknown field. */
export const anyPlaces = 18

export type Entry = Readonly<{
  /** Plain decimal text; `null` if it is not a number, or ambiguous. */
  number: string | null
  /** Possible meanings, if there are several. */
  readings: readonly string[]
}>

const is = (number: string): Entry => ({ number, readings: [] })
const isNone: Entry = { number: null, readings: [] }

/** Without a trailing point: `5.` is 5. */
const finished = (text: string) => (text.endsWith('.') ? text.slice(0, -1) : text)

/** `places`: the decimals of the field's own steps. */
export function readEntry(typed: string, places: number = anyPlaces): Entry {
  const text = typed.trim()
  if (oneGroup.test(text)) return readGroup(text, places)
  const marked = oneMark.exec(text)
  if (marked !== null) {
    const [, whole = '0', fraction = '', bare = ''] = marked
    return is(finished(`${whole}.${fraction}${bare}`))
  }
  // `1,234,567` has one meaning; `1,234` alone was handled above.
  if (groupedByComma.test(text)) return is(finished(text.replaceAll(',', '')))
  if (groupedByPoint.test(text)) return is(finished(text.replaceAll('.', '').replace(',', '.')))
  if (!groupedBySpace.test(text)) return isNone
  return is(finished(text.replace(new RegExp(dividers, 'g'), '').replace(',', '.')))
}

/** `1,234` and `1.234`: a thousand or a decimal. If the field has fewer than three decimals, a
 *  comma separates thousands; a point is this page's decimal point, so it stays ambiguous. */
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

/** What is wrong with it, as the rest of a sentence. */
export function entryProblem(text: string, places: number = anyPlaces): string | null {
  if (text.trim() === '') return 'is missing'
  const { number, readings } = readEntry(text, places)
  if (number !== null) return null
  if (readings.length === 0) return 'is not a number'
  return `may be ${readings.join(' or ')}: write it so`
}
