import type { Signal } from '@preact/signals'

type AmountProps = Readonly<{ id: string; label: string; amount: Signal<string>; first?: boolean }>

/** An amount in a dialog. */
export function AmountInput({ id, label, amount, first = false }: AmountProps) {
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input num"
        inputMode="decimal"
        autocomplete="off"
        data-first={first ? '' : undefined}
        value={amount.value}
        onInput={({ currentTarget }) => {
          amount.value = currentTarget.value
        }}
      />
    </div>
  )
}
