// A number of a table that can be changed in its place: Enter sends it, Escape restores it.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { cleaned, entryProblem } from '../../model/number-entry.ts'

type EditProps = Readonly<{
  label: string
  value: string
  /** Maximum number of decimals, which determines the meaning of a comma. */
  places: number
  /** Returns whether the change was accepted; a notice reports a refusal. */
  save: (value: string) => Promise<boolean>
  children: ComponentChildren
}>

export function EditCell({ label, value, places, save, children }: EditProps) {
  const typed = useSignal<string | null>(null)
  const problem = useSignal<string | null>(null)
  const busy = useSignal(false)
  const close = () => {
    typed.value = null
    problem.value = null
  }
  const send = async (text: string) => {
    const wrong = entryProblem(text, places)
    problem.value = wrong === null ? null : `This ${wrong}`
    if (wrong !== null || busy.peek()) return
    const next = cleaned(text, places)
    if (next === value) return close()
    busy.value = true
    if (await save(next)) close()
    busy.value = false
  }
  if (typed.value === null)
    return (
      <button
        type="button"
        class="edits"
        // Not its name, which is the number.
        title={label}
        onClick={() => {
          typed.value = value
        }}
      >
        {children}
      </button>
    )
  return (
    <>
      <input
        class="input num edit-cell"
        inputMode="decimal"
        autocomplete="off"
        aria-label={label}
        aria-invalid={problem.value !== null}
        ref={focusOnce}
        readOnly={busy.value}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
        onBlur={() => !busy.peek() && close()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          event.stopPropagation()
          event.preventDefault()
          if (event.key === 'Escape') close()
          else if (!event.repeat) void send(event.currentTarget.value)
        }}
      />
      {problem.value !== null && (
        <span class="refusal" role="alert">
          {problem.value}
        </span>
      )}
    </>
  )
}

/** Focuses an input when it appears, and selects its text. */
function focusOnce(input: HTMLInputElement | null): void {
  if (input === null || document.activeElement === input) return
  input.focus()
  input.select()
}
