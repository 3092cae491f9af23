// Revokes a key after a confirmation, because users of the key lose access permanently.

import { useSignal } from '@preact/signals'

export function RevokeButton({ revoke }: { revoke: () => void }) {
  const asks = useSignal(false)
  const ask = (next: boolean) => () => {
    asks.value = next
  }
  if (!asks.value)
    return (
      <button type="button" class="button small danger" onClick={ask(true)}>
        Revoke
      </button>
    )
  return (
    <>
      <span class="warn">Sure?</span>
      <button type="button" class="button small" onClick={ask(false)}>
        Keep it
      </button>
      {/* A double click on the first button must not confirm. */}
      <button
        type="button"
        class="button small danger"
        onClick={({ detail }) => detail < 2 && revoke()}
      >
        Revoke it
      </button>
    </>
  )
}
