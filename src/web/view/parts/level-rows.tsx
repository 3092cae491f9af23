// Rows of take-profits or stop-losses. Each row has price and share, with the closed size and the
// profit or loss below.

import {
  type Entered,
  figuresOf,
  isFilled,
  type LevelKind,
  type LevelRow,
  type RowFigures,
  type RowMeaning,
  rowMeanings,
  rowsProblem,
  uncovered,
  withoutRow,
  withRow,
} from '../../model/levels/level-rows.ts'
import { maySlip } from '../../model/levels/level-slippage.ts'
import { anyPlaces, cleaned } from '../../model/number-entry.ts'
import { amountText, fixed, signedPercent, signedUsd, toneOf } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'
import { CloseIcon } from './icons.tsx'
import { ReadAs } from './number-input.tsx'

export type RowRefusal = Readonly<{ row: number; message: string; accepted: string | null }>

type LevelRowsProps = Readonly<{
  /** Where the rows are shown, because both may be on the page. */
  of: 'ticket' | 'position'
  kind: LevelKind
  /** Id of the first field; the others have a number appended. */
  label: string
  rows: readonly LevelRow[]
  entered: Entered
  symbol: string
  refusal: RowRefusal | null
  /** Warning that is shown before the levels are sent. */
  warning?: string
  onChange: (rows: readonly LevelRow[]) => void
  first?: boolean
}>

const meanings: Readonly<Record<LevelKind, readonly RowMeaning[]>> = {
  take_profit: ['price', 'percent'],
  stop_loss: ['price', 'percent', 'trail', 'distance'],
}

const names: Readonly<Record<LevelKind, string>> = {
  take_profit: 'take profit',
  stop_loss: 'stop loss',
}

export function LevelRows(props: LevelRowsProps) {
  const { kind, rows, entered, symbol, onChange } = props
  const { markets } = useTerminal()
  const grid = markets.gridOf(symbol)
  const figures = figuresOf(rows, kind, entered, grid)
  const most = markets.limits.value.levels_per_kind
  const left = entered.open === true ? uncovered(rows, kind, entered, grid) : ''
  const warning = props.warning ?? left
  // In the ticket, the ticket itself shows problems of its fields.
  const typed = props.of === 'ticket' ? null : rowsProblem(rows, kind, entered.amount, grid)
  const refusal = props.refusal ?? (typed === null ? null : { ...typed, accepted: null })
  return (
    <fieldset class="levels" aria-label={kind === 'take_profit' ? 'Take profits' : 'Stop losses'}>
      {rows.map((_, at) => (
        // Rows are identified by their index.
        <Row key={at} {...props} refusal={refusal} at={at} figures={figures[at] ?? null} />
      ))}
      {warning !== '' && (
        <p
          class={`level-warning ${left === '' || kind === 'stop_loss' ? 'warn' : 'dim'}`}
          role="note"
        >
          {warning}
        </p>
      )}
      {rows.length < most && (
        <button type="button" class="link small" onClick={() => onChange(withRow(rows))}>
          Add a {names[kind]}
        </button>
      )}
    </fieldset>
  )
}

type RowProps = LevelRowsProps & Readonly<{ at: number; figures: RowFigures | null }>

