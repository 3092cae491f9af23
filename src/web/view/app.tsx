// The layout of panels on a desktop and on a phone.

import { BottomPanel } from './account/bottom-panel.tsx'
import { ChartPanel } from './chart/chart-panel.tsx'
import { BookPanel } from './market/book-panel.tsx'
import { MarketNotice } from './market/market-notice.tsx'
import { TapePanel } from './market/tape-panel.tsx'
import { Overlays } from './overlays/overlays.tsx'
import { SandboxDrawer } from './overlays/sandbox-drawer.tsx'
import { Handle } from './parts/handle.tsx'
import { Toasts } from './parts/toasts.tsx'
import { useShortcuts } from './shortcuts.ts'
import { StatusBar } from './status-bar.tsx'
import { TicketPanel } from './ticket/ticket-panel.tsx'
import { TopBar } from './top-bar.tsx'
import { useTerminal } from './use-terminal.ts'

export function App() {
  const terminal = useTerminal()
  useShortcuts(terminal)
  const { trouble, view } = terminal
  return (
    <>
      <div class="terminal" data-view={view.value}>
        <div class="head">
          <TopBar />
          <MarketNotice />
        </div>
        <main class="panel chart" aria-label="Chart">
          <ChartPanel />
        </main>
        <Side />
        <TicketPanel />
        <BottomPanel />
        <StatusBar />
      </div>
      <SandboxDrawer />
      <Overlays />
      <Toasts notices={terminal.notices} />
      {trouble.value !== null && (
        <div class="shade" role="alert">
          <div class="dialog">
            <div class="dialog-body">{trouble.value}</div>
          </div>
        </div>
      )}
    </>
  )
}

function Side() {
  return (
    <div class="side">
      <BookPanel />
      <TapePanel />
      <Handle
        label="Width of the book"
        direction="columns"
        size="book"
        min={220}
        max={480}
        factor={-1}
      />
      <Handle
        label="Height of the book"
        direction="rows"
        size="bookShare"
        min={30}
        max={85}
        factor={0.2}
      />
    </div>
  )
}
