// A refusal is shown under its field, with a button for the accepted value.

import type { TicketField } from '../../model/ticket/refusal-field.ts'
import { useTerminal } from '../use-terminal.ts'

export function Refusal({ field }: { field: TicketField }) {
  const { ticket } = useTerminal()
  const refusal = ticket.refusal.value
  if (refusal === null || refusal.field !== field) return null
  return (
    <p class="refusal" id={`refusal-${field}`} role="alert">
      {refusal.message}
      {refusal.accepted !== null && (
        <button type="button" class="link" onClick={() => ticket.accept(refusal)}>
          use {refusal.accepted}
        </button>
      )}
    </p>
  )
}
