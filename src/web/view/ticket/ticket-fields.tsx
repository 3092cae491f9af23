// The fields of the ticket.

import type { ComponentChildren } from 'preact'
import { tifs, timesInForce } from '../../../protocol/words.ts'
import { isNumber } from '../../model/number-entry.ts'
import { amountText, fixed, NONE, signedPercent } from '../../model/number-text.ts'
import { canEnd } from '../../model/ticket/expiry.ts'
import {
  type Draft,
  type OrderKind,
  type TicketTif,
  valuePrice,
} from '../../model/ticket/order-draft.ts'
import type { TicketField } from '../../model/ticket/refusal-field.ts'
import { SwapIcon } from '../parts/icons.tsx'
import { ReadAs } from '../parts/number-input.tsx'
import { useTerminal } from '../use-terminal.ts'
import { EndingChoice } from './order-options.tsx'
import { Refusal } from './refusal.tsx'

type NumberFieldProps = Readonly<{
  field: TicketField
  name: keyof Draft
  label: string
  unit: ComponentChildren
  hint?: ComponentChildren
}>

export function NumberField({ field, name, label, unit, hint }: NumberFieldProps) {
  const { ticket } = useTerminal()
  const id = `ticket-${name}`
  const wrong = ticket.refusal.value?.field === field
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{label}</label>
        {hint}
      </div>
      <div class="with-unit">
        <input
          id={id}
          class="input"
          inputMode="decimal"
          autocomplete="off"
          spellcheck={false}
          value={String(ticket.draft.value[name])}
          aria-invalid={wrong}
          aria-describedby={wrong ? `refusal-${field}` : undefined}
          onInput={({ currentTarget }) => ticket.change({ [name]: currentTarget.value })}
        />
        {typeof unit === 'string' ? <span class="unit">{unit}</span> : unit}
      </div>
      <ReadAs typed={String(ticket.draft.value[name])} meant={String(ticket.meant.value[name])} />
      <Refusal field={field} />
    </div>
  )
}

export function PriceFields() {
  const { ticket } = useTerminal()
  const { kind, stopLimit, trails } = ticket.draft.value
  return (
    <>
      {kind === 'stop' && (trails ? <TrailFields /> : <TriggerField />)}
      {(kind === 'limit' || (kind === 'stop' && stopLimit && !trails)) && (
        <NumberField field="price" name="price" label="Price" unit="USD" hint={<BestPrices />} />
      )}
      {(kind === 'market' || kind === 'twap') && (
        <NumberField field="slippage" name="slippage" label="Worst price, from mark" unit="%" />
      )}
      {kind === 'twap' && (
        <NumberField field="duration" name="minutes" label="Worked off over" unit="min" />
      )}
    </>
  )
}

function TriggerField() {
  return <NumberField field="stop" name="stop" label="Trigger at mark" unit="USD" />
}

/** Where it would fire if it were set now, or from where on it follows. */
function TrailFields() {
  const { ticket, markets } = useTerminal()
  const { side, trail, activation } = ticket.meant.value
  const from = Number(activation) || markets.mark.value
  const away = (Number(trail) / 100) * (side === 'ask' ? -1 : 1)
  const { tickPlaces } = markets.grid.value
  const fires = isNumber(trail) && from > 0 ? fixed(from * (1 + away), tickPlaces) : NONE
  const best = side === 'ask' ? 'high' : 'low'
  return (
    <div class="two">
      <NumberField
        field="stop"
        name="trail"
        label={`Behind the ${best}`}
        unit="%"
        hint={<span title="Where it fires at first">{fires}</span>}
      />
      <NumberField field="form" name="activation" label="From, optional" unit="USD" />
    </div>
  )
}

function BestPrices() {
  const { ticket, live, markets } = useTerminal()
  const pick = (side: 'bid' | 'ask' | 'mid') => {
    const price = live.best(side, markets.grid.peek().tick)
    if (price !== null) ticket.change({ price })
  }
  return (
    <span>
      {(['bid', 'mid', 'ask'] as const).map((side) => (
        <button
          key={side}
          type="button"
          class="link"
          style={{ marginLeft: '8px' }}
          onClick={() => pick(side)}
        >
          {side}
        </button>
      ))}
    </span>
  )
}

