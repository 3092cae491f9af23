// Converts a CSV table of the exchange (RFC 4180) for spreadsheets. Times in milliseconds become
// ISO 8601 in UTC, which every program reads. All other cells stay unchanged: plain decimals
// without grouping or exponents.

/** One cell: quoted, with doubled inner quotes, or unquoted. */
const cell = /("(?:[^"]|"")*"|[^,\r\n"]*)(,|\r\n|\n|$)/y

const milliseconds = /^[0-9]{1,16}$/

/** Whether a column contains times. */
const isTime = (name: string) => name.endsWith('_at') || name === 'timestamp'

export function withIsoTimes(table: string): string {
  let times: readonly boolean[] | null = null
  let names: string[] = []
  let column = 0
  let text = ''
  cell.lastIndex = 0
  while (cell.lastIndex < table.length) {
    const match = cell.exec(table)
    // A table in an unknown format is returned unchanged.
    if (match === null) return table
    const [, value = '', end = ''] = match
    if (times === null) names.push(value)
    text += times?.[column] === true ? isoTime(value) : value
    text += end
    column = end === ',' ? column + 1 : 0
    if (end !== ',' && times === null) {
      times = names.map(isTime)
      names = []
    }
  }
  return text
}

function isoTime(value: string): string {
  const date = new Date(milliseconds.test(value) ? Number(value) : Number.NaN)
  return Number.isNaN(date.getTime()) ? value : date.toISOString()
}
