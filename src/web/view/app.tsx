// The layout of panels on a desktop and on a phone.

import { BottomPanel } from './account/bottom-panel.tsx'
import { ChartPanel } from './chart/chart-panel.tsx'
import { BookPanel } from './market/book-panel.tsx'
import { MarketNotice } from './market/market-notice.tsx'
import { TapePanel } from './market/tape-panel.tsx'
import { Overlays } from './overlays/overlays.tsx'
import { SandboxDrawer } from './overlays/sandbox-drawer.tsx'
import { Handle } from './parts/handle.tsx'
import { Lazy } from './parts/lazy.tsx'
import { Toasts } from './parts/toasts.tsx'
import { useShortcuts } from './shortcuts.ts'
import { StatusBar } from './status-bar.tsx'
import { TicketPanel } from './ticket/ticket-panel.tsx'
import { TopBar } from './top-bar.tsx'
import { useTerminal } from './use-terminal.ts'

export function App() {
  const terminal = useTerminal()
  useShortcuts(terminal)
  const { trouble, view, page } = terminal
  return (
    <>
      <div class="terminal" data-page={page.value} data-view={view.value}>
        <div class="head">
          <TopBar />
          {page.value === 'trade' && <MarketNotice />}
        </div>
        {page.value === 'trade' ? <TradePage /> : <OtherPage page={page.value} />}
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

function TradePage() {
  return (
    <>
      <main class="panel chart" aria-label="Chart">
        <ChartPanel />
      </main>
      <Side />
      <TicketPanel />
      <BottomPanel />
    </>
  )
}

const otherPages = () => import('./pages/other-pages.tsx')
const notLoaded = () => ({ default: NotLoaded })
const parts = {
  markets: () => otherPages().then((all) => ({ default: all.MarketsPage }), notLoaded),
  portfolio: () => otherPages().then((all) => ({ default: all.PortfolioPage }), notLoaded),
  leaderboard: () => otherPages().then((all) => ({ default: all.LeaderboardPage }), notLoaded),
} as const

function NotLoaded() {
  return (
    <div class="card nothing" role="alert">
      <p>The page could not be loaded.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Try again
      </button>
    </div>
  )
}

/** A page that is loaded when it is first opened. */
function OtherPage({ page }: { page: keyof typeof parts }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <main class="page scrolls" tabIndex={0} key={page}>
      <Lazy load={parts[page]} />
    </main>
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
