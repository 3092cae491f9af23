// Sign-in: a token, typed or pasted, kept in this tab's memory.

import { useSignal } from '@preact/signals'
import { useConsole } from './use-console.ts'

export function SignIn() {
  const operators = useConsole()
  const token = useSignal('')
  const trouble = useSignal<string | null>(null)
  const enter = async () => {
    trouble.value = null
    try {
      await operators.enter(token.peek().trim())
    } catch (error) {
      trouble.value = (error as Error).message
    }
  }
  return (
    <main class="door">
      <form
        class="panel door-box"
        onSubmit={(event) => {
          event.preventDefault()
          void enter()
        }}
      >
        <h1 class="brand">
          <img src="/assets/icon.svg" alt="" />
          <span>openperp console</span>
        </h1>
        <div class="field">
          <label for="token">Admin token</label>
          <input
            id="token"
            class="input"
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token.value}
            aria-invalid={trouble.value !== null}
            aria-describedby="token-hint"
            onInput={({ currentTarget }) => {
              token.value = currentTarget.value
            }}
          />
          <p class="hint" id="token-hint">
            It stays in the memory of this tab: closing or reloading the tab forgets it.
          </p>
          {trouble.value !== null && (
            <p class="refusal" role="alert">
              {trouble.value}
            </p>
          )}
        </div>
        <button type="submit" class="button primary">
          Enter
        </button>
      </form>
    </main>
  )
}
