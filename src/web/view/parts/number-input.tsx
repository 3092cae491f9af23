// A number in a dialog. A refusal is shown below it, with a button that inserts the accepted value.

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { cleaned, entryProblem } from '../../model/number-entry.ts'
import { namedValue } from '../../model/ticket/refusal-field.ts'
import { sentence } from '../../model/words/sentence.ts'

export type InputRefusal = Readonly<{ message: string; accepted: string | null }>

type NumberInputProps = Readonly<{
  id: string
  label: string
  value: Signal<string>
  /** Maximum number of decimals, which determines the meaning of a comma. */
  places: number
  first?: boolean
  hint?: ComponentChildren
  refusal?: InputRefusal | null
}>

export function NumberInput(props: NumberInputProps) {
  const { id, label, value, places, first = false, hint, refusal = null } = props
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
      <ReadAs typed={value.value} meant={cleaned(value.value, places)} />
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

/** Separators that require the parsed number to be shown. */
const marked = /[,\s'’]/

/** Shows how an input with a comma was parsed. */
export function ReadAs({ typed, meant }: Readonly<{ typed: string; meant: string }>) {
  if (!marked.test(typed.trim()) || typed.trim() === meant) return null
  return <p class="read-as">read as {meant}</p>
}

/** Decimals of dollar amounts. */
export const centPlaces = 2

/** The last refusal of a request of a dialog. */
export function useRefusal() {
  const refusal = useSignal<InputRefusal | null>(null)
  const refused = ({ message }: Error) => {
    refusal.value = { message: sentence(message), accepted: namedValue(message) }
  }
  /** Parses the input; returns `null` if it is invalid, and shows the problem at the field. */
  const read = (text: string, places: number): string | null => {
    const problem = entryProblem(text, places)
    refusal.value = problem === null ? null : { message: `This ${problem}`, accepted: null }
    return problem === null ? cleaned(text, places) : null
  }
  return { refusal, refused, read }
}
