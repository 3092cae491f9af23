// Cancels one row of a table, and says what ends with it.

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
      // The row goes and the next one slides under the pointer: the second click of a double click
      // is not meant for that.
      onClick={({ detail }) => {
        if (detail < 2) cancel()
      }}
    >
      {button}
    </button>
  )
}
