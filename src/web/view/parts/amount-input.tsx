import type { Signal } from '@preact/signals'

type AmountProps = Readonly<{
  id: string
  label: string
  amount: Signal<string>
  first?: boolean
  /** What the exchange has against it. */
  refusal?: string | null
}>

/** An amount in a dialog. */
export function AmountInput({ id, label, amount, first = false, refusal = null }: AmountProps) {
  const wrong = refusal !== null
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
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-refusal` : undefined}
        value={amount.value}
        onInput={({ currentTarget }) => {
          amount.value = currentTarget.value
        }}
      />
      {wrong && (
        <p class="refusal" id={`${id}-refusal`} role="alert">
          {refusal}
        </p>
      )}
    </div>
  )
}
