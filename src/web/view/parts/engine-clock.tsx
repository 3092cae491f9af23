import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { clockText } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'

/** Shows engine time, and whether a sandbox's clock differs from wall time. */
export function EngineClock() {
  const { streams, sandbox } = useTerminal()
  const text = useSignal('')
  useEffect(() => {
    const show = () => {
      text.value = clockText(streams.engineNow())
    }
    show()
    const timer = setInterval(show, 1_000)
    return () => clearInterval(timer)
  }, [streams, text])
  const moved =
    (sandbox.clock.value?.offset_ms ?? 0) > 1_000 || sandbox.clock.value?.frozen === true
  return (
    <span class={moved ? 'warn' : ''} title="Time of the exchange">
      {text.value}
      {sandbox.clock.value?.frozen === true ? ' frozen' : moved ? ' moved' : ''}
    </span>
  )
}
