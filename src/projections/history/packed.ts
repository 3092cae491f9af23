// Rows on their way back from the history thread: one array of numbers that is handed over without
// a copy, and each text once. Making the objects from it costs the trading thread a tenth of what
// receiving them as objects would.

import type { Cells } from './projection.ts'

export type Packed = Readonly<{ width: number; cells: Float64Array; texts: readonly string[] }>

// A text is its index among the texts, nothing is not a number.
export function packed(rows: readonly Cells[]): Packed {
  const width = rows[0]?.length ?? 1
  const cells = new Float64Array(rows.length * width)
  const texts: string[] = []
  const known = new Map<string, number>()
  let at = 0
  for (const row of rows) {
    for (const cell of row) {
      if (typeof cell === 'number') cells[at] = cell
      else if (cell === null) cells[at] = Number.NaN
      else {
        const index = known.get(cell) ?? texts.push(cell) - 1
        known.set(cell, index)
        cells[at] = index
      }
      at += 1
    }
  }
  return { width, cells, texts }
}

/** One row of a pack. The reader knows which of its cells are texts. */
export class PackedRow {
  private at = 0
  private readonly pack: Packed

  constructor(pack: Packed) {
    this.pack = pack
  }

  number(column: number): number {
    return this.pack.cells[this.at + column]!
  }

  numberOrNull(column: number): number | null {
    const value = this.number(column)
    return Number.isNaN(value) ? null : value
  }

  text<T extends string = string>(column: number): T {
    return this.pack.texts[this.number(column)]! as T
  }

  textOrNull(column: number): string | null {
    const index = this.numberOrNull(column)
    return index === null ? null : this.pack.texts[index]!
  }

  moveTo(index: number): void {
    this.at = index * this.pack.width
  }
}

export function unpacked<T>(pack: Packed, rowOf: (row: PackedRow) => T): T[] {
  const row = new PackedRow(pack)
  return Array.from({ length: pack.cells.length / pack.width }, (_, index) => {
    row.moveTo(index)
    return rowOf(row)
  })
}
