// Take-profits and stop-losses attached to an order. Distances are from its price, or from the mark
// if it has none.

import { levelsOf } from '../../model/account/positions.ts'
import { afterOrder, bracketWarning } from '../../model/levels/bracket.ts'
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
  const { account, ticket, markets } = useTerminal()
  const name = kind === 'take_profit' ? 'takeProfits' : 'stopLosses'
  const refusal = ticket.refusal.value
  const { row = 0 } = refusal ?? {}
  const symbol = markets.symbol.value
  const grid = markets.grid.value
  const position = account.position(symbol)
  const ordered = enteredBy(ticket.meant.value, ticket.amount.value, markets.mark.value)
  const after = position === undefined ? null : afterOrder(ordered, position, grid)
  const present = position === undefined ? [] : levelsOf(position, account.orders.value)[kind]
  const rows = ticket.draft.value[name]
  return (
    <LevelRows
      of="ticket"
      kind={kind}
      label={label}
      rows={rows}
      entered={after === null ? ordered : { ...ordered, after }}
      symbol={symbol}
      warning={bracketWarning({ rows, kind, entered: ordered, position, present, grid })}
      refusal={refusal?.field === kind ? { ...refusal, row } : null}
      onChange={(rows) => ticket.change({ [name]: rows })}
    />
  )
}
