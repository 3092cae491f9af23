// The accounts with the highest equity, with their profit. On an exchange whose reads are for
// owners only there is no list, and the page says so.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiRefusal } from '../../../client/errors.ts'
import { compact, shortAddress, signedUsd, toneOf, usd } from '../../model/number-text.ts'
import { pathOf } from '../../model/pages/pages.ts'
import type { LeaderboardRow } from '../../model/wire.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import { type Column, Unread } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { PageHead } from './page-parts.tsx'

const refreshMs = 30_000

type Profits = 'pnl_1d' | 'pnl_7d' | 'pnl_30d' | 'pnl_all_time'

const profit = (name: string, key: Profits, title: string, roomy = ''): Column<LeaderboardRow> => ({
  ...{ name, title, num: true, class: roomy },
  cell: ({ [key]: value }) => <span class={toneOf(value)}>{signedUsd(value)}</span>,
  sort: ({ [key]: value }) => Number(value),
})

const columnsFor = (own: string | null): readonly Column<LeaderboardRow>[] => [
  {
    name: 'Account',
    cell: ({ address }, place) => (
      <>
        <span class="rank">{place + 1}</span>
        <span class="mono" title={address}>
          {shortAddress(address)}
        </span>{' '}
        {address === own && <span class="chip">You</span>}
      </>
    ),
  },
  profit('24 h', 'pnl_1d', 'Profit of the last 24 hours'),
  profit('7 days', 'pnl_7d', 'Profit of the last 7 days', 'roomy'),
  profit('30 days', 'pnl_30d', 'Profit of the last 30 days', 'roomy'),
  profit('All time', 'pnl_all_time', 'Profit since the account was opened'),
  {
    ...{ name: 'Equity', num: true, title: 'In USD' },
    cell: (row) => usd(row.equity_current),
    sort: (row) => Number(row.equity_current),
  },
  {
    ...{ name: 'Open positions', num: true, title: 'Value in USD at the mark price' },
    class: 'roomy',
    cell: (row) => compact(row.oi_current),
    sort: (row) => Number(row.oi_current),
  },
  {
    ...{ name: '14 d volume', num: true, title: 'In USD, in the 14 days before today' },
    class: 'roomy',
    cell: (row) => compact(row.volume_14d),
    sort: (row) => Number(row.volume_14d),
  },
]

type State =
  | Readonly<{ rows: readonly LeaderboardRow[] | null }>
  | Readonly<{ why: string; isPrivate: boolean }>

export default function LeaderboardPage() {
  const { visitor } = useTerminal()
  const state = useSignal<State>({ rows: null })
  const tries = useSignal(0)
  useEffect(() => {
    let closed = false
    const load = async () => {
      const next = await visitor.getLeaderboard({}).then((rows): State => ({ rows }), failureOf)
      if (!closed) state.value = next
    }
    void load()
    const timer = setInterval(() => void load(), refreshMs)
    return () => {
      closed = true
      clearInterval(timer)
    }
  }, [visitor, tries.value])
  const again = () => {
    tries.value = tries.peek() + 1
  }
  return (
    <>
      <PageHead title="Leaderboard" />
      <section class="card" aria-label="Accounts">
        <Content state={state.value} onAgain={again} />
      </section>
    </>
  )
}

function failureOf(error: Error): State {
  const isPrivate = error instanceof ApiRefusal && error.reason === 'CREDENTIALS_REQUIRED'
  return { why: error.message, isPrivate }
}

function Content({ state, onAgain }: { state: State; onAgain: () => void }) {
  const { address, markets } = useTerminal()
  if ('why' in state)
    return state.isPrivate ? (
      <p class="nothing">
        This exchange shows an account to its owner only, so there is no leaderboard. Your own
        numbers are in the <a href={pathOf('portfolio', '')}>portfolio</a>.
      </p>
    ) : (
      <Unread what="The leaderboard" why={state.why} onAgain={onAgain} />
    )
  if (state.rows === null) return <p class="nothing">Loading…</p>
  return (
    <SortedTable
      label="Leaderboard"
      class="plain leaders"
      usual="-All time"
      rows={state.rows}
      columns={columnsFor(address.value)}
      rowKey={(row) => row.address}
      rowClass={(row) => (row.address === address.value ? 'own' : '')}
      empty={
        <>
          No account has traded yet.{' '}
          <a href={pathOf('trade', markets.symbol.value)}>Be the first.</a>
        </>
      }
    />
  )
}
