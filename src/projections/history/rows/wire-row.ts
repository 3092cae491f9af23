// Rows returned by the history thread: an array of numbers that both threads share, and each
// distinct text once. Creating objects from it costs the trading thread a tenth of receiving
// objects. A text is sent as its index in the list of texts, and null as NaN.

import { type Database, prepare } from '../projection.ts'
import { sharedNumbers } from '../shared-numbers.ts'
import type * as kinds from './column.ts'
import type { Cell, Cells, Column, Word } from './column.ts'
import { listOf } from './select.ts'

/** Reads the columns of a row in order. There is one method per kind, because with a single method
 *  for all kinds the trading thread takes more than twice as long. */
export type CellReader = Readonly<{
  int(column: Column<typeof kinds.int>): number
  intOrNull(column: Column<typeof kinds.intOrNull>): number | null
  flag(column: Column<typeof kinds.flag>): boolean
  account(column: Column<typeof kinds.account>): string
  text(column: Column<typeof kinds.text>): string
  textOrNull(column: Column<typeof kinds.textOrNull>): string | null
  word<Words extends readonly string[]>(column: Column<Word<Words>>): Words[number]
}>

/** A row for readers, defined by the function that makes it. The columns that the function reads
 *  are the ones that are selected and sent between threads, in this order. */
export type WireRow<Row> = Readonly<{
  columns: readonly Column[]
  of(row: CellReader): Row
}>

export type RowOf<R> = R extends WireRow<infer Row> ? Readonly<Row> : never

export type Packed = Readonly<{ cells: Float64Array; texts: readonly string[] }>

/** `of` must always read the same columns, whatever their values. */
export function wireRow<Row>(of: (row: CellReader) => Row): WireRow<Row> {
  const noting = new ColumnNotes()
  of(noting)
  return { columns: noting.columns, of }
}

class ColumnNotes implements CellReader {
  readonly columns: Column[] = []

  int(column: Column): number {
    this.columns.push(column)
    return 0
  }

  intOrNull(column: Column): number {
    return this.int(column)
  }

  flag(column: Column): boolean {
    return this.int(column) === 1
  }

  account(column: Column): string {
    return this.text(column)
  }

  text(column: Column): string {
    this.columns.push(column)
    return ''
  }

  textOrNull(column: Column): string {
    return this.text(column)
  }

  word<Words extends readonly string[]>(column: Column<Word<Words>>): Words[number] {
    return column.kind.words[this.int(column)]!
  }
}

class PackedRow implements CellReader {
  private at = 0
  private readonly cells: Float64Array
  private readonly texts: readonly string[]

  constructor({ cells, texts }: Packed) {
    this.cells = cells
    this.texts = texts
  }

  int(_: Column): number {
    return this.cells[this.at++]!
  }

  intOrNull(column: Column): number | null {
    const cell = this.int(column)
    return Number.isNaN(cell) ? null : cell
  }

  flag(column: Column): boolean {
    return this.int(column) === 1
  }

  account(column: Column): string {
    return this.texts[this.int(column)]!
  }

  text(column: Column): string {
    return this.texts[this.int(column)]!
  }

  textOrNull(column: Column): string | null {
    const cell = this.int(column)
    return Number.isNaN(cell) ? null : this.texts[cell]!
  }

  word<Words extends readonly string[]>(column: Column<Word<Words>>): Words[number] {
    return column.kind.words[this.int(column)]!
  }
}

/** A query that returns the cells of these rows. `rest`: the statement after its columns. */
export function selectWire(database: Database, { columns }: WireRow<unknown>, rest: string) {
  const statement = prepare(database, `SELECT ${listOf(columns)} ${rest}`)
  return (...args: Cells) => statement.all(...args) as Cells[]
}

/** The cells of a row that does not come from a query. Its fields have the names of the columns. */
export function cellsOf<Row extends Readonly<Record<string, Cell>>>(
  { columns }: WireRow<Row>,
  row: Row,
): Cells {
  const cells: Cell[] = []
  for (const { name } of columns) cells.push(row[name]!)
  return cells
}

export function packed(
  { columns }: WireRow<unknown>,
  rows: readonly Cells[],
  addressOf: (account: number) => string,
): Packed {
  const cells = sharedNumbers(rows.length * columns.length)
  const isAccount = columns.map(({ kind }) => kind.is === 'account')
  const texts: string[] = []
  const known = new Map<string, number>()
  const placeOf = (text: string) => {
    const place = known.get(text) ?? texts.push(text) - 1
    known.set(text, place)
    return place
  }
  let at = 0
  for (const row of rows)
    for (let column = 0; column < isAccount.length; column++) {
      const cell = row[column]!
      if (typeof cell === 'string') cells[at] = placeOf(cell)
      else if (cell === null) cells[at] = Number.NaN
      else cells[at] = isAccount[column] ? placeOf(addressOf(cell)) : cell
      at += 1
    }
  return { cells, texts }
}

export function unpacked<Row>({ columns, of }: WireRow<Row>, pack: Packed): Row[] {
  const row = new PackedRow(pack)
  return Array.from({ length: pack.cells.length / columns.length }, () => of(row))
}
