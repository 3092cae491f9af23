// A number in a dialog. What the exchange has against it stands under it, and what it would accept
// is one click away.

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { namedValue, sentence } from '../../model/ticket/refusal-field.ts'

export type InputRefusal = Readonly<{ message: string; accepted: string | null }>

type NumberInputProps = Readonly<{
  id: string
  label: string
  value: Signal<string>
  first?: boolean
  hint?: ComponentChildren
  refusal?: InputRefusal | null
}>

export function NumberInput(props: NumberInputProps) {
  const { id, label, value, first = false, hint, refusal = null } = props
  const wrong = refusal !== null
  const put = (text: string) => {
    value.value = text
  }
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{label}</label>
        {hint}
      </div>
      <input
        id={id}
        class="input num"
        inputMode="decimal"
        autocomplete="off"
        data-first={first ? '' : undefined}
        value={value.value}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-refusal` : undefined}
        onInput={({ currentTarget }) => put(currentTarget.value)}
      />
      {wrong && (
        <p class="refusal" id={`${id}-refusal`} role="alert">
          {refusal.message}
          {refusal.accepted !== null && (
            <button type="button" class="link" onClick={() => put(refusal.accepted ?? '')}>
              use {refusal.accepted}
            </button>
          )}
        </p>
      )}
    </div>
  )
}

/** The last refusal of what a dialog asked for. */
export function useRefusal() {
  const refusal = useSignal<InputRefusal | null>(null)
  const refused = ({ message }: Error) => {
    refusal.value = { message: sentence(message), accepted: namedValue(message) }
  }
  return { refusal, refused }
}
