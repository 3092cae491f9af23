// Options of an order in addition to price and size: checkboxes, time in force, expiry, and
// self-trade prevention.

import { type SelfTradeMode, tifs, timesInForce } from '../../../protocol/words.ts'
import { zoneText } from '../../model/number-text.ts'
import { canEnd, type Ending, endingOf, endingsOf } from '../../model/ticket/expiry.ts'
import {
  type Draft,
  isTriggered,
  type TicketTif,
  type TriggerBy,
} from '../../model/ticket/order-draft.ts'
import { orderKinds } from '../../model/ticket/order-kinds.ts'
import { useTerminal } from '../use-terminal.ts'
import { Refusal } from './refusal.tsx'

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
  const draft = ticket.draft.value
  const { kind, tif, postOnly, trails, pair } = draft
  return (
    <div class="checks">
      <Check label="Reduce only" name="reduceOnly" />
      {(kind === 'limit' || kind === 'scale') && <Check label="Post only" name="postOnly" />}
      {(kind === 'stop' || (kind === 'oco' && pair === 'rests')) && (
        <Check label="Trailing" name="trails" />
      )}
      {kind === 'stop' && !trails && <Check label="Limit order" name="stopLimit" />}
      {orderKinds[kind].levels && <Check label="TP / SL" name="withLevels" />}
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
      {isTriggered(draft) && <TriggerChoice />}
      {canEnd(draft) && <EndingChoice />}
    </div>
  )
}

const triggerLabels = { mark: 'mark price', last: 'last trade', mid: 'mid price' } as const

/** The price that triggers a stop. */
function TriggerChoice() {
  const { ticket } = useTerminal()
  return (
    <select
      class="select"
      aria-label="Trigger price"
      value={ticket.draft.value.triggerBy}
      onChange={({ currentTarget }) =>
        ticket.change({ triggerBy: currentTarget.value as TriggerBy })
      }
    >
      {Object.entries(triggerLabels).map(([by, label]) => (
        <option key={by} value={by}>
          Trigger by {label}
        </option>
      ))}
    </select>
  )
}

function EndingChoice() {
  const { ticket } = useTerminal()
  return (
    <select
      class="select"
      aria-label="When it ends"
      value={endingOf(ticket.draft.value)}
      onChange={({ currentTarget }) => ticket.change({ ends: currentTarget.value as Ending })}
    >
      {endingsOf(ticket.draft.value.kind).map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** Input for the moment of expiry, in the user's time zone. */
export function EndingField() {
  const { ticket } = useTerminal()
  const draft = ticket.draft.value
  if (draft.ends !== 'at' || !canEnd(draft)) return null
  const wrong = ticket.refusal.value?.field === 'expiry'
  return (
    <div class="field">
      <div class="field-label">
        <label for="ticket-endsAt">Ends at</label>
        <span>your time, {zoneText(Date.now())}</span>
      </div>
      <input
        id="ticket-endsAt"
        class="input"
        type="datetime-local"
        value={draft.endsAt}
        aria-invalid={wrong}
        aria-describedby={wrong ? 'refusal-expiry' : undefined}
        onInput={({ currentTarget }) => ticket.change({ endsAt: currentTarget.value })}
      />
      <Refusal field="expiry" />
    </div>
  )
}

const givingWay: Readonly<Record<SelfTradeMode, string>> = {
  cancel_maker: 'the resting one is cancelled',
  cancel_taker: 'this one is cancelled',
  cancel_both: 'both are cancelled',
}

export function Advanced() {
  const { ticket } = useTerminal()
  const { kind, stp } = ticket.draft.value
  if (kind !== 'limit' && kind !== 'market') return null
  return (
    <details class="advanced">
      <summary>
        Advanced {stp !== 'cancel_maker' && <span class="chip">own orders: {givingWay[stp]}</span>}
      </summary>
      <div class="field">
        <label class="field-label" for="ticket-stp">
          Self-trade prevention
        </label>
        <select
          id="ticket-stp"
          class="select"
          value={stp}
          onChange={({ currentTarget }) =>
            ticket.change({ stp: currentTarget.value as SelfTradeMode })
          }
        >
          {Object.entries(givingWay).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </details>
  )
}
