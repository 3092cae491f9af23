// The bottom line: how true the numbers above are, and the way to everything else.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { clockText, fixed, shortAddress } from '../model/number-text.ts'
import type { Terminal } from '../model/terminal.ts'
import { useTerminal } from './use-terminal.ts'

export function StatusBar() {
  const terminal = useTerminal()
  return (
    <footer class="status">
      <ConnectionLight />
      <EngineClock />
      {terminal.address.value !== null && (
        <span class="mono" title={terminal.address.value}>
          {shortAddress(terminal.address.value)}
        </span>
      )}
      <span class="spacer" />
      <span>
        <kbd>/</kbd> commands
      </span>
      <button type="button" class="link" onClick={() => terminal.open({ show: 'shortcuts' })}>
        <kbd>?</kbd> keys
      </button>
      <a href="/docs">API</a>
      <span>
        Charts by <a href="https://www.tradingview.com">TradingView</a>
      </span>
      <PhoneTabs />
    </footer>
  )
}

const lightWords = {
  live: 'Live',
  slow: 'Late',
  down: 'Reconnecting',
  start: 'Connecting',
} as const

function ConnectionLight() {
  const { streams } = useTerminal()
  const { state, latencyMs, ageMs } = streams.light.value
  const repairs = streams.repairs.value
  const figures = [
    latencyMs === null ? null : `${latencyMs} ms`,
    ageMs === null ? null : `data ${fixed(ageMs / 1_000, 1)} s old`,
    repairs === 0 ? null : `${repairs} ${repairs === 1 ? 'gap' : 'gaps'} of the book repaired`,
  ].filter((each) => each !== null)
  return (
    <output class={`light ${state}`} aria-label={`Connection: ${lightWords[state]}`}>
      <i aria-hidden="true" />
      {lightWords[state]}
      <span class="dim">{figures.join(' · ')}</span>
    </output>
  )
}

function EngineClock() {
  const { streams, sandbox } = useTerminal()
  const text = useSignal('')
  useEffect(() => {
    const tell = () => {
      text.value = clockText(streams.engineNow())
    }
    tell()
    const timer = setInterval(tell, 1_000)
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

type View = Terminal['view']['value']
const views: readonly (readonly [View, string])[] = [
  ['chart', 'Chart'],
  ['book', 'Book'],
  ['trade', 'Trade'],
  ['account', 'Account'],
]

function PhoneTabs() {
  const terminal = useTerminal()
  return (
    <nav class="phone-tabs" aria-label="Views">
      {views.map(([view, label]) => (
        <button
          key={view}
          type="button"
          aria-pressed={terminal.view.value === view}
          onClick={() => {
            terminal.view.value = view
          }}
        >
          {label}
        </button>
      ))}
      <button type="button" onClick={() => terminal.open({ show: 'keys' })}>
        Key
      </button>
    </nav>
  )
}
