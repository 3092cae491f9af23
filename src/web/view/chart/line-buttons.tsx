// Buttons in the label of a line: edit and cancel an order, close a position, remove an alert.

import type { ChartLine } from '../../model/account/chart-lines.ts'
import { CloseIcon, EditIcon } from '../parts/icons.tsx'
import { useTerminal } from '../use-terminal.ts'

export function LineButtons({ line }: { line: ChartLine }) {
  const terminal = useTerminal()
  const { order, position, alert, kind } = line
  const remove = () => {
    if (alert !== undefined) terminal.alerts.remove(alert.id)
    else if (order !== null) void terminal.trading.cancel(order)
    else if (position !== null) terminal.open({ show: 'closing', position })
  }
  const isRemovable = alert !== undefined || order !== null || kind === 'entry'
  const verb = alert !== undefined ? 'Remove' : order !== null ? 'Cancel' : 'Close'
  // A drag must not start on a button.
  const still = (event: PointerEvent) => event.stopPropagation()
  return (
    <>
      {order !== null && line.drags && (
        <button
          type="button"
          aria-label={`Edit ${line.label}`}
          onPointerDown={still}
          onClick={() => terminal.open({ show: 'edit', line })}
        >
          <EditIcon />
        </button>
      )}
      {isRemovable && (
        <button
          type="button"
          aria-label={`${verb} ${line.label}`}
          onPointerDown={still}
          onClick={remove}
        >
          <CloseIcon />
        </button>
      )}
    </>
  )
}
