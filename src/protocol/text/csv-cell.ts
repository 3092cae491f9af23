// A cell of a table of comma-separated values (RFC 4180), as a spreadsheet may open it. A text that
// it would take for a formula or a command gets an apostrophe in front, which it hides; so does one
// with a full-width sign, which some versions read as the plain one. A plain number stays one.

const number = /^-?[0-9]+(\.[0-9]+)?$/
const formula = /^[=+\-@|\t\r\n\uFF1D\uFF0B\uFF0D\uFF20\uFF5C]/

export function csvCell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
