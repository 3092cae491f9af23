// A cell of comma-separated values (RFC 4180) that is safe to open in a spreadsheet. Text that a
// spreadsheet would treat as a formula or command gets a leading apostrophe, which the spreadsheet
// hides. Full-width signs are included, because some versions treat them as the plain sign. Plain
// numbers are unchanged.

const number = /^-?[0-9]+(\.[0-9]+)?$/
const formula = /^[=+\-@|\t\r\n\uFF1D\uFF0B\uFF0D\uFF20\uFF5C]/

export function csvCell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
