// What few orders need: when one ends by itself, and which of two own orders gives way.

import type { SelfTradeMode } from '../../../protocol/words.ts'
import { zoneText } from '../../model/number-text.ts'
import { canEnd, type Ending, endings } from '../../model/ticket/expiry.ts'
import { useTerminal } from '../use-terminal.ts'
import { Refusal } from './refusal.tsx'

export function EndingChoice() {
  const { ticket } = useTerminal()
  return (
    <select
      class="select"
      aria-label="When it ends"
      value={ticket.draft.value.ends}
      onChange={({ currentTarget }) => ticket.change({ ends: currentTarget.value as Ending })}
    >
      {endings.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** The moment, on the clock of whoever types it. */
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
          Where it meets an order of yours
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
