import { useSignal } from '@preact/signals'
import { usd } from '../../model/number-text.ts'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { centPlaces, NumberInput, useRefusal } from '../parts/number-input.tsx'
import { useTerminal } from '../use-terminal.ts'

export function WithdrawDialog() {
  const terminal = useTerminal()
  const numbers = terminal.account.numbers.value
  const amount = useSignal('')
  const { refusal, refused, read } = useRefusal()
  const send = async () => {
    const entered = read(amount.peek(), centPlaces)
    if (entered !== null && (await terminal.trading.withdraw(entered, refused))) terminal.close()
  }
  return (
    <Dialog
      title="Withdraw"
      onClose={() => terminal.close()}
      action={{ label: 'Request', go: send }}
    >
      <Numbers
        rows={[
          ['Withdrawable', `${usd(numbers?.aw)} USD`],
          ['Pending withdrawals', `${usd(numbers?.pb)} USD`],
        ]}
      />
      <NumberInput
        id="withdraw-amount"
        label="USD"
        value={amount}
        places={centPlaces}
        refusal={refusal.value}
        first
      />
      <p class="dim">
        The operator of this exchange pays it out; until then it is pending and cannot be traded
        with. An agent cannot request it: the account's own key signs.
      </p>
    </Dialog>
  )
}
