// The frame: the operator, the navigation, the page, and the dialog of the pending action.

import type { ComponentChildren } from 'preact'
import { wordsOf } from '../../model/number-text.ts'
import { Toasts } from '../../view/parts/toasts.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { AccountPage } from './pages/account-page.tsx'
import { AccountsPage } from './pages/accounts-page.tsx'
import { BrakePage } from './pages/brake-page.tsx'
import { IncidentsPage } from './pages/incidents-page.tsx'
import { JournalPage } from './pages/journal-page.tsx'
import { MarketPage } from './pages/market-page.tsx'
import { MarketsPage } from './pages/markets-page.tsx'
import { MoneyPage } from './pages/money-page.tsx'
import { OverviewPage } from './pages/overview-page.tsx'
import { PricesPage } from './pages/prices-page.tsx'
import { TokensPage } from './pages/tokens-page.tsx'
import { TreasuryPage } from './pages/treasury-page.tsx'
import { WebhooksPage } from './pages/webhooks-page.tsx'
import { WithdrawalsPage } from './pages/withdrawals-page.tsx'
import { SignIn } from './sign-in.tsx'
import { useConsole } from './use-console.ts'

type Drawn = (of: string) => ComponentChildren

const pages: Readonly<Record<string, Readonly<{ title: string; draw: Drawn }>>> = {
  overview: { title: 'Overview', draw: () => <OverviewPage /> },
  markets: {
    title: 'Markets',
    draw: (of) => (of === '' ? <MarketsPage /> : <MarketPage symbol={of} />),
  },
  prices: { title: 'Prices', draw: () => <PricesPage /> },
  accounts: {
    title: 'Accounts',
    draw: (of) => (of === '' ? <AccountsPage /> : <AccountPage key={of} account={of} />),
  },
  withdrawals: { title: 'Withdrawals', draw: () => <WithdrawalsPage /> },
  brake: { title: 'Withdrawal brake', draw: () => <BrakePage /> },
  webhooks: { title: 'Webhooks', draw: () => <WebhooksPage /> },
  treasury: { title: 'Treasury', draw: () => <TreasuryPage /> },
  money: { title: 'Reserves and fees', draw: () => <MoneyPage /> },
  incidents: { title: 'Incidents', draw: () => <IncidentsPage /> },
  tokens: { title: 'Tokens', draw: () => <TokensPage /> },
  journal: { title: 'Journal', draw: () => <JournalPage /> },
}

export function App() {
  const operators = useConsole()
  if (operators.holder.value === null) return <SignIn />
  const { page, of } = operators.place.value
  const shown = pages[page] ?? pages.overview!
  return (
    <>
      <div class="console">
        <Head />
        <nav class="panel pages" aria-label="Pages">
          {Object.entries(pages).map(([name, { title }]) => (
            <a key={name} href={`#${name}`} aria-current={name === page ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <main class="page scrolls" aria-label={shown.title} tabIndex={-1}>
          {shown.draw(of)}
        </main>
      </div>
      <ActionDialog />
      <Toasts notices={operators.notices} />
    </>
  )
}

function Head() {
  const operators = useConsole()
  const { theme } = operators
  const other = theme.value === 'dark' ? 'light' : 'dark'
  const { name, scopes } = operators.holder.value!
  return (
    <header class="top">
      <h1 class="brand">
        <img src="/assets/icon.svg" alt="" />
        <span>openperp console</span>
      </h1>
      <span class="spacer" />
      <span class="who">
        <b>{name}</b> <span class="dim">{scopes.join(' · ') || 'no scopes'}</span>
      </span>
      <button
        type="button"
        class="icon-button"
        onClick={() => {
          theme.value = other
        }}
      >
        {wordsOf(other)}
      </button>
      <button type="button" class="icon-button" onClick={() => operators.leave()}>
        Leave
      </button>
    </header>
  )
}
