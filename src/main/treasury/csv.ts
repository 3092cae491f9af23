// Rows of a CSV file as spreadsheets and programs write it: commas, quotes where they are needed,
// lines that end with or without a carriage return.

export type CsvRow = Readonly<{
  /** Where it begins, from 1. */
  line: number
  cells: readonly string[]
}>

/** Only a line: there a quote is not closed, or something stands behind a closed one. */
export function csvRows(text: string): readonly CsvRow[] | Readonly<{ line: number }> {
  const rows: CsvRow[] = []
  let line = 1
  let rest = text.startsWith('\ufeff') ? text.slice(1) : text
  while (rest !== '') {
    const cells: string[] = []
    const first = line
    for (;;) {
      const found = /^(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/.exec(rest)
      if (found === null) return { line }
      const [all, inQuotes, plain = '', end] = found
      cells.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'))
      line += all.split('\n').length - 1
      rest = rest.slice(all.length)
      if (end !== ',') break
    }
    if (cells.join() !== '') rows.push({ line: first, cells })
  }
  return rows
}