export function SizeField() {
  const { ticket, markets } = useTerminal()
  const { sizeUnit } = ticket.draft.value
  const base = markets.market.value?.base_asset ?? ''
  const unit = (
    <button
      type="button"
      class="unit"
      aria-label={`Size in ${sizeUnit === 'base' ? base : 'USD'}, switch`}
      onClick={() => ticket.switchUnit()}
    >
      {sizeUnit === 'base' ? base : 'USD'} <SwapIcon />
    </button>
  )
  const amount = ticket.amount.value
  const most = ticket.most.value
  const other =
    sizeUnit === 'usd' && isNumber(amount)
      ? `${amount} ${base}`
      : `max ${most === null ? NONE : amountText(most)} ${base}`
  return (
    <>
      <NumberField
        field="amount"
        name="size"
        label="Size"
        unit={unit}
        hint={ticket.draft.value.reduceOnly ? <PositionOffer /> : <span>{other}</span>}
      />
      <Share />
    </>
  )
}

/** What a reduce-only order can shrink, one click away; also when the side is the wrong one. */
function PositionOffer() {
  const { account, markets, ticket } = useTerminal()
  const position = account.position(markets.symbol.value)
  if (position === undefined) return <span>no position</span>
  const word = position.d === 'bid' ? 'long' : 'short'
  return (
    <button type="button" class="link" onClick={() => ticket.closePosition(position)}>
      all of the {word}: {amountText(position.a)}
    </button>
  )
}

function Share() {
  const { ticket } = useTerminal()
  const known = ticket.most.value
  const most = Number(known)
  const amount = Number(ticket.amount.value)
  const share =
    most > 0 && Number.isFinite(amount) ? Math.min(100, Math.round((amount / most) * 100)) : 0
  const reduces = ticket.draft.value.reduceOnly
  return (
    <div class="percents">
      <input
        type="range"
        min="0"
        max="100"
        step="1"
        value={share}
        disabled={known === null}
        aria-label={`Percentage of ${reduces ? 'the position' : 'what margin allows'}`}
        onInput={({ currentTarget }) => ticket.setShare(Number(currentTarget.value))}
      />
      <span class="num dim" style={{ width: '38px' }}>
        {known === null ? NONE : `${fixed(share, 0)}%`}
      </span>
    </div>
  )
}

type CheckProps = Readonly<{ label: string; name: keyof Draft; disabled?: boolean }>

function Check({ label, name, disabled = false }: CheckProps) {
  const { ticket } = useTerminal()
  return (
    <label class="check">
      <input
        type="checkbox"
        disabled={disabled}
        checked={ticket.draft.value[name] === true}
        onChange={({ currentTarget }) => ticket.change({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  )
}

const ticketTifs = tifs.filter((tif): tif is TicketTif => tif !== 'ALO')

export function Options() {
  const { ticket } = useTerminal()
  const { kind, tif, postOnly, trails } = ticket.draft.value
  return (
    <div class="checks">
      <Check label="Reduce only" name="reduceOnly" />
      {kind === 'limit' && <Check label="Post only" name="postOnly" />}
      {kind === 'stop' && <Check label="Trailing" name="trails" />}
      {kind === 'stop' && !trails && <Check label="Limit order" name="stopLimit" />}
      {takesLevels(kind) && <Check label="TP / SL" name="withLevels" />}
      {kind === 'limit' && (
        <select
          class="select"
          aria-label="Time in force"
          disabled={postOnly}
          value={tif}
          onChange={({ currentTarget }) => ticket.change({ tif: currentTarget.value as TicketTif })}
        >
          {ticketTifs.map((word) => (
            <option key={word} value={word}>
              {`${word} · ${timesInForce[word].label}`}
            </option>
          ))}
        </select>
      )}
      {canEnd(ticket.draft.value) && <EndingChoice />}
    </div>
  )
}

const takesLevels = (kind: OrderKind) => kind === 'limit' || kind === 'market'

export function Levels() {
  const { ticket } = useTerminal()
  const { kind, withLevels } = ticket.draft.value
  if (!withLevels || !takesLevels(kind)) return null
  return (
    <div class="two">
      <NumberField
        field="take_profit"
        name="takeProfit"
        label="Take profit"
        unit="USD"
        hint={<FromEntry level={ticket.meant.value.takeProfit} />}
      />
      <NumberField
        field="stop_loss"
        name="stopLoss"
        label="Stop loss"
        unit="USD"
        hint={<FromEntry level={ticket.meant.value.stopLoss} />}
      />
    </div>
  )
}

/** How far a level is from where the order gets in: its price, or the mark of a market order. */
function FromEntry({ level }: { level: string }) {
  const { ticket, markets } = useTerminal()
  const entry = valuePrice(ticket.meant.value, markets.mark.value)
  if (!isNumber(level) || !(entry > 0)) return null
  const away = Number(level) / entry - 1
  const gains = away * (ticket.meant.value.side === 'bid' ? 1 : -1) >= 0
  const from = ticket.meant.value.kind === 'market' ? 'the mark' : 'the price'
  return (
    <span class={gains ? 'up' : 'down'} title={`From ${from}`}>
      {signedPercent(away)}
    </span>
  )
}
