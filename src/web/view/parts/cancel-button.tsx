// Cancels a row of a table, and shows what is cancelled with it.

import { cancelEffect } from '../../model/pending/cancel-effect.ts'
import { useTerminal } from '../use-terminal.ts'

type CancelProps = Readonly<{ id: number; label: string; cancel: () => void }>

export function CancelButton({ id, label, cancel }: CancelProps) {
  const { account } = useTerminal()
  const { button, also } = cancelEffect(id, {
    orders: account.orders.value,
    algos: account.algos.value,
  })
  return (
    <button
      type="button"
      class="button small danger"
      aria-label={also === '' ? label : `${label}. ${also}`}
      title={also}
      // The row disappears and the next row moves under the pointer, which the second click of a
      // double click must not cancel.
      onClick={({ detail }) => {
        if (detail < 2) cancel()
      }}
    >
      {button}
    </button>
  )
}
