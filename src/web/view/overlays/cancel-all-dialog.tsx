// Shows what cancelling all would cancel and keep, on all markets or one, of both sides or one.

import { useSignal } from '@preact/signals'
import { type CancelScope, cancelPlan } from '../../model/pending/cancel-plan.ts'
import { cancelScope, scopeText } from '../../model/pending/cancel-scope.ts'
import { Segments } from '../parts/choice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Feet } from './confirm-dialogs.tsx'

const sides = [
  { value: 'both', label: 'Both sides' },
  { value: 'bid', label: 'Buys' },
  { value: 'ask', label: 'Sells' },
] as const

type ScopeProps = Readonly<{
  scope: CancelScope
  symbols: ReadonlySet<string>
  onChange: (part: Partial<CancelScope>) => void
}>

function ScopeChoice({ scope, symbols, onChange }: ScopeProps) {
  return (
    <div class="two">
      <select
        class="select"
        aria-label="Market"
        value={scope.symbol ?? ''}
        onChange={({ currentTarget }) => onChange({ symbol: currentTarget.value || null })}
      >
        <option value="">All markets</option>
        {[...symbols].toSorted().map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <Segments
        label="Side"
        value={scope.side ?? 'both'}
        options={sides}
        onChange={(next) => onChange({ side: next === 'both' ? null : next })}
      />
    </div>
  )
}

export function CancelAllDialog() {
  const terminal = useTerminal()
  const { account } = terminal
  const scope = useSignal<CancelScope>({ symbol: null, side: null, sparing: false })
  const change = (part: Partial<CancelScope>) => {
    scope.value = { ...scope.peek(), ...part }
  }
  const work = {
    orders: account.orders.value,
    algos: account.algos.value,
    twaps: account.twaps.value,
  }
  const { symbol, side, sparing } = scope.value
  const symbols = new Set([
    ...work.orders.map(({ s }) => s),
    ...[...work.algos, ...work.twaps].map((each) => each.symbol),
  ])
  const { ends, leaves } = cancelPlan(work, scope.value)
  const open = account.positions.value.length
  const positions = open === 1 ? '1 open position stays' : `${open} open positions stay`
  const bare = leaves === '' ? ', without protection' : ''
  const close = () => terminal.close()
  const isAll = symbol === null && side === null
  const go = () => {
    close()
    void cancelScope(terminal, scope.peek())
  }
  return (
    <Dialog
      title="Cancel all orders"
      onClose={close}
      foot={
        <Feet
          label={isAll ? 'Cancel all orders' : 'Cancel these orders'}
          onGo={go}
          onBack={close}
        />
      }
    >
      <ScopeChoice scope={scope.value} symbols={symbols} onChange={change} />
      <p>
        Ends {ends}, {scopeText(scope.value)}.
      </p>
      <p>
        Leaves {leaves || 'no order, stop or TWAP'}.{open > 0 && ` ${positions}${bare}.`}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={sparing}
          onChange={({ currentTarget }) => change({ sparing: currentTarget.checked })}
        />
        Keep reduce-only orders: TP/SL levels, reduce-only orders, stops and TWAPs
      </label>
    </Dialog>
  )
}
