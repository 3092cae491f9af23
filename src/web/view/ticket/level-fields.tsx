// Take-profits and stop-losses that an order brings along, measured from its price, or from the
// mark where it has none.

import type { LevelKind } from '../../model/levels/level-rows.ts'
import { enteredBy } from '../../model/ticket/order-draft.ts'
import { orderKinds } from '../../model/ticket/order-kinds.ts'
import { LevelRows } from '../parts/level-rows.tsx'
import { useTerminal } from '../use-terminal.ts'

export function Levels() {
  const { ticket } = useTerminal()
  const { kind, withLevels } = ticket.draft.value
  if (!withLevels || !orderKinds[kind].levels) return null
  return (
    <>
      <LevelsOf kind="take_profit" label="Take profit" />
      <LevelsOf kind="stop_loss" label="Stop loss" />
    </>
  )
}

function LevelsOf({ kind, label }: Readonly<{ kind: LevelKind; label: string }>) {
  const { ticket, markets } = useTerminal()
  const name = kind === 'take_profit' ? 'takeProfits' : 'stopLosses'
  const refusal = ticket.refusal.value
  const { row = 0 } = refusal ?? {}
  return (
    <LevelRows
      of="ticket"
      kind={kind}
      label={label}
      rows={ticket.draft.value[name]}
      entered={enteredBy(ticket.meant.value, ticket.amount.value, markets.mark.value)}
      symbol={markets.symbol.value}
      refusal={refusal?.field === kind ? { ...refusal, row } : null}
      onChange={(rows) => ticket.change({ [name]: rows })}
    />
  )
}
