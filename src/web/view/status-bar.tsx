// The status bar: connection, clock, and links.

import { shortAddress } from '../model/number-text.ts'
import type { Terminal } from '../model/terminal.ts'
import { PageLinks } from './navigation.tsx'
import { ConnectionLight } from './parts/connection-light.tsx'
import { EngineClock } from './parts/engine-clock.tsx'
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
      <a href="/status">Status</a>
      <span>
        Charts by <a href="https://www.tradingview.com">TradingView</a>
      </span>
      {terminal.page.value === 'trade' ? (
        <PhoneTabs />
      ) : (
        <PageLinks label="Pages below" class="phone-tabs" />
      )}
    </footer>
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
