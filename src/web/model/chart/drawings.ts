// Drawings of the user on the chart, kept by the browser for each market.

import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'

export type ChartPoint = Readonly<{ at: number; price: number }>

export const drawingKinds = {
  trend: 'Trend line',
  ray: 'Ray',
  horizontal: 'Horizontal line',
  rectangle: 'Rectangle',
  fibonacci: 'Fibonacci retracement',
  measure: 'Measure',
} as const
export type DrawingKind = keyof typeof drawingKinds

export type Drawing = Readonly<{ id: number; kind: DrawingKind; from: ChartPoint; to: ChartPoint }>

/** The browser's storage. */
type Storage = Readonly<{
  get(name: string): string | null
  set(name: string, value: string): void
}>

/** Drawings kept of each market. */
export const drawingsMax = 100
const stepsMax = 100
const storedAs = 'openperp.drawings'

const isPoint = (point: unknown): point is ChartPoint => {
  const { at, price } = (point ?? {}) as Partial<ChartPoint>
  return Number.isFinite(at) && Number.isFinite(price)
}

function readDrawings(stored: unknown): readonly Drawing[] {
  if (!Array.isArray(stored)) return []
  const whole = (each: Partial<Drawing> | null): each is Drawing =>
    Number.isSafeInteger(each?.id) &&
    Object.hasOwn(drawingKinds, String(each?.kind)) &&
    isPoint(each?.from) &&
    isPoint(each?.to)
  return stored.filter(whole).slice(0, drawingsMax)
}

/** Reads what is stored of all markets; nothing if it is damaged. */
function readAll(storage: Storage): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(storage.get(storedAs) ?? '{}')
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    // Damaged text is overwritten by the next drawing.
    return {}
  }
}

export class Drawings {
  readonly now: Signal<readonly Drawing[]> = signal([])
  /** The kind that the next two points make; `null` if the chart is not being drawn on. */
  readonly tool: Signal<DrawingKind | null> = signal(null)
  readonly selected: Signal<number | null> = signal(null)
  readonly undoable: Signal<boolean> = signal(false)
  private readonly storage: Storage
  private readonly symbol: ReadonlySignal<string>
  private earlier: (readonly Drawing[])[] = []

  constructor(storage: Storage, symbol: ReadonlySignal<string>) {
    this.storage = storage
    this.symbol = symbol
    effect(() => {
      this.now.value = readDrawings(readAll(storage)[symbol.value])
      this.selected.value = null
      this.earlier = []
      this.undoable.value = false
    })
  }

  /** Returns `false` if the market has as many drawings as are kept. */
  add(kind: DrawingKind, from: ChartPoint, to: ChartPoint): boolean {
    const before = this.now.peek()
    this.tool.value = null
    if (before.length >= drawingsMax) return false
    const id = 1 + Math.max(0, ...before.map((each) => each.id))
    this.change([...before, { id, kind, from, to }])
    this.selected.value = id
    return true
  }

  move(id: number, points: Readonly<{ from: ChartPoint; to: ChartPoint }>): void {
    this.change(this.now.peek().map((each) => (each.id === id ? { ...each, ...points } : each)))
  }

  remove(id: number): void {
    this.change(this.now.peek().filter((each) => each.id !== id))
    this.selected.value = null
  }

  clear(): void {
    this.change([])
    this.selected.value = null
  }

  /** Takes the last change of this market back. */
  undo(): void {
    const before = this.earlier.pop()
    if (before !== undefined) this.keep(before)
  }

  private change(next: readonly Drawing[]): void {
    this.earlier = [...this.earlier, this.now.peek()].slice(-stepsMax)
    this.keep(next)
  }

  private keep(next: readonly Drawing[]): void {
    this.now.value = next
    this.undoable.value = this.earlier.length > 0
    const all = { ...readAll(this.storage), [this.symbol.peek()]: next }
    this.storage.set(storedAs, JSON.stringify(all))
  }
}
