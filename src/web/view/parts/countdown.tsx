import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { countdown } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'

const hour = 3_600_000

/** Time until the next funding, which is paid at full hours of engine time. */
export function Countdown() {
  const { streams } = useTerminal()
  const text = useSignal('')
  useEffect(() => {
    const show = () => {
      const now = streams.engineNow()
      text.value = countdown(hour - (now % hour))
    }
    show()
    const timer = setInterval(show, 1_000)
    return () => clearInterval(timer)
  }, [streams, text])
  return <span class="dim">{text.value}</span>
}
