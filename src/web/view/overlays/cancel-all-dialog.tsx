// Shows what cancelling all would cancel and keep.

import { useSignal } from '@preact/signals'
import { cancelPlan } from '../../model/pending/cancel-plan.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Feet } from './confirm-dialogs.tsx'

export function CancelAllDialog() {
  const terminal = useTerminal()
  const { account } = terminal
  const sparing = useSignal(false)
  const work = {
    orders: account.orders.value,
    algos: account.algos.value,
    twaps: account.twaps.value,
  }
  const { ends, leaves } = cancelPlan(work, sparing.value)
  const open = account.positions.value.length
  const positions = open === 1 ? '1 open position stays' : `${open} open positions stay`
  const bare = sparing.value ? '' : ', without protection'
  const close = () => terminal.close()
  const go = () => {
    close()
    void terminal.trading.cancelAll(sparing.peek())
  }
  return (
    <Dialog
      title="Cancel all orders"
      onClose={close}
      foot={<Feet label="Cancel all orders" onGo={go} onBack={close} />}
    >
      <p>Ends {ends}, on all markets.</p>
      <p>
        Leaves {leaves || 'no order, stop or TWAP'}.{open > 0 && ` ${positions}${bare}.`}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={sparing.value}
          onChange={({ currentTarget }) => {
            sparing.value = currentTarget.checked
          }}
        />
        Keep reduce-only orders: TP/SL levels, reduce-only orders, stops and TWAPs
      </label>
    </Dialog>
  )
}
