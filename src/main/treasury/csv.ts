// Reads CSV as spreadsheets and programs write it: commas, quotes where needed, LF or CRLF line
// endings.

export type CsvRow = Readonly<{
  /** Number of the row's first line, from 1. */
  line: number
  cells: readonly string[]
}>

/** A malformed row: a quote is not closed, or text follows a closing quote. Only the line is
 *  reported. */
export type CsvFault = Readonly<{ line: number }>

/** Maximum cells of a row. A longer row is truncated, and reading stops after it. */
export const cellsMax = 64

/** Yields the rows one by one, including blank lines, so that the caller can stop or yield to other
 *  work. */
export function* csvRows(text: string): Generator<CsvRow | CsvFault, void> {
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y
  let line = 1
  cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0
  while (cell.lastIndex < text.length) {
    const cells: string[] = []
    const first = line
    for (;;) {
      const found = cell.exec(text)
      if (found === null) return yield { line }
      const [all, inQuotes, plain = '', end] = found
      cells.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'))
      if (all.includes('\n')) line += all.split('\n').length - 1
      if (end !== ',') break
      if (cells.length === cellsMax) return yield { line: first, cells }
    }
    yield { line: first, cells }
  }
}
