// Outcomes on their way from the trading thread to the history thread: numbers in two typed arrays
// that are handed over without a copy, and the few texts. The writer costs one copy of the rows.

import { rowWidth } from '../../core/events/event-log.ts'
import { grown } from '../../core/pools/growing.ts'
import type { Entry } from '../../sequencer/entry.ts'
import type { Outcome } from '../../sequencer/outcome.ts'

// An outcome's head: its place, its kind, which of its orders are market orders, where its rows
// end, where its texts begin, and 1 + where those of an operator's deed do.
const headWidth = 7
const kinds = ['command', 'snapshot', 'revert'] as const

export type Chunk = Readonly<{
  heads: Float64Array
  rows: Float64Array
  outcomes: number
  events: number
  texts: readonly string[]
}>

/** One outcome as the history thread sees it; reused for the next. */
export class Told {
  seq = 0
  atMs = 0
  kind: Entry['kind'] = 'command'
  /** Of a snapshot or a revert. */
  id = ''
  /** Which actions of the command are market orders: bit 0 for a single one, bit n for the n-th
   *  action of a batch. */
  marketOrders = 0
  firstRow = 0
  endRow = 0
  private textBase = 0
  private deedBase = 0
  private readonly chunk: Chunk

  constructor(chunk: Chunk) {
    this.chunk = chunk
  }

  get rows(): Float64Array {
    return this.chunk.rows
  }

  move(index: number): void {
    const { heads, texts } = this.chunk
    const at = index * headWidth
    this.seq = heads[at]!
    this.atMs = heads[at + 1]!
    this.kind = kinds[heads[at + 2]!]!
    this.marketOrders = heads[at + 3]!
    this.firstRow = this.endRow
    this.endRow = heads[at + 4]!
    this.textBase = heads[at + 5]!
    this.deedBase = heads[at + 6]!
    this.id = this.kind === 'command' ? '' : texts[this.textBase]!
  }

  /** Who, why, what and the command as JSON; null unless an operator did it. */
  deed(): readonly string[] | null {
    const first = this.deedBase - 1
    return first < 0 ? null : this.chunk.texts.slice(first, first + 4)
  }

  /** A text field holds 1 + an index; 0 is null. */
  text(field: number): string | null {
    return field === 0 ? null : this.chunk.texts[this.textBase + field - 1]!
  }
}

export class ChunkWriter {
  events = 0
  private outcomes = 0
  private heads = new Float64Array(headWidth * 16)
  private rows = new Float64Array(rowWidth * 64)
  private texts: string[] = []

  /** Copies what an outcome tells. `textBase`: where its log's texts begin, as `addTexts` said. */
  add({ seq, atMs, entry, log, first, end }: Outcome, textBase: number): void {
    const events = this.events + end - first
    if (events * rowWidth > this.rows.length) this.rows = grown(this.rows, events * rowWidth)
    this.rows.set(log.rows.subarray(first * rowWidth, end * rowWidth), this.events * rowWidth)
    this.events = events
    const at = this.outcomes * headWidth
    if (at + headWidth > this.heads.length) this.heads = grown(this.heads, at + headWidth)
    this.heads[at] = seq
    this.heads[at + 1] = atMs
    this.heads[at + 2] = kinds.indexOf(entry.kind)
    this.heads[at + 3] = marketOrdersOf(entry)
    this.heads[at + 4] = events
    this.heads[at + 5] = entry.kind === 'command' ? textBase : this.addTexts([entry.id])
    const deed = deedOf(entry)
    this.heads[at + 6] = deed === null ? 0 : 1 + this.addTexts(deed)
    this.outcomes += 1
  }

  addTexts(texts: readonly string[]): number {
    const base = this.texts.length
    for (const text of texts) this.texts.push(text)
    return base
  }

  isEmpty(): boolean {
    return this.outcomes === 0
  }

  /** What was written so far; the writer begins anew, because its arrays are given away. */
  take(): Chunk {
    const { heads, rows, outcomes, events, texts } = this
    this.heads = new Float64Array(headWidth * 16)
    this.rows = new Float64Array(rowWidth * 64)
    this.texts = []
    this.outcomes = 0
    this.events = 0
    return { heads, rows, outcomes, events, texts }
  }
}

/** Prices come all day, from operators too; they are no deeds. */
function deedOf(entry: Entry): readonly string[] | null {
  if (entry.by === null) return null
  const { who, why } = entry.by
  if (entry.kind !== 'command') return [who, why, entry.kind, JSON.stringify({ id: entry.id })]
  const { command } = entry
  if (command.type === 'OracleTick' || command.type === 'Tick') return null
  return [who, why, command.type, JSON.stringify(command)]
}

/** The event of an order does not say whether it was asked for as a market order; its command does.
 *  Orders of a batch are told apart by the action they belong to. */
export function marketOrdersOf(entry: Entry): number {
  if (entry.kind !== 'command') return 0
  const { command } = entry
  if (command.type === 'PlaceMarketOrder') return 1
  if (command.type !== 'Batch') return 0
  let mask = 0
  command.actions.forEach(({ type }, index) => {
    if (type === 'PlaceMarketOrder') mask |= 1 << index
  })
  return mask
}
