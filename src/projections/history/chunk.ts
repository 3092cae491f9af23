// Outcomes on their way from the trading thread to the history thread: numbers in two typed arrays
// that both see, and the few texts. The writer costs one copy of the rows.

import { rowWidth } from '../../core/index.ts'
import type { Entry } from '../../sequencer/entry.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import { placesOf } from '../../units/places.ts'
import { grownShared, sharedNumbers } from './shared-numbers.ts'

// An outcome's head: its place, its kind, which of its orders are market orders, where its rows
// end, where its texts begin, and 1 + where those of an operator's action begin.
const headFields = ['seq', 'atMs', 'kind', 'marketOrders', 'end', 'texts', 'action'] as const
const head = placesOf(headFields)
const headWidth = headFields.length
const kinds = ['command', 'snapshot', 'revert'] as const

/** What an operator did; the command is JSON. */
type OperatorAction = Readonly<{ who: string; why: string; what: string; command: string }>
const actionTexts = 4
type ActionTexts = readonly [who: string, why: string, what: string, command: string]

export type Chunk = Readonly<{
  heads: Float64Array
  rows: Float64Array
  outcomes: number
  events: number
  texts: readonly string[]
}>

/** One outcome as the history thread sees it; reused for the next. */
export class FedOutcome {
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
  private actionBase = 0
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
    this.seq = heads[at + head.seq]!
    this.atMs = heads[at + head.atMs]!
    this.kind = kinds[heads[at + head.kind]!]!
    this.marketOrders = heads[at + head.marketOrders]!
    this.firstRow = this.endRow
    this.endRow = heads[at + head.end]!
    this.textBase = heads[at + head.texts]!
    this.actionBase = heads[at + head.action]!
    this.id = this.kind === 'command' ? '' : texts[this.textBase]!
  }

  /** Null unless an operator did it. */
  operatorAction(): OperatorAction | null {
    const first = this.actionBase - 1
    if (first < 0) return null
    const [who, why, what, command] = this.chunk.texts.slice(
      first,
      first + actionTexts,
    ) as unknown as ActionTexts
    return { who, why, what, command }
  }

  /** A text field holds 1 + an index; 0 is null. */
  text(field: number): string | null {
    return field === 0 ? null : this.chunk.texts[this.textBase + field - 1]!
  }
}

export class ChunkWriter {
  events = 0
  private outcomes = 0
  private heads = sharedNumbers(headWidth * 16)
  private rows = sharedNumbers(rowWidth * 64)
  private texts: string[] = []
  private spare: Chunk | null = null

  /** Copies what an outcome tells. `textBase`: where its log's texts begin, as `addTexts` said. */
  add({ seq, atMs, entry, log, first, end }: Outcome, textBase: number): void {
    const events = this.events + end - first
    if (events * rowWidth > this.rows.length) this.rows = grownShared(this.rows, events * rowWidth)
    this.rows.set(log.rows.subarray(first * rowWidth, end * rowWidth), this.events * rowWidth)
    this.events = events
    const at = this.outcomes * headWidth
    if (at + headWidth > this.heads.length) this.heads = grownShared(this.heads, at + headWidth)
    const { heads } = this
    heads[at + head.seq] = seq
    heads[at + head.atMs] = atMs
    heads[at + head.kind] = kinds.indexOf(entry.kind)
    heads[at + head.marketOrders] = marketOrdersOf(entry)
    heads[at + head.end] = events
    heads[at + head.texts] = entry.kind === 'command' ? textBase : this.addTexts([entry.id])
    const action = operatorActionOf(entry)
    heads[at + head.action] = action === null ? 0 : 1 + this.addTexts(textsOf(action))
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

  /** What was written so far; the writer begins anew, because others read these arrays now. */
  take(): Chunk {
    const { heads, rows, outcomes, events, texts, spare } = this
    this.heads = spare?.heads ?? sharedNumbers(headWidth * 16)
    this.rows = spare?.rows ?? sharedNumbers(rowWidth * 64)
    this.spare = null
    this.texts = []
    this.outcomes = 0
    this.events = 0
    return { heads, rows, outcomes, events, texts }
  }

  /** A chunk that nobody reads any more: its arrays serve again. */
  giveBack(chunk: Chunk): void {
    this.spare = chunk
  }
}

/** Prices come all day, from operators too; they are not written down. */
function operatorActionOf(entry: Entry): OperatorAction | null {
  if (entry.by === null) return null
  if (entry.kind !== 'command')
    return { ...entry.by, what: entry.kind, command: JSON.stringify({ id: entry.id }) }
  const { command } = entry
  if (command.type === 'OracleTick' || command.type === 'Tick') return null
  return { ...entry.by, what: command.type, command: JSON.stringify(command) }
}

function textsOf({ who, why, what, command }: OperatorAction): ActionTexts {
  return [who, why, what, command]
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
