// Changes the price of an order, stop or level, and the size of an order.

import { useSignal } from '@preact/signals'
import type { ChartLine } from '../../model/account/chart-lines.ts'
import { editOrder, lostByMoving, moveLine } from '../../model/account/move-line.ts'
import { less } from '../../model/market/market-grid.ts'
import { Dialog } from '../parts/dialog.tsx'
import { NumberInput, useRefusal } from '../parts/number-input.tsx'
import { useTerminal } from '../use-terminal.ts'

export function EditDialog({ line }: { line: ChartLine }) {
  const terminal = useTerminal()
  const order = line.order!
  const { tickPlaces, lotPlaces, lot } = terminal.markets.gridOf(order.s)
  const left = less(order.a, order.f, lot)
  const price = useSignal(line.price)
  const size = useSignal(left)
  const ofPrice = useRefusal()
  const ofSize = useRefusal()
  const hasSize = line.kind === 'order'
  const save = async () => {
    const at = ofPrice.read(price.peek(), tickPlaces)
    const amount = hasSize ? ofSize.read(size.peek(), lotPlaces) : left
    if (at === null || amount === null) return
    const done = hasSize
      ? await editOrder(terminal, order, { price: at, amount }, ofSize.refused)
      : await moveLine(terminal, line, at)
    if (done) terminal.close()
  }
  const lost = lostByMoving(line, terminal.account.orders.value)
  return (
    <Dialog
      title={`Edit ${line.label} ${order.s}`}
      onClose={() => terminal.close()}
      action={{ label: 'Save', go: save }}
    >
      <NumberInput
        id="edit-price"
        label={hasSize ? 'Price' : 'Trigger price'}
        value={price}
        places={tickPlaces}
        first
        refusal={ofPrice.refusal.value}
      />
      {hasSize && (
        <NumberInput
          id="edit-size"
          label="Remaining size"
          value={size}
          places={lotPlaces}
          refusal={ofSize.refusal.value}
        />
      )}
      {lost !== '' && <p class="dim">{lost}</p>}
    </Dialog>
  )
}
