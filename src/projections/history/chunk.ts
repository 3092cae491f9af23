// Passes outcomes from the trading thread to the history thread: numbers in two typed arrays that
// both threads share, and the few texts. Writing copies the events once, in the format of the log.

import {
  type EventOf,
  type EventType,
  eventAt,
  type FillPart,
  lineWidth,
  makerFillsOf,
  TEXT,
  takerFillsOf,
} from '../../core/index.ts'
import type { Entry } from '../../sequencer/entry.ts'
import { kindOf, type Outcome, refusalOf } from '../../sequencer/outcome.ts'
import { placesOf } from '../../units/places.ts'
import { grownShared, sharedNumbers } from './shared-numbers.ts'

// The header of an outcome: its seq, time and kind, the end of its events, the index of its first
// text, and 1 + the index of the texts of an operator's action.
const headFields = ['seq', 'atMs', 'kind', 'end', 'texts', 'action'] as const
const head = placesOf(headFields)
const headWidth = headFields.length
const kinds = ['command', 'snapshot', 'revert'] as const

/** An operator's action; the command is JSON. */
type OperatorAction = Readonly<{
  who: string
  why: string
  what: string
  command: string
  /** Name of the rejection; `null` if the action was executed. */
  rejection: string | null
}>
const actionTexts = 5
type ActionTexts = [who: string, why: string, what: string, command: string, rejection: string]

export type Chunk = Readonly<{
  heads: Float64Array
  rows: Float64Array
  outcomes: number
  /** Number of outcomes, numbers and texts. */
  lines: number
  texts: readonly string[]
}>

/** A trade with its fills. */
export type Trade = EventOf<'Traded'> &
  Readonly<{ takerFills: readonly FillPart[]; makerFills: readonly FillPart[] }>

/** An outcome as read by the history thread. The object is reused for the next outcome. */
export class FedOutcome {
  seq = 0
  atMs = 0
  kind: Entry['kind'] = 'command'
  /** Id of a snapshot or a revert. */
  id = ''
  /** Range of its events in `rows`. */
  first = 0
  end = 0
  /** The last trade that was read, and its index. */
  private trade: Trade | null = null
  private tradeAt = -1
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
    this.first = this.end
    this.end = heads[at + head.end]!
    this.textBase = heads[at + head.texts]!
    this.actionBase = heads[at + head.action]!
    this.id = this.kind === 'command' ? '' : texts[this.textBase]!
  }

  /** Returns `null` if the outcome is not an operator's action. */
  operatorAction(): OperatorAction | null {
    const first = this.actionBase - 1
    if (first < 0) return null
    const texts = this.chunk.texts.slice(first, first + actionTexts)
    const [who, why, what, command, rejection] = texts as ActionTexts
    return { who, why, what, command, rejection: rejection === '' ? null : rejection }
  }

  /** A text field contains 1 + the index of the text; 0 means null. */
  readonly text = (field: number): string | null =>
    field === 0 ? null : this.chunk.texts[this.textBase + field - 1]!

  event<T extends EventType>(_type: T, at: number): EventOf<T> {
    return eventAt(this.rows, at, this.text) as unknown as EventOf<T>
  }

  /** Cached, because several tables read the trade. */
  traded(at: number): Trade {
    if (this.tradeAt !== at || this.trade === null) {
      const event = this.event('Traded', at)
      const fills = { takerFills: takerFillsOf(event), makerFills: makerFillsOf(event) }
      this.trade = { ...event, ...fills }
      this.tradeAt = at
    }
    return this.trade
  }
}

export class ChunkWriter {
  private outcomes = 0
  private heads = sharedNumbers(headWidth * 16)
  private rows = sharedNumbers(lineWidth * 128)
  private end = 0
  private texts: string[] = []
  private spare: Chunk | null = null

  /** Copies an outcome. `textBase`: index of the first text of its log, as returned by
   *  `addTexts`. */
  add(outcome: Outcome, textBase: number): void {
    const { seq, atMs, record = TEXT, log, first, end } = outcome
    const written = this.end + end - first
    if (written > this.rows.length) this.rows = grownShared(this.rows, written)
    this.rows.set(log.rows.subarray(first, end), this.end)
    this.end = written
    const at = this.outcomes * headWidth
    if (at + headWidth > this.heads.length) this.heads = grownShared(this.heads, at + headWidth)
    const { heads } = this
    heads[at + head.seq] = seq
    heads[at + head.atMs] = atMs
    heads[at + head.kind] = kinds.indexOf(kindOf(outcome))
    heads[at + head.end] = written
    this.outcomes += 1
    if (record === TEXT) return this.addEntry(outcome, at, textBase)
    heads[at + head.texts] = textBase
    heads[at + head.action] = 0
  }

  /** Entries stored as text have additional fields. */
  private addEntry(outcome: Outcome, at: number, textBase: number): void {
    const { heads } = this
    const { entry } = outcome
    heads[at + head.texts] = entry.kind === 'command' ? textBase : this.addTexts([entry.id])
    const action = operatorActionOf(outcome)
    heads[at + head.action] = action === null ? 0 : 1 + this.addTexts(textsOf(action))
  }

  addTexts(texts: readonly string[]): number {
    const base = this.texts.length
    for (const text of texts) this.texts.push(text)
    return base
  }

  /** Number of lines written so far. */
  get lines(): number {
    return this.end / lineWidth
  }

  isEmpty(): boolean {
    return this.outcomes === 0
  }

  /** Returns the written outcomes. The writer continues with new arrays, because another thread
   *  reads the returned ones. */
  take(): Chunk {
    const { heads, rows, outcomes, lines, texts, spare } = this
    this.heads = spare?.heads ?? sharedNumbers(headWidth * 16)
    this.rows = spare?.rows ?? sharedNumbers(lineWidth * 128)
    this.spare = null
    this.texts = []
    this.outcomes = 0
    this.end = 0
    return { heads, rows, outcomes, lines, texts }
  }

  /** Reuses the arrays of a chunk that the other thread has read. */
  giveBack(chunk: Chunk): void {
    this.spare = chunk
  }
}

/** Prices are not recorded as actions, because they arrive continuously, from operators too. */
function operatorActionOf(outcome: Outcome): OperatorAction | null {
  const { entry } = outcome
  if (entry.by === null) return null
  const rejection = refusalOf(outcome)?.rejection ?? null
  if (entry.kind !== 'command')
    return { ...entry.by, what: entry.kind, command: JSON.stringify({ id: entry.id }), rejection }
  const { command } = entry
  if (command.type === 'OracleTick' || command.type === 'Tick') return null
  return { ...entry.by, what: command.type, command: JSON.stringify(command), rejection }
}

function textsOf({ who, why, what, command, rejection }: OperatorAction): ActionTexts {
  return [who, why, what, command, rejection ?? '']
}
