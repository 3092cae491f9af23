// Shows the exchange that the key belongs to, and what to do if this page shows another one.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { VenueMismatch } from '../../../client/errors.ts'
import { Numbers } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'

export function KeyVenue() {
  const { trader } = useTerminal()
  const venue = useSignal<string | undefined>(undefined)
  const mismatch = useSignal<VenueMismatch | null>(null)
  useEffect(() => {
    let isShown = true
    const show = (id: string | undefined, error: VenueMismatch | null) => {
      if (!isShown) return
      venue.value = id
      mismatch.value = error
    }
    trader.value?.client.checkVenue().then(
      (id) => show(id, null),
      (error: Error) => show(undefined, error instanceof VenueMismatch ? error : null),
    )
    return () => {
      isShown = false
    }
  }, [trader.value])
  const { value: wrong } = mismatch
  const id = wrong?.expected ?? venue.value
  if (id === undefined) return null
  const shown = (
    <span key="venue" class="mono">
      {id}
    </span>
  )
  return (
    <>
      <Numbers rows={[['Signs for venue', shown]]} />
      {wrong !== null && <UseHere />}
    </>
  )
}

function UseHere() {
  const terminal = useTerminal()
  const keys = () => terminal.open({ show: 'keys' })
  const use = () => {
    const act = () => {
      terminal.keyRing.forgetVenue()
      keys()
    }
    const text =
      'The key then signs for this exchange. Do this only if you know that the exchange was ' +
      'replaced: a key that is used at two exchanges is safe at neither.'
    terminal.open({ show: 'confirm', title: 'Use the key here', text, act, back: keys })
  }
  return (
    <>
      <p class="warn">
        This page is of another exchange, so nothing is signed with this key. Make a new key for
        this exchange, or bring the one that belongs to it.
      </p>
      <div class="line">
        <button type="button" class="button danger" onClick={use}>
          Use the key here
        </button>
      </div>
    </>
  )
}