function Row(props: RowProps) {
  const { kind, label, rows, at, symbol, refusal, onChange, first = false, figures } = props
  const row = rows[at]!
  const { tickPlaces } = useTerminal().markets.gridOf(symbol)
  const name = at === 0 ? label : `${label} ${at + 1}`
  const id = `${props.of}-${kind}-${at + 1}`
  const refusalId = props.of === 'ticket' ? `refusal-${kind}` : `position-refusal-${kind}`
  const wrong = refusal?.row === at
  const change = (part: Partial<LevelRow>) => onChange(rows.with(at, { ...row, ...part }))
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{name}</label>
        {figures !== null && <Away figures={figures} side={props.entered.side} />}
      </div>
      <div class="level-row">
        <div class="with-unit">
          <input
            id={id}
            class="input"
            inputMode="decimal"
            autocomplete="off"
            data-first={first && at === 0 ? '' : undefined}
            value={row.text}
            aria-invalid={wrong}
            aria-describedby={wrong ? refusalId : undefined}
            onInput={({ currentTarget }) => change({ text: currentTarget.value })}
          />
          <Meaning {...props} change={change} />
        </div>
        <Share {...props} change={change} />
        {rows.length > 1 && (
          <button
            type="button"
            class="button small"
            aria-label={`Remove ${names[kind]} ${at + 1}`}
            onClick={() => onChange(withoutRow(rows, at))}
          >
            <CloseIcon />
          </button>
        )}
      </div>
      <ReadAs
        typed={row.text}
        meant={cleaned(row.text, row.by === 'price' ? tickPlaces : anyPlaces)}
      />
      {figures !== null && <Closes figures={figures} row={row} symbol={symbol} />}
      {props.of === 'position' && isFilled(row) && maySlip(row) && (
        <Slippage {...props} change={change} />
      )}
      {wrong && (
        <p class="refusal" id={refusalId} role="alert">
          {refusal.message}
          {refusal.accepted !== null && (
            <button
              type="button"
              class="link"
              onClick={() => change({ text: refusal.accepted ?? '', by: 'price' })}
            >
              use {refusal.accepted}
            </button>
          )}
        </p>
      )}
    </div>
  )
}

type Changing = RowProps & Readonly<{ change: (part: Partial<LevelRow>) => void }>

function Meaning({ kind, rows, at, change }: Changing) {
  return (
    <select
      class="unit"
      aria-label={`How ${names[kind]} ${at + 1} is meant`}
      value={rows[at]!.by}
      onChange={({ currentTarget }) => change({ by: currentTarget.value as RowMeaning, text: '' })}
    >
      {meanings[kind].map((by) => (
        <option key={by} value={by}>
          {rowMeanings[by]}
        </option>
      ))}
    </select>
  )
}

function Share({ kind, rows, at, change }: Changing) {
  return (
    <div class="with-unit share">
      <input
        class="input"
        inputMode="decimal"
        autocomplete="off"
        aria-label={`Share of ${names[kind]} ${at + 1}`}
        value={rows[at]!.share}
        onInput={({ currentTarget }) => change({ share: currentTarget.value })}
      />
      <span class="unit">%</span>
    </div>
  )
}

/** Slippage of a level's market order. A level of an order cannot have one. */
function Slippage({ kind, rows, at, symbol, change }: Changing) {
  const usual = useTerminal().markets.risk.value.get(symbol)?.stop_slippage_percent
  const id = `slippage-${kind}-${at + 1}`
  return (
    <div class="level-row level-slippage">
      <label for={id}>
        Max slippage
        <span class="hidden-text">
          {' '}
          of {names[kind]} {at + 1}
        </span>
      </label>
      {usual !== undefined && <span>optional, {usual} %</span>}
      <div class="with-unit share">
        <input
          id={id}
          class="input"
          inputMode="decimal"
          autocomplete="off"
          value={rows[at]!.slippage ?? ''}
          onInput={({ currentTarget }) => change({ slippage: currentTarget.value })}
        />
        <span class="unit">%</span>
      </div>
    </div>
  )
}

/** Distance from the entry price. */
function Away({ figures: { away }, side }: Readonly<{ figures: RowFigures; side: string }>) {
  const gains = away * (side === 'bid' ? 1 : -1) >= 0
  return <span class={gains ? 'up' : 'down'}>{signedPercent(away)}</span>
}

type ClosesProps = Readonly<{ figures: RowFigures; row: LevelRow; symbol: string }>

function Closes({ figures: { amount, price, gain, whole }, row, symbol }: ClosesProps) {
  const { markets } = useTerminal()
  const base = markets.list.value.find((each) => each.symbol === symbol)?.base_asset ?? ''
  const at = fixed(price, markets.gridOf(symbol).tickPlaces)
  const where = row.by === 'price' ? '' : row.by === 'percent' ? ` at ${at}` : `, now at ${at}`
  return (
    <p class="level-note">
      <span>
        closes {whole && 'the whole position, '}
        {amountText(amount)} {base}
        {where}
      </span>
      <span class={toneOf(gain)}>{signedUsd(gain)} USD</span>
    </p>
  )
}
