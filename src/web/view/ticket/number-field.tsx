// A number field of the ticket, with its parsed value and its problem below.

import type { ComponentChildren } from 'preact'
import type { Draft } from '../../model/ticket/order-draft.ts'
import type { TicketField } from '../../model/ticket/refusal-field.ts'
import { ReadAs } from '../parts/number-input.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Refusal } from './refusal.tsx'

type NumberFieldProps = Readonly<{
  field: TicketField
  name: keyof Draft
  label: string
  unit: ComponentChildren
  hint?: ComponentChildren
  /** Whether the problem is shown elsewhere, because half a column is too narrow. */
  narrow?: boolean
}>

export function NumberField({ field, name, label, unit, hint, narrow }: NumberFieldProps) {
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
      {narrow !== true && <Refusal field={field} />}
    </div>
  )
}
