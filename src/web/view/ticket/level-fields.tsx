// Take-profits and stop-losses that an order brings along.

import { isNumber } from '../../model/number-entry.ts'
import { signedPercent } from '../../model/number-text.ts'
import { valuePrice } from '../../model/ticket/order-draft.ts'
import { orderKinds } from '../../model/ticket/order-kinds.ts'
import { useTerminal } from '../use-terminal.ts'
import { NumberField } from './number-field.tsx'

export function Levels() {
  const { ticket } = useTerminal()
  const { kind, withLevels } = ticket.draft.value
  if (!withLevels || !orderKinds[kind].levels) return null
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
