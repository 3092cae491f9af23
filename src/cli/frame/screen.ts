// Output of a run: results to standard output, progress and messages to standard error. Colours and
// redrawing only on a terminal, and no colour if NO_COLOR is set.

export type Environment = Readonly<Record<string, string | undefined>>

export type Stream = Readonly<{
  isTTY?: boolean
  columns?: number
  rows?: number
  write(text: string): unknown
}>

const escapes = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const
export type Colour = keyof typeof escapes

export class Screen {
  readonly json: boolean
  readonly isTerminal: boolean
  private readonly out: Stream
  private readonly err: Stream
  private readonly coloured: boolean
  private progressShown = false

  constructor(streams: Readonly<{ out: Stream; err: Stream }>, env: Environment, json: boolean) {
    this.out = streams.out
    this.err = streams.err
    this.json = json
    this.isTerminal = this.out.isTTY === true && env.TERM !== 'dumb'
    this.coloured = this.isTerminal && !env.NO_COLOR && !json
  }

  get rows(): number {
    return this.out.rows ?? 24
  }

  paint(colour: Colour, text: string): string {
    return this.coloured ? `\x1b[${escapes[colour]}m${text}\x1b[0m` : text
  }

  line(text: string): void {
    this.out.write(`${text}\n`)
  }

  /** The alternate screen of the terminal, without a cursor; leaving restores the previous
   *  content. */
  enter(): void {
    this.out.write('\x1b[?1049h\x1b[?25l\x1b[2J')
  }

  leave(): void {
    this.out.write('\x1b[?25h\x1b[?1049l')
  }

  /** Replaces the whole screen by these lines. */
  redraw(lines: readonly string[]): void {
    const shown = lines.slice(0, this.rows - 1).map((line) => `${line}\x1b[K`)
    this.out.write(`\x1b[H${shown.join('\n')}\n\x1b[J`)
  }

  remark(text: string): void {
    this.endProgress()
    this.err.write(`${text}\n`)
  }

  /** One line that is overwritten; no output if it is not a terminal. */
  progress(text: string): void {
    if (this.err.isTTY !== true) return
    this.progressShown = true
    this.err.write(`\r${text}\x1b[K`)
  }

  endProgress(): void {
    if (!this.progressShown) return
    this.progressShown = false
    this.err.write('\r\x1b[K')
  }
}

/** Aligned columns; those with numbers to the right. */
export function tableOf(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [heads, ...rows]
  const widths = heads.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)))
  const isNumber = heads.map(
    (_, at) => rows.length > 0 && rows.every((row) => /^(-?[\d.]+%?|-)?$/.test(row[at] ?? '')),
  )
  return all.map((row) =>
    widths
      .map((width, at) =>
        isNumber[at] ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** Names and values, one pair per line. */
export function pairsOf(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}
