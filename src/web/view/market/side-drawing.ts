// Draws one side of the book. Rows are created once per size of the panel; then only changed cells
// are written.

import type { BookRow, Side } from '../../model/market/book-rows.ts'
import { amountText, fixed } from '../../model/number-text.ts'

export const rowHeight = 18
export const rowsMax = 60

type DrawnRow = {
  node: HTMLButtonElement
  texts: [Text, Text, Text]
  bar: HTMLElement
  shown: [number, number, number, number]
  row: BookRow | null
}

/** What the cells show: decimals of prices and sizes, and whether sizes are values in USD. */
export type CellStyle = Readonly<{ tickPlaces: number; lotPlaces: number; inUsd: boolean }>

type SideEvents = Readonly<{
  pick(row: BookRow, event: MouseEvent): void
  /** The row under the pointer or with the focus; `null` if there is none. */
  point(row: BookRow | null, node: HTMLElement | null): void
}>

export class SideDrawing {
  private readonly rows: DrawnRow[] = []
  private readonly box: HTMLElement
  readonly side: Side
  private readonly events: SideEvents
  private pointed: HTMLElement | null = null
  private inUsd = false

  constructor(box: HTMLElement, side: Side, events: SideEvents) {
    this.box = box
    this.side = side
    this.events = events
    box.addEventListener('click', (event) => {
      const row = this.rowOf(event.target)
      if (row !== null) events.pick(row, event)
    })
    box.addEventListener('keydown', (event) => this.move(event))
    for (const name of ['pointerover', 'focusin'])
      box.addEventListener(name, ({ target }) => this.point(target))
    for (const name of ['pointerleave', 'focusout'])
      box.addEventListener(name, () => this.point(null))
  }

  private rowOf(target: EventTarget | null): BookRow | null {
    const node = (target as HTMLElement | null)?.closest('button')
    return this.rows.find((each) => each.node === node)?.row ?? null
  }

  private point(target: EventTarget | null): void {
    this.pointed = (target as HTMLElement | null)?.closest('button') ?? null
    this.events.point(this.rowOf(this.pointed), this.pointed)
  }

  /** Arrow keys move between the rows; the tab key has one stop per side. */
  private move(event: KeyboardEvent): void {
    const away = this.side === 'ask' ? 'ArrowUp' : 'ArrowDown'
    const towards = this.side === 'ask' ? 'ArrowDown' : 'ArrowUp'
    const step = event.key === away ? 1 : event.key === towards ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = this.rows.findIndex(({ node }) => node === document.activeElement)
    this.rows[at + step]?.node.focus()
  }

  private drawnRow(at: number): DrawnRow {
    const found = this.rows[at]
    if (found !== undefined) return found
    const node = document.createElement('button')
    node.type = 'button'
    node.className = 'book-row'
    node.tabIndex = at === 0 ? 0 : -1
    const bar = node.appendChild(document.createElement('i'))
    const texts = [0, 1, 2].map(() =>
      node.appendChild(document.createElement('span')).appendChild(document.createTextNode('')),
    ) as unknown as DrawnRow['texts']
    this.box.appendChild(node)
    const drawn: DrawnRow = { node, texts, bar, shown: [...unknown], row: null }
    this.rows.push(drawn)
    return drawn
  }

  draw(rows: readonly BookRow[], most: number, style: CellStyle): void {
    const count = Math.max(rows.length, this.rows.length)
    // Other units may have the same numbers with other decimals.
    if (style.inUsd !== this.inUsd) for (const { shown } of this.rows) shown.fill(Number.NaN)
    this.inUsd = style.inUsd
    let before = 0
    for (let at = 0; at < count; at++) {
      const row = rows[at]
      const drawn = this.drawnRow(at)
      drawn.node.classList.toggle('empty', row === undefined)
      drawn.row = row ?? null
      if (row === undefined) continue
      write(drawn, row, style, row.worth - before)
      before = row.worth
      const width = `scaleX(${Math.round((row.sum / most) * 1_000) / 1_000})`
      if (drawn.bar.style.transform !== width) drawn.bar.style.transform = width
    }
    if (this.pointed !== null) this.events.point(this.rowOf(this.pointed), this.pointed)
  }
}

const unknown = [Number.NaN, Number.NaN, Number.NaN, 0] as const

function write({ node, texts, shown }: DrawnRow, row: BookRow, style: CellStyle, worth: number) {
  const { price, own } = row
  const { tickPlaces, lotPlaces, inUsd } = style
  const [size, sum] = inUsd ? [worth, row.worth] : [row.size, row.sum]
  const places = inUsd ? 0 : lotPlaces
  if (shown[0] !== price) texts[0].data = fixed(price, tickPlaces)
  if (shown[1] !== size) texts[1].data = amountText(size, places)
  if (shown[2] !== sum) texts[2].data = amountText(sum, places)
  if (shown[3] !== own) node.classList.toggle('own', own > 0)
  shown[0] = price
  shown[1] = size
  shown[2] = sum
  shown[3] = own
}
